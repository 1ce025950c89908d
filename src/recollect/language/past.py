"""Whether a question asks for what held before, or how it changed, so that superseded versions are wanted."""

import re
from functools import cache
from typing import Final

from recollect.language.lexicon import fold, tables

# Beyond this it is a document with a question before or after it.
_LONG: Final = 4096


def about_the_past(question: str) -> bool:
    """Whether history or change is asked for; an ordinary question in the past tense is not.

    >>> about_the_past("What did I use before?"), about_the_past("Eskiden nerede otururdum?")
    (True, True)
    >>> about_the_past("Where did we eat yesterday?")
    False
    """
    ends = (question,) if len(question) <= 2 * _LONG else (question[:_LONG], question[-_LONG:])
    return any(_past().search(fold(end)) for end in ends)


@cache
def _past() -> re.Pattern[str]:
    patterns = [pattern for table in tables("past").values() for pattern in table["patterns"]]
    return re.compile(rf"\b(?:{'|'.join(patterns)})(?!\w)")
