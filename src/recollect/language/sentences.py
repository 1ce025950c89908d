"""A text in sentences: by their marks and by lines, without list markers and without code."""

import re
from functools import cache
from typing import Final, NamedTuple

from recollect.language.fences import FENCED
from recollect.language.lexicon import tables
from recollect.language.phrases import flat

_BOUNDARY: Final = re.compile(r"[.!?…。！？]{1,20}[\"'”’)\]*_]{0,4}(?=\s|$)|\n+")
_WORD_BEFORE: Final = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
_MARKER: Final = re.compile(r"(?:[\s>*•#+\"“‘'_–—-]|\d{1,3}[.)]\s|\[[ xX]\]\s)+")
_PAUSES: Final = frozenset({"..", "...", "....", "…"})
_QUOTES: Final = (('"', '"'), ("“", "”"))
_CLOSING: Final = " \t\r\n\"”’'*_"
# Not the mark of inches or seconds: no digit stands before it.
_QUOTATION: Final = re.compile(r'(?<!\w)"(?=\S)[^"\n]{1,2000}"(?!\w)|“[^”\n]{1,2000}”')
_LONGEST_WORD: Final = 40


class Sentence(NamedTuple):
    """A sentence without its mark, where it stands, and whether the mark asks."""

    text: str
    start: int
    asks: bool


def sentences(text: str) -> list[Sentence]:
    r"""The sentences of a text in order.

    >>> [s.text for s in sentences("Dr. Ada came. She left! 3.5 km?\n- a list, too")]
    ['Dr. Ada came', 'She left', '3.5 km', 'a list, too']
    """
    plain = FENCED.sub(lambda code: "\n" * len(code.group()), text)
    quoted = [match.span() for match in _QUOTATION.finditer(plain)]
    found: list[Sentence] = []
    at = 0
    for match in _BOUNDARY.finditer(plain):
        while quoted and quoted[0][1] < match.end():
            quoted.pop(0)
        if match.start() >= at and not (_within(match, quoted[:1]) or _goes_on(plain, match)):
            found += _trimmed(plain, at, match.start(), "?" in match.group(), match.group())
            at = match.end()
    return [*found, *_trimmed(plain, at, len(plain), asks=False)]


def _within(mark: re.Match[str], quoted: list[tuple[int, int]]) -> bool:
    """Whether it ends a sentence within a quotation, and not the one that has the quotation in it."""
    return any(start < mark.start() and mark.end() < end for start, end in quoted)


def _goes_on(text: str, mark: re.Match[str]) -> bool:
    if mark.group() != ".":
        # "It feels… direct" goes on, and so does '"Hi!" she said'.
        paused = mark.group() in _PAUSES or mark.group()[-1] in '"”'
        return paused and text[mark.end() + 1 : mark.end() + 2].islower()
    before = _WORD_BEFORE.search(text, max(0, mark.start() - _LONGEST_WORD), mark.start())
    word = flat(before.group()) if before else ""
    if word.isdigit():
        # "1. first" and "3. gün" go on; "in 2019. Then" does not.
        return text[mark.end() + 1 : mark.end() + 2].islower() or _starts_line(text, mark.start() - len(word))
    initials = word != "i" and max(map(len, word.split("."))) == 1
    return initials or word in _abbreviations()


def _starts_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip() if at <= _LONGEST_WORD else text[at - 1] == "\n"


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(flat(word) for table in tables("statements").values() for word in table["abbreviations"])


def _trimmed(text: str, start: int, end: int, asks: bool, mark: str = "") -> list[Sentence]:
    marker = _MARKER.match(text, start, end)
    start = marker.end() if marker else start
    content = text[start:end].rstrip(_CLOSING).rstrip(".!?…").rstrip(_CLOSING)
    ending = text[start + len(content) : end] + mark
    # A quotation keeps its marks: 'Ada" is a name' would quote nothing.
    for opening, closing in _QUOTES:
        if text[start - 1 : start] == opening and closing in content:
            start, content = start - 1, opening + content
        if closing in ending and _is_open(content, opening, closing):
            content += closing
    return [Sentence(content, start, asks)] if any(letter.isalpha() for letter in content) else []


def _is_open(content: str, opening: str, closing: str) -> bool:
    if opening == closing:
        return content.count(opening) % 2 == 1
    return content.count(opening) > content.count(closing)
