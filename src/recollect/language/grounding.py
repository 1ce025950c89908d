"""Whether a text says only what others say: each name and number of it must stand in them."""

import re
from typing import Final

from recollect.language.differences import names, numbers
from recollect.language.entities import entities
from recollect.language.lexicon import fold

_DATE: Final = re.compile(r"\b\d{4}-\d\d(?:-\d\d)?(?:T[\d:]+)?\b")
_BEGINNING: Final = re.compile(r"(?:^|(?<=[.!?…:]\s))\W*\w+")
_ROLES: Final = frozenset({"user", "assistant", "kullanici", "asistan"})


def ungrounded(text: str, said: str, *, days: bool = False) -> tuple[str, ...]:
    """The names and numbers of a text that nobody said; days may be written out and count only if asked for.

    >>> ungrounded("Ada moves to Porto on 2026-03-03 with 3 cats", "I'm Ada, I move to porto tomorrow")
    ('3',)
    """
    stated, source = text if days else _DATE.sub(" ", text), fold(said)
    invented = {number for number in numbers(stated) - numbers(said) if number not in source}
    # A capital at the beginning makes no name of a word, unless it is known as one.
    known = {fold(one.name) for one in entities(stated)}
    within = names(_BEGINNING.sub(" ", stated)) | {name for name in names(stated) if name in known}
    invented |= {name for name in within if name not in source and name not in _ROLES}
    return tuple(sorted(invented))
