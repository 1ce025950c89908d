"""What a message shows, or says in a part that somebody plays: nobody's "I" in it is whoever sent it.

A mail that is to be summed up, a draft, the words of a song: who speaks in them is somebody else, and what they say of
themselves must not be taken for the speaker's. A quotation within a sentence stays in it, word for word.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from recollect.language.fences import FENCED
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern

LONGEST: Final = 5_000
"""What leads to it is looked for so far: a longer text is a document."""
_BLOCK: Final = re.compile(
    r'"""[\s\S]*?(?:"""|\Z)|\'\'\'[\s\S]*?(?:\'\'\'|\Z)|^[ \t]{0,3}>[^\n]*', re.MULTILINE
)
# By itself a quotation is no statement; before more words it names something: '"Jaws" is great'.
_ALONE: Final = re.compile(
    r'(?:"[^"]{2,2000}"|“[^”]{2,2000}”)(?=[ \t]*(?:\n|\Z|[.!?])|(?<=[.!?]["”])\s+[^a-z])'
)
_START: Final = re.compile(r"(?:\A|[\n.!?:;,…])[ \t]*(?=\w)")
_BLANKS: Final = " \t\r\n"


def own(text: str) -> str:
    r"""The text with empty lines for what somebody else says in it, as long as before.

    >>> own("Can you proofread this?\n\nI live in Rome.").strip()
    'Can you proofread this?'
    >>> own("Quick update:\n\nI live in Rome.")
    'Quick update:\n\nI live in Rome.'
    """
    read, found = text[:LONGEST], text
    for start, end in _shown(read, flat(read)):
        stop = len(text) if end == len(read) else end
        found = found[:start] + "\n" * (stop - start) + found[stop:]
    return found


def _shown(text: str, folded: str) -> Iterator[tuple[int, int]]:
    """Where what is shown begins and ends."""
    opens, headed, closes = _rules()
    yield from (match.span() for match in _BLOCK.finditer(text))
    yield from _quotations(text)
    opened = (opens.match(folded, start.end()) for start in _START.finditer(folded))
    found = next(filter(None, opened), None)
    # Of what has marks around it, they tell where it ends.
    if found is not None and not _marked(text, found.end()):
        yield found.end(), len(text)
    head = headed.search(folded)
    if head is not None:
        yield head.start(), len(text)
    asked = closes.search(folded)
    if asked is not None:
        yield 0, asked.start()


def _marked(text: str, at: int) -> bool:
    start = at + len(text[at:]) - len(text[at:].lstrip())
    return any(marks.match(text, start) is not None for marks in (_BLOCK, FENCED))


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """Sentences that are wholly quoted, unless nothing else is said."""
    for match in _ALONE.finditer(text):
        start, end = match.span()
        before = text[:start].rstrip(" \t")[-1:]
        begins = not before or before in "\n.!?…"
        if begins and text.strip(_BLANKS + ".!?") != match.group():
            yield start, end


@cache
def _rules() -> tuple[re.Pattern[str], ...]:
    """What leads to a text that follows to the end, how such a text is headed, and what asks for something of one above."""
    return tuple(pattern(_rule(table, key) for table in _tables()) for key in ("opens", "headed", "closes"))


def _tables() -> Iterator[dict[str, Any]]:
    return (table["quoting"] for table in tables("statements").values())


def _rule(table: dict[str, Any], key: str) -> str:
    found = "|".join(f"(?:{one})" for one in table[key])
    for name in ("edits", "texts", "shown"):
        found = found.replace(f"<{name}>", f"(?:{'|'.join(table[name])})")
    return found
