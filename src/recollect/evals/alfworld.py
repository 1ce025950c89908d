"""The household benchmark's memory: a blank agent plays, and all that it knows comes from the engine."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from recollect.engine import Recollect
from recollect.learn.run import Run
from recollect.testing import HashEmbedder

ROLES = frozenset({"OBJ", "TARGET", "to", "from", "with"})
"""The words of an action that say which part a thing has; all others name things."""
OPTIONS = "RECOLLECT_ALFWORLD"
"""The variable that has settings for the engine, such as `learning.trim=off embedder.kind=minilm`."""


class Household:
    """What the benchmark asks of a memory, by the engine's own verbs."""

    def __init__(self, memory: Recollect, folder: tempfile.TemporaryDirectory[str]) -> None:
        self.memory, self.folder = memory, folder

    def start(self, goal: str, task_type: str) -> Run:
        """A new episode."""
        return self.memory.episode(goal, task_type=task_type)

    def advise(self, run: Run, state: str, k: int) -> list[tuple[str, float]]:
        """What was done in similar states, and how much it counts."""
        return [(one.action, one.weight) for one in run.decide(parts(state), k=k).precedents]

    def value(self, run: Run, state: str, actions: Iterable[str]) -> dict[str, float]:
        """What each action promises, over what they promise on average."""
        return run.promises(parts(state), {action: action_type(action) for action in actions})

    def acted(self, run: Run, state: str, action: str, command: str, possible: Iterable[str]) -> None:
        """One step."""
        run.step(
            action,
            state=parts(state),
            action_type=action_type(action),
            command=command,
            possible=possible,
            touches="OBJ" in action,
        )

    def finish(self, run: Run, won: bool, expert: bool = False) -> None:  # noqa: ARG002 - an expert's win is a win
        """The outcome."""
        run.finish(bool(won))

    def close(self) -> None:
        """Closes the store and removes its folder."""
        self.memory.close()
        self.folder.cleanup()


def build(seed: int) -> Household:
    """What the benchmark's own command line asks for; `RECOLLECT_ALFWORLD` may hold settings."""
    return opened(seed, dict(one.partition("=")[::2] for one in os.environ.get(OPTIONS, "").split()))


def opened(seed: int, settings: Mapping[str, str]) -> Household:
    """A fresh memory on SQLite, in a folder that goes with it; by hashed words, unless a setting names an embedder."""
    named = any(name.startswith("embedder.") for name in settings)
    folder = tempfile.TemporaryDirectory(prefix="recollect-alfworld-")
    memory = Recollect(
        Path(folder.name) / f"{seed}.db",
        user="player",
        channel="_global",
        embedder=None if named else HashEmbedder(),
        settings=dict(settings),
    )
    return Household(memory, folder)


def parts(state: str) -> list[str]:
    """The state from the general to the particular: goal, what was done, the goal's nouns, what is seen."""
    goal, nouns, done, seen = state.split(" | ")
    return [goal, done, nouns, seen]


def action_type(action: str) -> str:
    """The action without the names of things.

    >>> action_type("take OBJ from shelf")
    'take OBJ from X'
    """
    verb, *rest = action.split()
    return " ".join([verb, *(word if word in ROLES else "X" for word in rest)])
