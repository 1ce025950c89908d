"""Phrases of the data files as patterns, and texts in the form in which they match them."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from recollect.language.lexicon import fold, tables


class _Letters(dict[int, str]):
    """Each letter's folded form where that is one letter too, found when it is first asked for."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        # Twice, for letters that are cased only once they are plain (𝓐 → A → a).
        folded = fold(fold(letter))[:1] or letter
        self[code] = folded
        return folded


_LETTERS: Final = _Letters()
# What is escaped or in a class of letters stays as it is written.
_SPACE: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]| \??", re.DOTALL)


def flat(text: str) -> str:
    """The text as patterns are written, letter for letter: a place in one is the same place in the other.

    >>> flat("İstanbul’da ISINDI")
    "istanbul'da isindi"
    """
    return text.lower() if text.isascii() else text.translate(_LETTERS)


def either(words: Iterable[str]) -> str:
    """A group that matches any of the words, the longest first, with any run of spaces between their parts.

    >>> re.sub(either(["new", "new york"]), "_", "new  york, new")
    '_, _'
    """
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s{1,9}") for word in longest_first) + ")"


def pattern(expressions: str | Iterable[str]) -> re.Pattern[str]:
    """One pattern of one or several expressions; a space in them stands for a run of spaces, ` ?` for none too.

    >>> bool(pattern(["no more", "not any"]).search("not   any tea")), bool(pattern("a ?b").search("ab"))
    (True, True)
    """
    parts = [expressions] if isinstance(expressions, str) else list(expressions)
    joined = "|".join(f"(?:{part})" for part in parts) or r"(?!)"
    return re.compile(_SPACE.sub(_run_of_spaces, joined))


def _run_of_spaces(found: re.Match[str]) -> str:
    return {" ": r"\s{1,9}", " ?": r"\s{0,9}"}.get(found.group(), found.group())


@cache
def patterns(topic: str, key: str) -> Mapping[str, re.Pattern[str]]:
    """What the languages that have it write under a key of a topic, as patterns on flat text."""
    return MappingProxyType(
        {name: pattern(table[key]) for name, table in tables(topic).items() if key in table}
    )


@cache
def anywhere(topic: str, key: str) -> re.Pattern[str]:
    """The same, whatever the language of the text."""
    return pattern(
        expression for table in tables(topic).values() for expression in _listed(table.get(key, ()))
    )


def _listed(value: Any) -> Iterable[str]:
    return [value] if isinstance(value, str) else value
