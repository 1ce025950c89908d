"""What callers give: a call that would mean something else than was meant is refused, and says what was expected.

Each rule is the sentence that tells it, such as "k is a whole number from 1 on".
"""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Final

from recollect.errors import InvalidInput

IDS: Final = "memories are named by their ids"


def sound(value: object) -> float | None:
    """The number that a value is; None where it is none that can be counted with.

    >>> sound(2), sound("2"), sound(float("nan")), sound(10**400)
    (2.0, None, None, None)
    """
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def number(rule: str, value: object, *, low: float = -math.inf, high: float = math.inf) -> float:
    """A number that is finite and within limits."""
    known = sound(value)
    if known is None or not low <= known <= high:
        raise _not_so(rule, value)
    return known


def count(rule: str, value: object, *, low: int = 1, high: float = math.inf) -> int:
    """A whole number within limits."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= int(value) <= high:
        raise _not_so(rule, value)
    return int(value)


def answer(rule: str, value: object) -> bool:
    """True or False: every other value is taken for one of them by somebody."""
    if not isinstance(value, bool):
        raise _not_so(rule, value)
    return value


def text(rule: str, value: object) -> str:
    """A text, which may be empty."""
    if not isinstance(value, str):
        raise _not_so(rule, value)
    return value


def name(rule: str, value: object) -> str:
    """A text that says something: what somebody or something is called."""
    if not text(rule, value).strip():
        raise InvalidInput(f"{rule}, not empty")
    return str(value)


def label(rule: str, value: object) -> str | None:
    """The same where a caller may have none, or an empty one."""
    return None if value is None else text(rule, value) or None


def texts(rule: str, value: object) -> list[str]:
    """Texts, or one by itself."""
    several = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    known = [one for one in several if isinstance(one, str)]
    if len(known) < len(several):
        raise _not_so(rule, value)
    return known


def _not_so(rule: str, value: object) -> InvalidInput:
    return InvalidInput(f"{rule}, not {value!r:.80}")
