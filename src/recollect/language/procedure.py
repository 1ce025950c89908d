"""How something is done: its name, when it is wanted, its steps, what it takes and what to beware of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from recollect.language.endings import lowered, raised
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern
from recollect.language.prohibition import prohibitions
from recollect.language.tongue import tongue

MAX_STEPS: Final = 50

_READ_CHARACTERS: Final = 8000
_ITEM: Final = re.compile(r"\s*(?:(?P<number>\d{1,2})[.)]|[-*+•])\s+(?P<said>\S.*)")
_INLINE: Final = re.compile(r"(?<=\S)\s+(?=(\d{1,2})[.)]\s+\S)")
_EDGES: Final = " \t.,;:-"


@dataclass(frozen=True, slots=True)
class Procedure:
    """Something that is done in steps; the trigger is what somebody wants who needs it."""

    name: str
    trigger: str
    steps: tuple[str, ...]
    prerequisites: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class _Parts:
    steps: list[str] = field(default_factory=list)
    prerequisites: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def procedure(text: str) -> Procedure | None:
    """The procedure that a text describes, or None.

    >>> found = procedure("To deploy: 1. run the tests 2. push the tag. Warning: not on Fridays.")
    >>> found.name, found.steps, found.warnings
    ('Deploy', ('run the tests', 'push the tag'), ('not on Fridays',))
    >>> procedure("Deploy etmek için: önce testleri çalıştır, sonra etiketi gönder.").steps
    ('testleri çalıştır', 'etiketi gönder')
    >>> procedure("I went to Rome: it was nice")
    """
    read = text[:_READ_CHARACTERS]
    language = tongue(read)
    found = _goal(read, language)
    if found is None:
        return None
    goal, rest, listed = found
    parts = _parts(rest, language)
    if not parts.steps:
        parts.steps = _in_sequence(rest, language) or ([_cut(rest)] if listed and _cut(rest) else [])
    # One step is a procedure where it is announced as one: "to deploy: run make deploy".
    if not parts.steps or (len(parts.steps) < 2 and not listed):
        return None
    warned = [
        found.text for found in prohibitions(read) if not any(found.action in each for each in parts.warnings)
    ]
    steps = [step for step in parts.steps if step not in warned][:MAX_STEPS]
    return Procedure(
        raised(goal[:1], language) + goal[1:],
        lowered(goal, language),
        tuple(steps),
        tuple(parts.prerequisites),
        (*parts.warnings, *warned),
    )


def _goal(text: str, language: str) -> tuple[str, str, bool] | None:
    """What is to be done, the text after its announcement, and whether a colon or a line announced it."""
    folded, start = flat(text), 0
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" \t#*"))
        for announced in _patterns("goal", language):
            match = announced.match(folded, start + indent)
            if match:
                goal = text[match.start("goal") : match.end("goal")].strip(_EDGES)
                return goal, text[match.end() :], match.group().rstrip(" ").endswith((":", "\n"))
        start += len(line) + 1
    return None


def _parts(rest: str, language: str) -> _Parts:
    """Items by the section that they stand in; a warning beside a step is told from it."""
    found, section = _Parts(), "steps"
    for line in _lines(rest, language):
        item = _ITEM.match(line)
        said = item["said"] if item else line.strip()
        named = _section(said, language)
        if named is not None:
            section, said = named
            if said:
                getattr(found, section).extend(_listed(said) if section == "prerequisites" else [_cut(said)])
            # A section that is said in its own line ends with it.
            section = "steps" if said else section
        elif item and _cut(said):
            getattr(found, "steps" if item["number"] else section).append(_cut(said))
    return found


def _lines(rest: str, language: str) -> Iterator[str]:
    """Lines, with steps and sections that stand within one taken apart."""
    expected = 1
    for line in rest.split("\n"):
        parts, at = [], 0
        for match in _INLINE.finditer(line):
            if int(match[1]) in {expected, expected + 1} or _ITEM.match(line):
                parts.append(line[at : match.start()])
                at = match.end()
                expected = int(match[1])
        for part in [*parts, line[at:]]:
            yield from _by_sentence(part, language)


def _by_sentence(part: str, language: str) -> Iterator[str]:
    """A step, and the warning or condition that follows it as a sentence of its own."""
    at = 0
    for match in re.finditer(r"(?<=[.!;])\s+", part):
        if _section(part[match.end() :], language) is not None:
            yield part[at : match.start()]
            at = match.end()
    yield part[at:]


def _section(said: str, language: str) -> tuple[str, str] | None:
    folded = flat(said)
    for name in ("prerequisites", "warnings", "steps"):
        match = _pattern(name, language).match(folded)
        if match:
            return name, said[match.end() :].strip()
    return None


def _listed(said: str) -> list[str]:
    return [cut for each in re.split(r",\s+(?:and |ve )?|\s+(?:and|ve)\s+", said) if (cut := _cut(each))]


def _in_sequence(rest: str, language: str) -> list[str]:
    """First …, then …, finally …."""
    line = rest.strip().split("\n")[0]
    marks = list(_pattern("sequence", language).finditer(flat(line)))
    if not marks:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(line)]
    steps = [_cut(line[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    before = _cut(line[: marks[0].start()])
    return [step for step in ([before, *steps] if before else steps) if step]


def _cut(said: str) -> str:
    return said.strip(_EDGES)


@cache
def _pattern(key: str, language: str) -> re.Pattern[str]:
    return pattern(tables("procedure")[language][key])


@cache
def _patterns(key: str, language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(pattern(each) for each in tables("procedure")[language][key])
