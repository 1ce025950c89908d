"""What is said to be kind or to keep a talk going, and tells nothing that would be worth knowing later."""

import re
from functools import cache

from recollect.language.clauses import grammar
from recollect.language.phrases import flat, patterns
from recollect.language.verbs import BASE, NONE, PAST, verbs


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


def guessed(text: str, language: str) -> bool:
    """Whether somebody says of another what they do not know.

    >>> guessed("You must be tired", "en"), guessed("You are tired", "en")
    (True, False)
    """
    return _rule("guess", language).match(flat(text)) is not None


def of_itself(text: str, language: str) -> bool:
    """Whether it tells how a speaker is or lives; not what they did or will do, nor what concerns the listener.

    >>> [of_itself(one, "en") for one in ("I live in Zurich", "My wife is a pilot", "I booked it", "I have your bag")]
    [True, True, False, False]
    """
    folded = flat(text)
    found = _rule("of_itself", language).match(folded)
    if found is None:
        return False
    said = found["verbs"]
    if _rule("listener", language).search(folded, found.end() if said is None else found.start("verbs")):
        return False
    if said is None:
        return True
    words = [word for word in said.split() if word not in grammar(language)["adverbs"]]
    known = verbs(language)
    first, second = (known.forms.get(word, NONE) for word in (*words, "", "")[:2])
    perfect = words[:1] == ["have"] and (PAST in second or re.match(r"been|\w+ed$", "".join(words[1:2])))
    return BASE in first and PAST not in first and not perfect


@cache
def _rule(key: str, language: str) -> re.Pattern[str]:
    return patterns("courtesy", key)[language]
