"""Texts in parts: a situation is a goal, what was done, what is seen, and each part has its own weight in it."""

from collections.abc import Sequence

SEPARATOR = "\x1f"
"""The unit separator of ASCII: no one writes it, so that no other text is in parts."""


def in_parts(parts: Sequence[str]) -> str:
    """One text of several; an empty part is left out.

    >>> in_parts(["fix the build", "", "tests fail"]).split(SEPARATOR)
    ['fix the build', 'tests fail']
    """
    return SEPARATOR.join(part for part in (part.replace(SEPARATOR, " ").strip() for part in parts) if part)


def parts_of(text: str) -> list[str]:
    """The parts of a text, which is mostly one.

    >>> parts_of("tests fail")
    ['tests fail']
    """
    return [part for part in text.split(SEPARATOR) if part.strip()] or [text]


def readable(text: str) -> str:
    """A text in parts as a person reads it.

    >>> readable(in_parts(["fix the build", "tests fail"]))
    'fix the build | tests fail'
    """
    return " | ".join(text.split(SEPARATOR))
