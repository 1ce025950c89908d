"""What a document that was sent as a message is about: its title, its sections, its lead and what it recaps."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from typing import Final, NamedTuple

from recollect.language.fences import beside_code
from recollect.language.lexicon import tables
from recollect.language.phrases import either, flat, pattern
from recollect.language.sentences import sentences

LEAST_LINES: Final = 4
"""Fewer lines of a list or with a heading make no document."""
LONGEST_TITLE: Final = 120
MOST_SECTIONS: Final = 12
MOST_ITEMS: Final = 16
_READ_CHARACTERS: Final = 40_000
_LABEL_WORDS: Final = 6
_LEAST_CHARACTERS: Final = 12
_OUTERMOST: Final = 1
"""Spaces before an item of an outermost list, at most."""
_BOLD_DEPTH: Final = 9
"""A bold line is a heading below every other."""

_HEADING: Final = re.compile(r"^\s{0,3}#{1,6}\s+(?P<said>\S.*)$")
_BOLD_LINE: Final = re.compile(r"^\s{0,3}\*\*(?P<said>[^*\n]{2,160})\*\*:?\s*$")
_ITEM: Final = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?P<said>\S.*)$")
_ASIDE: Final = re.compile(r"^\s*(?:\||>|-{3,}\s*$|\*{3,}\s*$|_{3,}\s*$)")
_LABEL: Final = re.compile(r"^(?:\*\*|__)?(?P<label>[^:*\n]{2,60}?)(?:\*\*|__)?\s?:\s?(?:\*\*|__)?(?:\s|$)")
_EMPHASIS: Final = re.compile(
    r"(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?![\w*])|\*\*|__(?=\w)|(?<=\w)__"
)
_NUMBER: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|[A-Z][.)])\s+")


@dataclass(frozen=True, slots=True)
class Outline:
    """A document by its parts."""

    title: str
    """Its foremost heading; empty where no heading stands above the others."""
    sections: tuple[str, ...]
    told: tuple[str, ...]
    """The lines of a list that says again what was told or agreed, each with what they are about."""
    listed: tuple[str, ...]
    """Every line of the outermost lists that says more than a name."""
    lead: str
    """What it says in sentences before its first list or heading."""
    has_headings: bool


class _Line(NamedTuple):
    kind: str
    said: str
    depth: int = 0


def plain(text: str) -> str:
    """A text without the marks of emphasis.

    >>> plain("**Budget:** at *most* 2 * 3 files, see `**kwargs`")
    'Budget: at most 2 * 3 files, see `**kwargs`'
    """
    if "*" not in text and "__" not in text:
        return text
    parts = text.split("`")
    return "`".join(part if place % 2 else _EMPHASIS.sub("", part) for place, part in enumerate(parts))


def outline(text: str) -> Outline | None:
    r"""The parts of a document; None where a message is mostly prose.

    >>> found = outline("Here is your plan:\n## Trip to Rome\n- Day 1: Forum\n- Day 2: Trastevere\n- Day 3: Ostia")
    >>> found.title, found.sections
    ('Trip to Rome', ('Day 1', 'Day 2', 'Day 3'))
    """
    lines = list(_lines(beside_code(text[:_READ_CHARACTERS])))
    headings = [line for line in lines if line.kind == "heading"]
    if len(headings) + sum(line.kind == "item" for line in lines) < LEAST_LINES:
        return None
    highest = min((line.depth for line in headings), default=0)
    foremost = [line.said for line in headings if line.depth == highest]
    # Several of one rank are its parts: none of them is what it is called.
    title = foremost[0] if len(foremost) == 1 else ""
    parts = foremost if not title else [line.said for line in headings if line.depth > highest]
    sections = parts if len(parts) > 1 else _names(lines)
    before = takewhile(lambda line: line.kind == "prose", lines)
    return Outline(
        title[:LONGEST_TITLE],
        tuple(islice(dict.fromkeys(sections), MOST_SECTIONS)),
        _told(lines),
        tuple(islice(_listed(lines), MOST_ITEMS)),
        "\n".join(line.said for line in before),
        bool(headings),
    )


def _lines(text: str) -> Iterator[_Line]:
    for raw in text.split("\n"):
        heading = _HEADING.match(raw) or _BOLD_LINE.match(raw)
        item = None if heading else _ITEM.match(raw)
        if heading:
            depth = len(raw) - len(raw.lstrip(" #")) if "#" in raw[:8] else _BOLD_DEPTH
            yield _Line("heading", _without_colon(_NUMBER.sub("", plain(heading["said"]))), depth)
        elif item:
            yield _Line("item", item["said"].strip(), len(item["indent"]))
        elif _ASIDE.match(raw):
            yield _Line("aside", raw)
        elif raw.strip():
            yield _Line("prose", raw.strip())


def _names(lines: Iterable[_Line]) -> list[str]:
    """What the items of the outermost lists are called: their labels, else how they begin."""
    found = []
    for line in lines:
        if line.kind == "item" and line.depth <= _OUTERMOST:
            label = _LABEL.match(line.said)
            words = plain(line.said).split()[:_LABEL_WORDS]
            found.append(plain(label["label"]) if label else _without_colon(" ".join(words)))
    return found


def _listed(lines: Iterable[_Line]) -> Iterator[str]:
    for line in lines:
        said = plain(line.said)
        if line.kind == "item" and line.depth <= _OUTERMOST and len(said) >= _LEAST_CHARACTERS:
            yield said


def _told(lines: list[_Line]) -> tuple[str, ...]:
    for place, line in enumerate(lines):
        if line.kind != "prose" or not line.said.rstrip(" *").endswith(":"):
            continue
        lead = _last_sentence(line.said)
        if _recaps().search(flat(lead)):
            following = takewhile(lambda line: line.kind == "item", lines[place + 1 :])
            found = [f"{_without_colon(lead)}: {said}" for said in _listed(following)]
            if found:
                return tuple(found[:MOST_ITEMS])
    return ()


def _last_sentence(said: str) -> str:
    found = sentences(said)
    return plain(found[-1].text) if found else ""


def _without_colon(text: str) -> str:
    return text.strip().rstrip(":").strip()


@cache
def _recaps() -> re.Pattern[str]:
    """Leads that say again what somebody said: "To recap, your budget:"."""
    return pattern(either(phrase for table in tables("outline").values() for phrase in table["recap"]))
