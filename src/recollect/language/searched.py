"""What of a memory is searched by its words: what it says, of which day it is, and what it is called."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.language.names import name_key
from recollect.language.terms import hash_of, term_hashes

_TITLE = "title:"
"""Before a title, so that it is one term, found by nothing but a look-up of that title."""
TITLED = hash_of(_TITLE)
"""A term that every text with a title has: whether there are any is one look-up."""


def searched_terms(text: str, day: datetime, title: str | None = None) -> NDArray[np.uint32]:
    """The hashes of a text's terms and of its day's; of a title, one for the whole of it.

    >>> day = datetime(2023, 5, 8)
    >>> searched_terms("we met", day).tolist() == term_hashes("we met 8 may 2023").tolist()
    True
    """
    dated = term_hashes(f"{text} {day.day} {MONTHS[day.month - 1]} {day.year}")
    if not title:
        return dated
    return np.concatenate([dated, np.array([TITLED, title_term(title)], np.uint32)])


def title_term(title: str) -> int:
    """The hash by which a text with this title is found.

    >>> title_term("The Golden Calf (film)") == title_term("the golden calf")
    True
    """
    return key_term(name_key(title))


def key_term(key: str) -> int:
    """The same of a title of which the `name_key` is known."""
    return hash_of(_TITLE + key)


# As they are written in English, whatever the locale is.
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
