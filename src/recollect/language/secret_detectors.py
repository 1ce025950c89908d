"""Every detector of secrets, and which of them are worth trying on a text: for a plain sentence, none."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, Protocol

from recollect.language.secret_context import CONTEXT
from recollect.language.secret_formats import formats
from recollect.language.secret_plugins import PLUGINS
from recollect.language.secret_protocols import PROTOCOLS
from recollect.language.secret_rules import DIGIT_RUN, LONG_RUN, Span, fold

_SHAPES: Final = (
    (LONG_RUN, re.compile(r"[A-Za-z0-9+/_=-]{24}")),
    (DIGIT_RUN, re.compile(r"[0-9][0-9 -]{12}")),
)
_ESCAPED_SPACE: Final = re.compile(r"\\[nrt]")
# From the rarest in prose to the most common; capitals and other signs are rarer still.
_BY_RARITY: Final = ".-qxzjkvbpygwfmucldrhsnioate "


class Detector(Protocol):
    """Anything that finds secrets of one kind."""

    @property
    def kind(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def triggers(self) -> tuple[str, ...]: ...
    def spans(self, text: str, folded: str) -> Iterator[Span]: ...


class Secret(NamedTuple):
    """Where in a text a secret is, and what found it; the lower the rank, the surer."""

    start: int
    end: int
    rank: int
    kind: str
    reason: str


class _Trigger(NamedTuple):
    text: str
    ranks: tuple[int, ...]


class _Table(NamedTuple):
    detectors: tuple[Detector, ...]
    folded: dict[str, list[_Trigger]]
    exact: dict[str, list[_Trigger]]
    shapes: tuple[tuple[re.Pattern[str], tuple[int, ...]], ...]


def worth_trying(text: str) -> list[tuple[int, Detector]]:
    """Detectors of which the text has a trigger, with their rank: the surest first."""
    table = _table()
    folded = fold(text)
    ranks: set[int] = set()
    for haystack, by_character in ((folded, table.folded), (text, table.exact)):
        for character, triggers in by_character.items():
            if character in haystack:
                for trigger, those in triggers:
                    if trigger in haystack:
                        ranks.update(those)
    for pattern, those in table.shapes:
        if pattern.search(text):
            ranks.update(those)
    return [(rank, table.detectors[rank]) for rank in sorted(ranks)]


def secrets_in(text: str, detectors: list[tuple[int, Detector]]) -> list[Secret]:
    """Secrets of a text in order; those that overlap are one, named by the surest detector."""
    # Line ends that were escaped, as in JSON inside a log, must not stick to the word after them.
    unescaped = _ESCAPED_SPACE.sub(" \n", text)
    folded = fold(unescaped)
    found = sorted(
        Secret(start, end, rank, detector.kind, detector.reason)
        for rank, detector in detectors
        for start, end in detector.spans(unescaped, folded)
        if end > start
    )
    apart: list[Secret] = []
    for secret in found:
        if apart and secret.start < apart[-1].end:
            surest = min(apart[-1], secret, key=lambda one: one.rank)
            apart[-1] = surest._replace(start=apart[-1].start, end=max(apart[-1].end, secret.end))
        else:
            apart.append(secret)
    return apart


@cache
def _table() -> _Table:
    detectors: tuple[Detector, ...] = (*formats(), *PLUGINS, *PROTOCOLS, *CONTEXT)
    ranks: dict[str, list[int]] = {}
    for rank, detector in enumerate(detectors):
        for trigger in detector.triggers:
            ranks.setdefault(trigger, []).append(rank)
    shapes = tuple((pattern, tuple(ranks.pop(sign))) for sign, pattern in _SHAPES)
    folded: dict[str, list[_Trigger]] = {}
    exact: dict[str, list[_Trigger]] = {}
    for trigger, those in ranks.items():
        table = folded if trigger == trigger.lower() else exact
        table.setdefault(min(trigger, key=_BY_RARITY.find), []).append(_Trigger(trigger, tuple(those)))
    return _Table(detectors, folded, exact, shapes)
