"""What somebody is called who is known by a role alone."""

from typing import Final

from recollect.language.lexicon import tables

_ASKING: Final = frozenset({"user", "human"})
_USER: Final = "user"


def is_user(role: str) -> bool:
    """Whether it is the person whose memory this is.

    >>> is_user("user"), is_user("assistant")
    (True, False)
    """
    return role.lower() in _ASKING


def called(role: str, language: str) -> str:
    """The name of a role in a language; of one that has none, the role itself.

    >>> called("assistant", "en"), called("assistant", "tr"), called("planner", "en")
    ('The assistant', 'Asistan', 'Planner')
    """
    known = tables("roles")[language]
    name = _USER if is_user(role) else role.lower()
    return str(known.get(name, role[:1].upper() + role[1:80]))
