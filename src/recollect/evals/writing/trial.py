"""A store with formation switched on, for one trial."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from recollect.engine import Recollect
from recollect.evals.measuring import DIGITS
from recollect.evals.stores import CHANNEL, FILE, USER, Moving
from recollect.model import Action, Filter, Lane
from recollect.ports import Embedder

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


def share(part: int, whole: int) -> float | None:
    """A part of a whole; None where there is nothing."""
    return round(part / whole, DIGITS) if whole else None
