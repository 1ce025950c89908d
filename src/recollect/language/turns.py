"""Whether somebody goes on with a conversation, or asks for something in it."""

from typing import Final

from recollect.language.first_person import first_person
from recollect.language.sentences import sentences

_OPENING: Final = 2_000


def goes_on(text: str) -> bool:
    """Whether it says something, and does not only ask: who does goes on with what was talked about lately.

    A single line in which nobody speaks of themself is a search, not a message.

    >>> goes_on("I am ready for the next level. What is the plan for today?")
    True
    >>> goes_on("What is the plan for today?"), goes_on("plan for today")
    (False, False)
    """
    said = sentences(text[:_OPENING])
    return not all(one.asks for one in said) and (len(said) > 1 or first_person(text[:_OPENING]))
