"""What is said to be kind or to keep a talk going, and tells nothing that would be worth knowing later."""

from functools import cache
from re import Pattern

from recollect.language.phrases import flat, patterns


def courteous(text: str, language: str, *, helper: bool = False) -> bool:
    """Whether it is a mere reaction; of a helper also whether it offers help or speaks of their own feelings.

    >>> courteous("That sounds great", "en"), courteous("That sounds like my sister", "en")
    (True, False)
    >>> courteous("I'm glad it helps", "en", helper=True), courteous("I booked the flight", "en", helper=True)
    (True, False)
    >>> courteous("Buna çok sevindim", "tr", helper=True)
    True
    """
    folded = flat(text.strip(" .,;:!…"))
    if _rule("anyone", language).match(folded) is not None:
        return True
    return helper and _rule("helper", language).match(folded) is not None


@cache
def _rule(key: str, language: str) -> Pattern[str]:
    return patterns("courtesy", key)[language]
