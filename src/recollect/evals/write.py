"""What the write path forms, on every part of the data that is there, as one flat object of figures.

Through the engine itself, with `formation.enabled`; `recollect.evals.writing` has a module for each kind of data, which
says what its figures mean.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from recollect.errors import InvalidInput
from recollect.evals.measuring import Watch, unwatched
from recollect.evals.writing import (
    changes,
    consolidation,
    fuzz,
    guards,
    injections,
    pairs,
    personas,
    realmem,
    repeats,
    speed,
)
from recollect.ports import Embedder

Measure = Callable[[Path, Embedder, int | None, Watch], dict[str, Any]]


class Part(NamedTuple):
    """Something to measure, and where its data lies in the folder; without a place it needs none."""

    name: str
    place: str | None
    measure: Measure


PARTS: Final[tuple[Part, ...]] = (
    Part("consolidation", "fact_consolidation.json", consolidation.measure),
    Part("repeats", "fact_consolidation.json", repeats.measure),
    Part("pairs", "pairs", pairs.measure),
    Part("personas", "msc", personas.measure),
    Part("turkish", "turkish/stsb_tr", pairs.measure_turkish),
    Part("guards", "realmem", guards.measure),
    Part("injection", "injection", injections.measure),
    Part("speed", "realmem", speed.measure),
    Part("realmem", "realmem", realmem.measure),
    Part("changes", "beam-100k", changes.measure),
    Part("fuzz", None, fuzz.measure),
)


def write(
    data: Path, embedder: Embedder, limit: int | None = None, watch: Watch = unwatched
) -> dict[str, Any]:
    """The figures of every part whose data is there; `skipped` names the others."""
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit is a number of facts, pairs and sessions above 0, not {limit}")
    there = [part for part in PARTS if part.place is None or (data / part.place).exists()]
    if all(part.place is None for part in there):
        places = ", ".join(dict.fromkeys(part.place for part in PARTS if part.place))
        raise InvalidInput(f"{data} has none of {places}: there is nothing to measure")
    skipped = ", ".join(part.name for part in PARTS if part not in there)
    found: dict[str, Any] = {"set": "write", "embedder": embedder.name, "limit": limit, "skipped": skipped}
    for part in there:
        found |= part.measure(data / (part.place or ""), embedder, limit, watch)
    return found
