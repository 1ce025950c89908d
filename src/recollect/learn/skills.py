"""Skills: sequences of actions that brought about several successes, with what differed between them as parameters."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from recollect.learn.marks import mark
from recollect.learn.values import Skill

TOKEN = re.compile(r"\S+")
Example = tuple[str, tuple[str, ...]]
"""The goal of an episode, and the actions that its success needed."""


def shape_of(action_types: Sequence[str]) -> int:
    """The number of a sequence of types: episodes of one shape did the same in the same order."""
    return mark("\x1f".join(action_types))


def generalised(examples: Sequence[Example]) -> Skill:
    """What the examples have in common, and a parameter for each thing in which they differ.

    A parameter stands for the same thing wherever it differs in the same way, in the goal too.

    >>> one = ("clean the cup", ("take cup from desk", "clean cup"))
    >>> other = ("clean the fork", ("take fork from shelf", "clean fork"))
    >>> skill = generalised([one, other])
    >>> skill.goal, skill.steps
    ('clean the {1}', ('take {1} from {2}', 'clean {1}'))
    >>> dict(skill.parameters)
    {'1': ('cup', 'fork'), '2': ('desk', 'shelf')}
    """
    names: dict[tuple[str, ...], str] = {}

    def common(texts: Sequence[str]) -> str:
        return " ".join(
            words[0] if len(set(words)) == 1 else "{" + names.setdefault(words, str(len(names) + 1)) + "}"
            for words in _aligned(texts)
        )

    goal = common([goal for goal, _ in examples])
    steps = tuple(common(actions) for actions in zip(*(actions for _, actions in examples), strict=True))
    return Skill("", goal, steps, {name: tuple(dict.fromkeys(values)) for values, name in names.items()})


def _aligned(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The words of texts, side by side; of texts that differ in length, what stands between a common begin and end."""
    split = [TOKEN.findall(text) for text in texts]
    if len({len(words) for words in split}) == 1:
        return list(zip(*split, strict=True))
    head = _shared(split)
    shortest = min(len(words) for words in split)
    tail = min(_shared([words[::-1] for words in split]), shortest - head)
    middle = tuple(" ".join(words[head : len(words) - tail]) for words in split)
    ending = list(zip(*(words[len(words) - tail :] for words in split), strict=True)) if tail else []
    return [*zip(*(words[:head] for words in split), strict=True), middle, *ending]


def _shared(split: Sequence[Sequence[str]]) -> int:
    count = 0
    for words in zip_longest(*split):
        if len(set(words)) > 1:
            break
        count += 1
    return count


def told(skill: Skill) -> str:
    """The skill as a text that is found by what it is for, and read as what to do."""
    return f"How to {skill.goal}: " + "; ".join(
        f"{number}. {step}" for number, step in enumerate(skill.steps, 1)
    )
