"""Whether a query only reads: told from its words alone, before any engine sees it."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.errors import InvalidInput

MOST_CHARACTERS: Final = 20_000
BEGINS: Final = frozenset({"match", "optional", "unwind", "with", "return"})
FORBIDDEN: Final = frozenset(
    (
        *(
            "create",
            "merge",
            "set",
            "delete",
            "detach",
            "remove",
            "drop",
            "alter",
            "insert",
            "update",
            "macro",
        ),
        *("copy", "load", "import", "export", "install", "uninstall", "extension", "attach", "use", "force"),
        *("begin", "commit", "rollback", "checkpoint", "call", "comment", "profile", "explain"),
    )
)
"""Words that begin a clause which writes, reads a file, or changes how queries run."""
QUOTED: Final = r"'(?:\\.|[^'\\])*+'|\"(?:\\.|[^\"\\])*+\"|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/"
"""Strings and comments. Nothing is tried twice: whoever asks may be a stranger, and this runs in the service itself."""
_TOKENS: Final = re.compile(rf"{QUOTED}|`[^`]*+`|(?P<open>['\"`]|/\*)|[.:$]\s*+\w++|\w++|;|\S", re.DOTALL)
# A property, a label or a parameter may be called as it likes; so may what is quoted.
_SKIPPED: Final = ("'", '"', "`", "//", "/*", ".", ":", "$")


def reading_only(query: str) -> str:
    """The query, if it is one and only reads; who asks for more is told so.

    >>> reading_only("MATCH (m:Memory) WHERE m.set = 'CREATE' RETURN m.id;")
    "MATCH (m:Memory) WHERE m.set = 'CREATE' RETURN m.id"
    """
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("the query is empty: write one, such as MATCH (m:Memory) RETURN m.text LIMIT 5")
    if len(query) > MOST_CHARACTERS:
        raise InvalidInput(f"the query has {len(query):,} characters, the most is {MOST_CHARACTERS:,}")
    asked = query.strip().removesuffix(";").rstrip()
    words = [one for one in _tokens(asked) if not one.startswith(_SKIPPED)]
    if ";" in words:
        raise InvalidInput("one query at a time: write it without a semicolon inside")
    plain = [one.lower() for one in words]
    if not plain or plain[0] not in BEGINS:
        begins = ", ".join(word.upper() for word in sorted(BEGINS))
        raise InvalidInput(f"a query here reads: it begins with one of {begins}")
    refused = [one for one in plain if one in FORBIDDEN]
    if refused:
        raise InvalidInput(f"a query here only reads: {refused[0].upper()} is not allowed")
    return asked


def _tokens(query: str) -> Iterator[str]:
    for found in _TOKENS.finditer(query):
        if found["open"] is not None:
            raise InvalidInput(f"what {found['open']} opens at character {found.start() + 1} is not closed")
        yield found[0]
