"""A store with formation switched on, for one trial."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from recollect.engine import Recollect
from recollect.evals.measuring import DIGITS
from recollect.evals.sets.files import document, documents, shaped
from recollect.evals.stores import CHANNEL, FILE, USER, Moving
from recollect.language.injection import attack, attack_meant, cleared_of
from recollect.language.stance import serves
from recollect.model import Action, Filter, Lane
from recollect.ports import Embedder, guard_of

MEMORIES: Final = Filter(lanes=(Lane.MEMORY,), any_session=True)
KEPT: Final = frozenset({Action.CREATE, Action.UPDATE, Action.SUPERSEDE, Action.REINFORCE})


def opened(folder: Path, embedder: Embedder, clock: Moving) -> Recollect:
    """The trial's store, as it is now."""
    settings = {"formation.enabled": True}
    return Recollect(
        folder / FILE, user=USER, channel=CHANNEL, embedder=embedder, clock=clock, settings=settings
    )


@contextmanager
def trial(embedder: Embedder, clock: Moving) -> Iterator[Recollect]:
    """A new store that is gone afterwards."""
    with TemporaryDirectory() as folder, opened(Path(folder), embedder, clock) as memory:
        yield memory


def taken_for_attacks(texts: Sequence[str], embedder: Embedder, *, given: bool = True) -> list[bool]:
    """Whether each text is held back, as where it is observed: by its vector too where the embedder's are judged.

    Attacks come in what is given, by a page or a tool; `given` off, a person says it.
    """
    if not texts or not serves(embedder.name):
        return [attack(text) is not None for text in texts]
    vectors, guard = embedder.embed(texts), guard_of(embedder)
    look = None if guard is None else guard.vectors
    return [
        attack_meant(text, vector, given=given, guard=look, cleared=bool(look and cleared_of(text, look)))
        is not None
        for text, vector in zip(texts, vectors, strict=True)
    ]


def share(part: int, whole: int) -> float | None:
    """A part of a whole; None where there is nothing."""
    return round(part / whole, DIGITS) if whole else None


def written_by_people(path: Path) -> list[str]:
    """What the users of RealMem wrote, message by message."""
    found: list[str] = []
    for file in documents(path):
        with shaped(file, "a RealMem file"):
            for dialogue in document(file)["dialogues"]:
                turns = dialogue["dialogue_turns"]
                found += [turn["content"] for turn in turns if turn["speaker"].lower() == "user"]
    return found
