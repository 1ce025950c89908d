"""The ways in which the sets write dates."""

import re
from datetime import UTC, datetime, timedelta

FORMATS = (
    "%I:%M %p on %d %B, %Y",
    "%B-%d-%Y",
    "%Y-%m-%d",
    "%d.%m.%Y, %H:%M:%S",
    "%d.%m.%Y, %H:%M",
    "%d.%m.%Y",
    "%d %B, %Y",
    "%B %d, %Y",
    "%m/%d/%Y, %H:%M:%S",
    "%m/%d/%Y",
)
WEEKDAY = re.compile(r"\s*\([A-Za-z]+\)\s*$")
GAP = re.compile(r"(\w+)(?: of)? (day|week|month|year)s?\b", re.IGNORECASE)
DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
NUMBERS = {
    word: number
    for number, words in enumerate(
        ("a an one", "two couple", "three several few", "four", "five", "six", "seven", "eight", "nine"), 1
    )
    for word in words.split()
}


def moment_in(text: str) -> datetime:
    """The moment that a set's date means, in UTC.

    >>> moment_in("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    >>> moment_in("March-15-2024").date().isoformat(), moment_in("2025-12-19 (Friday)").date().isoformat()
    ('2024-03-15', '2025-12-19')
    """
    plain = " ".join(WEEKDAY.sub("", str(text)).split())
    for form in FORMATS:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        found = datetime.fromisoformat(plain)
    except ValueError:
        raise ValueError(f"{text!r} is not a date that is known here") from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def gap_in(text: str) -> timedelta:
    """How long a gap in words is, roughly; a month where the words do not say.

    >>> gap_in("about six weeks later").days, gap_in("a couple of months later").days
    (42, 60)
    """
    found = GAP.search(text)
    if found is None:
        return timedelta(days=DAYS["month"])
    return timedelta(days=NUMBERS.get(found[1].lower(), 1) * DAYS[found[2].lower()])
