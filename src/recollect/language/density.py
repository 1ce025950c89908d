"""How much a message tells: entities, facts, times and corrections, counted once each."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from recollect.language.category import signals
from recollect.language.entities import Entity, entities
from recollect.language.lexicon import tables
from recollect.language.period_grammar import points
from recollect.language.phrases import flat, patterns
from recollect.language.statements import Statement, statements
from recollect.language.tongue import tongue

LEAST_DENSITY: Final = 2

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_READ_CHARACTERS: Final = 5000


@dataclass(frozen=True, slots=True)
class Density:
    """What was counted; a message below 2 in all is not worth forming memories from."""

    entities: int
    facts: int
    times: int
    corrections: int

    @property
    def total(self) -> int:
        """All of it: unique entities, facts, temporal signals and correction signals."""
        return self.entities + self.facts + self.times + self.corrections

    @property
    def informative(self) -> bool:
        """Whether there is enough to remember."""
        return self.total >= LEAST_DENSITY


def density(
    text: str, said: Sequence[Statement] | None = None, named: Collection[Entity] | None = None
) -> Density:
    """The density of a message; `said` and `named` spare finding its statements and entities again.

    A statement is a fact by its subject, and another one where it also says something concrete of it.

    >>> density("I prefer tea").total, density("Sounds good, let me think about that").total
    (2, 0)
    >>> density("Dün Lizbon'a taşındım").informative, density("Tamam, olur").informative
    (True, False)
    """
    read = text[:_READ_CHARACTERS]
    folded = flat(read)
    found = statements(read) if said is None else said
    unique = {flat(statement.text): statement for statement in found}.values()
    known = entities(read) if named is None else named
    return Density(
        entities=len({entity.id for entity in known}),
        facts=sum(_facts(statement) for statement in unique),
        times=_times(unique, folded, tongue(read)),
        corrections=len(signals(read, "correction")),
    )


def informative(said: Statement) -> bool:
    """Whether one statement tells enough to be remembered; what it says is counted before what it names.

    >>> from recollect.language.statements import statements
    >>> [informative(one) for text in ("I prefer tea", "I do too") for one in statements(text)]
    [True, False]
    """
    return _facts(said) >= LEAST_DENSITY or density(said.text, [said]).informative


def noted(text: str, language: str) -> bool:
    """Whether it names a day or an hour, and something concrete beside that, as a note does.

    >>> [noted(one, "en") for one in ("Dinner with Tom on Friday", "Tuesdays and Sundays", "Maybe in 2027")]
    [True, False, False]
    """
    plain = flat(text)
    found = points(plain, text)
    left = list(plain)
    for point in found:
        left[point.start : point.end] = " " * (point.end - point.start)
    vague = _vague(language) | frozenset(tables("density")[language]["unnoted"])
    words = (word for word in _WORD.findall("".join(left)) if not word.isdigit())
    return bool(found) and any(len(word) > 1 and word not in vague for word in words)


def _facts(statement: Statement) -> int:
    """Two where two concrete words meet, one where there is one; what asks or points elsewhere is half a fact."""
    vague = _vague(statement.language)
    concrete = {word for word in _WORD.findall(flat(statement.text)) if len(word) > 1 and word not in vague}
    most = 1 if statement.dangling or statement.kind == "request" else 2
    return min(len(concrete), most)


def _times(said: Collection[Statement], folded: str, language: str) -> int:
    """Dates in what is stated, and words of time beside them."""
    dates: set[str] = set()
    for statement in said:
        plain = flat(statement.text)
        dates |= {plain[point.start : point.end] for point in points(plain, statement.text)}
    words = {match.group() for match in patterns("density", "temporal")[language].finditer(folded)}
    return len(dates) + sum(not any(word in date for date in dates) for word in words)


@cache
def _vague(language: str) -> frozenset[str]:
    return frozenset([*tables("density")[language]["vague"], *tables("tongue")[language]["words"]])
