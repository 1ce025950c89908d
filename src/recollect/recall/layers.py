"""The optional layers of a recall: each can be switched, and is on by default only where that was measured to help.

`docs/evaluation.md` has the figures.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

from recollect.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the read path that can be left out."""

    name: str
    about: str
    on: bool = True


LAYERS = MappingProxyType(
    {
        layer.name: layer
        for layer in (
            Layer("gate", "small talk is not looked up"),
            Layer("focus", "how the answer is to be told, in order or as a summary, is not searched for"),
            Layer("late_interaction", "the question's words are matched one by one, by their own vectors"),
            Layer("context", "a match in a neighbouring turn counts too, for less"),
            Layer("sessions", "how well the session as a whole answers"),
            Layer("own_words", "a short question about the asker prefers what they said themselves"),
            Layer("hop", "what the best hits name is looked up by its title"),
            Layer(
                "shared_names",
                "what has a rare name in common with a best hit, and covers more, is looked up",
            ),
            Layer("period", "a time that the question names prefers what is of that time"),
            Layer(
                "lately",
                "a message that goes on with a conversation prefers what it is about, and what was said lately",
            ),
            Layer(
                "alike",
                "a message, or a request for an order of things, prefers what is like the best hits together",
            ),
            Layer("replies", "among people, what replies to a question among the best hits counts more"),
            Layer(
                "newest",
                "a question of how something stands puts what was said last above what was said before",
            ),
            Layer(
                "outdated",
                "a turn that states what was replaced says so, and stands below what replaced it",
            ),
            Layer("fold", "a turn and what was formed from it take one place among the hits"),
            Layer("history", "a question about what held before brings superseded memories too"),
            Layer("router", "what the question is after decides how the signals are weighed", on=False),
            Layer("parts", "a compound question is also asked in its parts", on=False),
            Layer("expansion", "statements that an answer might look like are searched too", on=False),
            Layer("co_recall", "what came to mind with a better hit before counts a little more", on=False),
            Layer("sub_tiers", "what the user said, and rules, count for a little more", on=False),
            Layer(
                "levels", "a question that names a level, such as strategies, prefers what is of it", on=False
            ),
            Layer(
                "hierarchy",
                "a level that is asked for is told by the place in a curved space, and not by the depth alone",
                on=False,
            ),
            Layer("diversity", "what repeats a better hit stands back", on=False),
            Layer("cascade", "edges, tags and clusters of the best hits lead on, two steps far", on=False),
            Layer("pagerank", "a walk over what the best hits name brings what names the same", on=False),
            Layer("hub", "whatever mentions who or what the question names is weighed too", on=False),
            Layer("gnn", "scores that are close are told apart by what neighbours say", on=False),
        )
    }
)


def active(switched: Iterable[str]) -> frozenset[str]:
    """The layers that are on, after some were switched to the other side."""
    chosen = set(switched)
    unknown = chosen - LAYERS.keys()
    if unknown:
        raise InvalidInput(f"no layer {', '.join(sorted(unknown))}; there are: {', '.join(LAYERS)}")
    return frozenset(name for name, layer in LAYERS.items() if layer.on != (name in chosen))
