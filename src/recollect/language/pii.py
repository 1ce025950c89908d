"""Personal data in a text: found by its form, checked by its arithmetic where it has one, and masked on request."""

import ipaddress
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from recollect.language.lexicon import tables
from recollect.language.phrases import anywhere, flat, pattern

LABELS: Final = ("email", "iban", "card number", "national id", "ip address", "phone", "address")

_LONG: Final = 100_000
_LONG_NUMBER: Final = re.compile(r"\d(?:[ ()./+-]{0,3}\d){6}")
"""Without one a text has no card, no identity and no telephone number: most have none, and cost little."""
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w-])")
_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])"
)
_DIGITS: Final = re.compile(r"(?<![\d.,-])(?<![\w])\d(?:[ -]?\d){10,18}(?![\d-])(?!\w)(?![.,]\d)")
_SSN: Final = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])")
_IPV4: Final = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\w)")
_IPV6: Final = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:.]*\w)")
_VERSION_BEFORE: Final = re.compile(r"(?:\bv|version|release|surum|build)\W{0,3}$")
_PHONE: Final = re.compile(
    r"(?<![\w.+/-])(?:\+|00)[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){2,4}(?![\w-]|\.\d)"
    r"|(?<![\w.+/-])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-]|\.\d)"
    r"|(?<![\w.+/-])0[ ]?\(?[2-5]\d{2}\)?[ .-]?\d{3}[ .-]?\d{2}[ .-]?\d{2}(?![\w-]|\.\d)"
    r"|(?<![\w.+/-])\(?5\d{2}\)?[ .-]\d{3}[ .-]\d{2}[ .-]?\d{2}(?![\w-]|\.\d)"
)
_PHONE_DIGITS: Final = (8, 15)
_LOCAL_NUMBER: Final = r"(?P<number>\d(?:[ .-]?\d){6,11})(?![\w-])"
_NINE_DIGITS: Final = r"(?P<number>\d{9})(?!\d)"


@dataclass(frozen=True, slots=True)
class Personal:
    """A piece of personal data: what it is and where, never what it says."""

    label: str
    start: int
    end: int


def personal(text: str) -> tuple[Personal, ...]:
    """Personal data in the order of the text, each place once.

    >>> [(p.label, p.start, p.end) for p in personal("Mail ada@example.org or call +90 532 123 45 67")]
    [('email', 5, 20), ('phone', 29, 46)]
    >>> personal("TCKN 10000000146")[0].label, personal("No. 10000000147")
    ('national id', ())
    """
    read = text[:_LONG]
    folded = flat(read)
    found: list[Personal] = []
    covered = bytearray(len(read))
    # The surer detector comes first and keeps its place.
    for detector in _DETECTORS if _LONG_NUMBER.search(read) else _OF_SHORT_NUMBERS:
        for each in detector(read, folded):
            if not any(covered[each.start : each.end]):
                covered[each.start : each.end] = b"\1" * (each.end - each.start)
                found.append(each)
    return tuple(sorted(found, key=lambda each: each.start))


def masked(text: str, labels: Collection[str] = LABELS) -> str:
    """The text with its personal data replaced by what it was; a masked text stays as it is.

    >>> masked("Mail ada@example.org or call +90 532 123 45 67")
    'Mail [email] or call [phone]'
    """
    parts, at = [], 0
    for found in personal(text):
        if found.label in labels:
            parts += [text[at : found.start], f"[{found.label}]"]
            at = found.end
    return "".join([*parts, text[at:]])


def _emails(text: str, _: str) -> Iterator[Personal]:
    if "@" in text:
        yield from (Personal("email", *match.span()) for match in _EMAIL.finditer(text))


def _ibans(text: str, _: str) -> Iterator[Personal]:
    for match in _IBAN.finditer(text):
        # Words may follow in groups of four letters: the longest beginning that adds up is the number.
        for end in range(match.end(), match.start() + 14, -1):
            if _is_iban(text[match.start() : end]):
                yield Personal("iban", match.start(), end)
                break


def _is_iban(written: str) -> bool:
    number = re.sub(r"[ -]", "", written).upper()
    if not (15 <= len(number) <= 34 and number.isascii() and number.isalnum() and written[-1] not in " -"):
        return False
    return int("".join(str(int(letter, 36)) for letter in number[4:] + number[:4])) % 97 == 1


def _numbers(text: str, _: str) -> Iterator[Personal]:
    for match in _DIGITS.finditer(text):
        digits = [int(letter) for letter in match.group() if letter.isdigit()]
        if _is_card(digits):
            yield Personal("card number", *match.span())
        elif match.group().isdigit() and _is_tckn(digits):
            yield Personal("national id", *match.span())


def _is_card(digits: list[int]) -> bool:
    doubled = sum(sum(divmod(2 * d, 10)) if place % 2 else d for place, d in enumerate(reversed(digits)))
    return (
        13 <= len(digits) <= 19
        and digits[0] in {2, 3, 4, 5, 6}
        and len(set(digits)) > 1
        and doubled % 10 == 0
    )


def _is_tckn(digits: list[int]) -> bool:
    if len(digits) != 11 or digits[0] == 0:
        return False
    tenth = (7 * sum(digits[0:9:2]) - sum(digits[1:8:2])) % 10
    return digits[9] == tenth and digits[10] == sum(digits[:10]) % 10


def _ssns(text: str, folded: str) -> Iterator[Personal]:
    yield from (Personal("national id", *match.span()) for match in _SSN.finditer(text))
    yield from (
        Personal("national id", *match.span("number"))
        for match in _said("ssn", _NINE_DIGITS).finditer(folded)
    )


def _ips(text: str, folded: str) -> Iterator[Personal]:
    four = _IPV4.finditer(text) if "." in text else ()
    six = _IPV6.finditer(text) if ":" in text else ()
    for match in (*four, *six):
        try:
            address = ipaddress.ip_address(match.group())
        except ValueError:
            continue
        version = _VERSION_BEFORE.search(folded, max(0, match.start() - 12), match.start())
        if not (address.is_loopback or address.is_unspecified or version):
            yield Personal("ip address", *match.span())


def _phones(text: str, folded: str) -> Iterator[Personal]:
    least, most = _PHONE_DIGITS
    for match in _PHONE.finditer(text):
        if least <= sum(letter.isdigit() for letter in match.group()) <= most:
            yield Personal("phone", *match.span())
    yield from (
        Personal("phone", *match.span("number")) for match in _said("phone", _LOCAL_NUMBER).finditer(folded)
    )


@cache
def _said(what: str, number: str) -> re.Pattern[str]:
    """A number that only the words before it tell from others."""
    words = "|".join(table[what] for table in tables("pii").values())
    return pattern(
        rf"\b(?:{words})\W{{0,4}}(?:(?:number|numara[a-z]{{0,4}}|no|is|:)\W{{0,3}}){{0,3}}{number}"
    )


def _addresses(_: str, folded: str) -> Iterator[Personal]:
    for match in anywhere("pii", "addresses").finditer(folded):
        if not anywhere("pii", "no_address").search(match.group()):
            yield Personal("address", match.start(), match.start() + len(match.group().rstrip(" ,.")))


_DETECTORS: Final[tuple[Callable[[str, str], Iterator[Personal]], ...]] = (
    _emails,
    _ibans,
    _numbers,
    _ssns,
    _ips,
    _phones,
    _addresses,
)
_OF_SHORT_NUMBERS: Final = (_emails, _ibans, _ips, _addresses)
