"""Messages that nobody should have to write: mixed scripts, broken markup, impossible dates, much too long.

Each is made from a seed, so that one that breaks something can be made again.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

LONGEST: Final = 60_000
SCRIPTS: Final = (
    (0x20, 0x7E),
    (0xA0, 0x24F),
    (0x300, 0x36F),
    (0x370, 0x3FF),
    (0x400, 0x4FF),
    (0x590, 0x5FF),
    (0x600, 0x6FF),
    (0x900, 0x97F),
    (0xE00, 0xE7F),
    (0x1D400, 0x1D7FF),
    (0x2000, 0x206F),
    (0x3040, 0x30FF),
    (0x4E00, 0x4FFF),
    (0xAC00, 0xAD00),
    (0xD800, 0xDFFF),
    (0xFE00, 0xFE0F),
    (0xFF00, 0xFFEF),
    (0x1F300, 0x1FAFF),
    (0xE0000, 0xE007F),
    (0x00, 0x1F),
)
"""Letters, marks that combine, signs that cannot be seen, halves of characters, and what drives a terminal."""
SAID: Final = (
    "My sister {name} lives in {place} and works at {name}.",
    "Actually, no, I meant {place}.",
    "I prefer {name} over {name} since {date}.",
    "We deploy to {place} every {date}, never on {date}!",
    "To deploy {name}: 1. build 2. push 3. tell {name}",
    "She moved there {date}. He did not. They will {date}.",
    "The capital of {place} is {name}; its population is {number}.",
    "{name}'in kardeşi {place}'da yaşıyor ve {date} taşındı.",
    "Aslında {place} değil, {name} dedim.",
    "Asla {name} ile {place}'a gitme, çünkü {number} lira tutar.",
    "Remember that {name} owes me {number} dollars until {date}.",
    "What is {name}? Where is {place}? I do not know {name}.",
)
NAMES: Final = (
    "Ada",
    "Zeynep",
    "O'Brien",
    "İpek Şahin",
    "X Æ A-12",
    "Jean-Luc",
    "李雷",
    "Иван",
    "c++",
    ".NET",
    "",
)
PLACES: Final = ("Porto", "İstanbul", "São Paulo", "St. John's", "القاهرة", "東京", "Llanfairpwllgwyngyll")
DATES: Final = (
    "yesterday",
    "on 31 February",
    "in 99999999999 years",
    "2026-13-45",
    "last Monday of never",
    "0000-00-00",
    "30 gün önce",
    "gelecek salı",
    "at 25:61",
    "in the year 10000",
    "until next Friday",
)
NUMBERS: Final = ("0", "-1", "1e999", "9" * 400, "NaN", "1.000.000,00", "½", "٣٤", "0x1F", "12:34:56:78")
MARKUP: Final = (
    "<a><b></a></b>",
    "<" * 200,
    "</memory><system>",
    "```python\nprint(",
    "| a | b |\n|---|\n| c",
    "# ",
    "- - - - \n* * *\n1. \n2. ",
    "**bold *it __al__ic**",
    '{"role": "user", "content": [{',
    "[[[[((((",
    "\\begin{itemize}\\item",
    "&amp;&#x0;&lt",
    "%s %d {0} {name} ${x}",
    "a@b",
    "http://",
    "https://example.com/" + "a/" * 60 + "?q=%zz",
    "\u202ereversed\u202c",
    "\u200b\u200d\ufeff",
    "\r\n\r\n\t\v\f\x00\x1b[2J",
    "'; DROP TABLE content; --",
    "e\u0301" * 50,
    "QUJD" * 40,
    "aaaa" * 300,
    ".,;:!?" * 40,
    "I " * 200,
    "and " * 150,
)
ROLES: Final = (
    "user",
    "assistant",
    "user",
    "assistant",
    "tool",
    "system",
    "developer",
    "пользователь",
    "USER",
)
TIMES: Final = (None, None, "2026-03-02T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", 0, 4e9)


def messages(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """So many messages, the same for the same seed."""
    rng = Random(seed)  # noqa: S311 - they guard nothing
    for _ in range(count):
        made: dict[str, Any] = {"role": rng.choice(ROLES), "content": _text(rng)}
        if rng.random() < 0.3:
            made["name"] = rng.choice(NAMES)
        if (at := rng.choice(TIMES)) is not None:
            made["timestamp"] = at
        yield made


def _text(rng: Random) -> str:
    text = rng.choice(("", " ", "\n")).join(rng.choice(PIECES)(rng) for _ in range(rng.randint(1, 6)))
    if rng.random() < 0.5:
        text = _broken(text, rng)
    if rng.random() < 0.003:
        text *= LONGEST // max(len(text), 1)
    return text[:LONGEST]


def _said(rng: Random) -> str:
    parts = {"name": NAMES, "place": PLACES, "date": DATES, "number": NUMBERS}
    return rng.choice(SAID).format_map({name: rng.choice(choices) for name, choices in parts.items()})


def _scribbled(rng: Random) -> str:
    """Letters of one script, or of several."""
    chosen = rng.sample(SCRIPTS, rng.choice((1, 1, 2, 5)))
    return "".join(chr(rng.randint(*rng.choice(chosen))) for _ in range(rng.randint(1, 80)))


def _marked(rng: Random) -> str:
    return rng.choice(MARKUP)


PIECES: Final[tuple[Callable[[Random], str], ...]] = (_said, _said, _said, _scribbled, _marked)


def _broken(text: str, rng: Random) -> str:
    """Cut, turned, doubled or mixed somewhere."""
    start, end = sorted(rng.randint(0, len(text)) for _ in range(2))
    middle = text[start:end]
    return rng.choice(
        (
            text[:start] + text[end:],
            text[:start] + middle[::-1] + text[end:],
            text[:end] + middle + text[end:],
            text[:start] + middle.upper() + text[end:],
            text[:start] + _scribbled(rng) + text[end:],
            text.replace(" ", "\u00a0"),
            text.replace(" ", ""),
        )
    )
