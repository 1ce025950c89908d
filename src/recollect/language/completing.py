"""A change of something that was named in full before: "the deadline for the report is Friday … it was moved to Monday".

Who tells that something changed names it by its noun alone, as both know which one is meant. Without the rest, what is
kept says less than was told, and nobody finds what it replaces.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from recollect.language.lexicon import tables
from recollect.language.phrases import flat
from recollect.language.standing import tells_a_change

LONGEST: Final = 200


def completed(said: str, earlier: Iterable[str], language: str) -> str | None:
    """What was said, with the thing that changed named as in full as it was before; None where that is not sure.

    >>> completed("The deadline was moved to Monday", ["The deadline for the report is Friday"], "en")
    'The deadline for the report was moved to Monday'
    >>> both = ["The deadline for the report is Friday", "The deadline for the talk is Sunday"]
    >>> completed("The deadline was moved to Monday", both, "en") is None
    True
    """
    forms = _forms(language)
    if forms is None or len(said) > LONGEST or not tells_a_change(said):
        return None
    changed, in_full = forms
    match = changed.match(flat(said))
    if match is None:
        return None
    named = re.compile(in_full.replace("{thing}", re.escape(match["thing"])))
    found: dict[str, str] = {}
    for text in earlier:
        for one in named.finditer(flat(text[:LONGEST])):
            found.setdefault(one["rest"], text[slice(*one.span("rest"))])
    if len(found) != 1:
        return None
    [rest] = found.values()
    return f"{said[: match.end('thing')]} {rest}{said[match.end('thing') :]}"


@cache
def _forms(language: str) -> tuple[re.Pattern[str], str] | None:
    """How a change names its thing, and how the thing is named in full; None where a language has no such forms."""
    table = tables("corrections")[language].get("changed")
    return None if table is None else (re.compile(table["thing"]), table["in_full"])
