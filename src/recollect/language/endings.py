"""A name with an ending: 's in one language, by the harmony of its vowels in another."""

from typing import Final

from recollect.language.lexicon import tables
from recollect.language.phrases import flat

_PLAIN: Final = "e"


def ended(template: str, name: str, language: str, *, proper: bool = True) -> str:
    """The name in a template of its language; signs in braces are filled in as the name's sound asks.

    `{'}` is an apostrophe after a proper name, `{n}` `{s}` `{y}` stand after a vowel only, `{I}` and `{A}` are the
    vowels that follow the last one, `{D}` is hard after a hard consonant.

    >>> ended("{name}{'}{n}{I}n", "Ada", "tr"), ended("{name}{'}{n}{I}n", "Mehmet", "tr")
    ("Ada'nın", "Mehmet'in")
    >>> ended("{name}{'}{D}{A}n", "Umut", "tr"), ended("{name}'s", "Ada", "en")
    ("Umut'tan", "Ada's")
    """
    table = tables("endings").get(language, {})
    high, low = table.get("high", {}), table.get("low", {})
    letters = [letter for letter in lowered(name, language) if letter.isalpha()]
    vowel = next((letter for letter in reversed(letters) if letter in high), _PLAIN)
    open_end = bool(letters) and (letters[-1] in high or flat(letters[-1]) in {"a", "e", "o"})
    hard = bool(letters) and letters[-1] in table.get("hard", "")
    filled = {
        "{name}": name,
        "{'}": "'" if proper else "",
        "{I}": high.get(vowel, ""),
        "{A}": low.get(vowel, ""),
        "{D}": "t" if hard else "d",
        **{"{" + buffer + "}": buffer if open_end else "" for buffer in "nsy"},
    }
    for sign, instead in filled.items():
        template = template.replace(sign, instead)
    return template


def lowered(text: str, language: str) -> str:
    """Lower case as the language has it.

    >>> lowered("ISPANAK İÇİN", "tr"), lowered("IN", "en")
    ('ıspanak için', 'in')
    """
    great, small = _casing(language)
    return text.translate(str.maketrans(great, small)).lower()


def raised(text: str, language: str) -> str:
    """Upper case as the language has it.

    >>> raised("ispanak", "tr"), raised("in", "en")
    ('İSPANAK', 'IN')
    """
    great, small = _casing(language)
    return text.translate(str.maketrans(small, great)).upper()


def _casing(language: str) -> tuple[str, str]:
    """Letters whose case is the language's own: great and small."""
    casing: dict[str, str] = tables("endings").get(language, {}).get("casing", {})
    return "".join(casing), "".join(casing.values())
