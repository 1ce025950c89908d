"""Words, patterns and templates of each language, kept as data: `data/<language>/<topic>.toml`.

A further language is a further folder; no code names one.
"""

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

_FOLDED: Final = str.maketrans({"ı": "i", "’": "'", "ʼ": "'", "＇": "'", "ß": "ss"})


def fold(text: str) -> str:
    """Lower case without accents, the same for İ, I, ı and i: what patterns are written in and matched on.

    >>> fold("Geçen HAFTA İstanbul'da ISINDI")
    "gecen hafta istanbul'da isindi"
    """
    if text.isascii():
        return text.lower()
    # Some signs have capitals inside: ℠ is SM, ℃ is °C.
    apart = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return "".join(c for c in apart if not unicodedata.combining(c)).translate(_FOLDED)


@cache
def languages() -> tuple[str, ...]:
    """Every language that there is data for, in alphabetical order.

    >>> languages()
    ('en', 'tr')
    """
    return tuple(sorted(entry.name for entry in _DATA.iterdir() if entry.is_dir()))


@cache
def tables(topic: str) -> Mapping[str, Mapping[str, Any]]:
    """What each language says about a topic: language → the table of its file."""
    found = {language: _DATA / language / f"{topic}.toml" for language in languages()}
    return MappingProxyType(
        {name: tomllib.loads(file.read_text("utf-8")) for name, file in found.items() if file.is_file()}
    )


_DATA: Final = files("recollect.language") / "data"
