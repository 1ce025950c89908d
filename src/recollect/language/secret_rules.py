"""What a rule for finding secrets is, and how random a string looks."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

Span = tuple[int, int]

# Signs that are a shape, not a substring.
LONG_RUN: Final = "<long-run>"
DIGIT_RUN: Final = "<digit-run>"

_CHARACTER_CLASS: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_=-.",
    "a" * 26 + "A" * 26 + "0" * 10 + "-" * 6,
)


def secret_group(match: re.Match[str]) -> Span | None:
    """Span of the group named secret, or of the whole match in a pattern without one."""
    return match.span("secret") if "secret" in match.re.groupindex else match.span()


@dataclass(frozen=True)
class Rule:
    """One way to recognise a secret.

    It is tried only on a text that has one of its triggers: a lower-case trigger in any case, one with a
    capital as it is written. `locate` says where in a match the secret is, or that it is none. A pattern may
    name the part before the secret `head`; the search goes on from there when the match is none. A rule with a
    `reach` looks only at so many characters around its triggers, which must then be in lower case.
    Patterns must be linear: bounded or possessive repeats, nothing that can start again inside its own run.
    """

    kind: str
    reason: str
    triggers: tuple[str, ...]
    pattern: str
    locate: Callable[[re.Match[str]], Span | None] = secret_group
    flags: int = 0
    reach: int | None = None

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    def spans(self, text: str, folded: str) -> Iterator[Span]:
        """Where the secrets of a text are; `folded` is its `fold`."""
        done = 0
        for start, end in windows(folded, self.triggers, self.reach):
            at = max(start, done)
            while match := self.regex.search(text, at, end):
                span = self.locate(match)
                if span is None:
                    at = match.end("head") if "head" in self.regex.groupindex else match.end()
                else:
                    yield span
                    at = done = span[1]
                at = max(at, match.start() + 1)


def fold(text: str) -> str:
    """Lower case, character for character: the Turkish dotted capital is the only one that would become two.

    >>> fold("ŞİFRE")
    'şifre'
    """
    return text.replace("\u0130", "i").lower()


def windows(folded: str, triggers: tuple[str, ...], reach: int | None) -> list[Span]:
    """Parts of a text within reach of a trigger, those that touch made one.

    >>> windows("a" * 1000 + "token" + "a" * 5000 + "token", ("token",), reach=500)
    [(500, 1500), (5505, 6010)]
    """
    if reach is None or len(folded) <= 2 * reach:
        return [(0, len(folded))]
    hits = sorted(hit for trigger in triggers for hit in _occurrences(folded, trigger))
    parts: list[Span] = []
    for hit in hits:
        start, end = max(hit - reach, 0), min(hit + reach, len(folded))
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return parts


def _occurrences(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def entropy(text: str) -> float:
    """Shannon entropy in bits a character.

    >>> entropy("aabb")
    1.0
    """
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


def class_changes(text: str) -> float:
    """Share of neighbours of another kind (lower, upper, digit, sign): about 0.45 in base64, 0.2 in camelCase.

    A capital and the small letter after it count as one kind, for so do words begin.

    >>> class_changes("aB3d"), class_changes("CamelCase")
    (1.0, 0.125)
    """
    classes = text.translate(_CHARACTER_CLASS)
    changes = sum(one != other and one + other != "Aa" for one, other in pairwise(classes))
    return changes / max(len(text) - 1, 1)
