"""Names that the data files know: what kind of thing each is, and which name it has by any spelling."""

from functools import cache
from typing import Final, Literal, NamedTuple

from recollect.language.lexicon import tables
from recollect.language.phrases import flat

KINDS: Final = ("tech", "org", "product", "place")
LONGEST_NAME_TOKENS: Final = 4
Gender = Literal["f", "m", "either"]


class Known(NamedTuple):
    """A name of the lexicon, as its id is made from it."""

    kind: str
    name: str


@cache
def lexicon() -> dict[str, Known]:
    """Every spelling, folded, to the name that it stands for; the first file and kind to claim it has it.

    >>> lexicon()["k8s"]
    Known(kind='tech', name='Kubernetes')
    >>> lexicon()["lizbon"]
    Known(kind='place', name='Lisbon')
    """
    found: dict[str, Known] = {}
    for table in tables("entities").values():
        for kind in KINDS:
            for name, spellings in table.get(kind, {}).items():
                known = found.get(flat(name), Known(kind, name))
                for spelling in (name, *spellings):
                    found.setdefault(" ".join(flat(spelling).replace("-", " ").split()), known)
    return found


@cache
def starts() -> dict[str, int]:
    """How many tokens the longest known name that starts with a token has.

    >>> starts()["new"], starts()["lisbon"]
    (3, 1)
    """
    longest: dict[str, int] = {}
    for spelling in lexicon():
        first, *others = spelling.split()
        longest[first] = min(max(longest.get(first, 0), 1 + len(others)), LONGEST_NAME_TOKENS)
    return longest


@cache
def given_names() -> dict[str, Gender]:
    """Given names, folded, with whom they are given to.

    >>> given_names()["zeynep"]
    'f'
    """
    genders: tuple[Gender, ...] = ("either", "f", "m")
    found: dict[str, Gender] = {}
    for table in tables("entities").values():
        for gender in genders:
            for name in table.get("given_names", {}).get(gender, ()):
                found[name] = gender if found.get(name, gender) == gender else "either"
    return found


@cache
def words(key: str) -> frozenset[str]:
    """Every language's folded words under a key: `ambiguous`, `common`, `endings`."""
    return frozenset(flat(word) for table in tables("entities").values() for word in table.get(key, ()))


def stem(token: str, language: str) -> str:
    """The token without an ending that the language puts after names, where what is left is a known name.

    >>> stem("ankaraya", "tr"), stem("romanya", "tr"), stem("ankaraya", "en")
    ('ankara', 'romanya', 'ankaraya')
    """
    if token in lexicon() or token in given_names():
        return token
    for ending in tables("entities").get(language, {}).get("endings", ()):
        rest = token.removesuffix(ending)
        if rest != token and len(rest) >= 4 and (rest in lexicon() or rest in given_names()):
            return rest
    return token
