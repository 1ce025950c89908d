"""What every store does alike with the changes of one transaction."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.errors import Conflict, InvalidInput, ModelMismatch, NotFound
from recollect.model import LEARNT, Counters, Edge, Memory, State
from recollect.ports import WORD_BYTES, Change, Changes, RecordChange, Written
from recollect.removals import REMOVAL, edge_key, removal_of

_FRESH = Counters()


def applied(changes: Changes, apply: Callable[[Change], Written]) -> tuple[list[Written], list[Edge]]:
    """Applies each change in order; gives what became of each, and the edges that are left to write.

    What hangs on a refused memory is refused with it: its later versions, the end of one that it would
    have superseded, and its edges.
    """
    written: list[Written] = []
    refused: dict[str, Written] = {}
    for change in changes.memories:
        if change.memory.state is State.PURGED:
            raise InvalidInput(f"{change.memory.id} cannot be written as purged: purge it")
        result = _refused_with(change.memory, refused) or apply(change)
        if result.refusal is not None:
            refused[change.memory.id] = result
        written.append(result)
    missing = {change.memory.id for change in changes.memories if change.memory.version == 1} & refused.keys()
    return written, [edge for edge in changes.edges if not {edge.source, edge.target} & missing]


def refusable(changes: Changes) -> bool:
    """Whether a store may have refused all of it, so that there is nothing to witness."""
    certain = changes.records or changes.counters or changes.accesses or changes.reweighed or changes.unlinked
    return bool(changes.memories or changes.edges) and not certain


def happened(
    changes: Changes, added: Sequence[Edge], known: Callable[[Sequence[str]], Sequence[str]]
) -> list[RecordChange]:
    """What is kept of edges that are taken away, and of those added that were: the last that happened to each.

    `known` gives those of some edges' keys of which something is kept. Whoever writes it themselves is not corrected.
    """
    said = {record.key for record in changes.records if record.kind == REMOVAL}
    edges = {edge_key(edge): edge for edge in added}
    back = [edges[key] for key in known([*edges])] if edges else []
    told = [removal_of(edge, changes.at, is_gone=False) for edge in back]
    told += [removal_of(edge, changes.at, is_gone=True) for edge in changes.unlinked]
    return [one.change for one in told if one.key not in said]


def checked_record(change: RecordChange) -> str | None:
    """The value as it is stored; None where the record goes."""
    if not change.kind or not change.key:
        raise InvalidInput("a record has a kind and a key, not empty")
    if change.value is None:
        return None
    try:
        text = json.dumps(change.value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"{change.kind} {change.key} is not a value that JSON can hold ({error})"
        ) from error
    return text


def kept(
    changes: Sequence[RecordChange], revisions: dict[tuple[str, str], int], revision: int
) -> Iterator[tuple[str, str, str | None]]:
    """Each record's kind, key and new text, or None where it goes; raises where it is not as was expected."""
    for change in changes:
        text, place = checked_record(change), (change.kind, change.key)
        if change.expected is not None and change.expected != revisions.get(place, 0):
            raise Conflict(
                f"{change.kind} {change.key} was changed by somebody else in the meantime; read it again"
            )
        revisions[place] = 0 if text is None else revision
        yield *place, text


def learnt(
    counters: Mapping[str, Mapping[str, Any]], known: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[Any, ...]]:
    """Each memory's node with its counters in the order of LEARNT: those that are given, and the others as they were.

    `known` has the node of each and its counters, None where it has none yet.
    """
    for memory_id, values in counters.items():
        if memory_id not in known:
            raise NotFound(f"no memory {memory_id} to learn about")
        node, *before = known[memory_id]
        if before[0] is None:
            before = [getattr(_FRESH, name) for name in LEARNT]
        given = checked_counters(values)
        yield node, *(given.get(name, old) for name, old in zip(LEARNT, before, strict=True))


def checked_counters(values: Mapping[str, Any]) -> dict[str, Any]:
    """Learnt counters as they are stored: numbers, and the tier's name."""
    unknown = values.keys() - set(LEARNT)
    if unknown:
        raise InvalidInput(f"no learnt counter {', '.join(sorted(unknown))}; there are: {', '.join(LEARNT)}")
    numbers = [given for name, given in values.items() if name != "tier"]
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        raise InvalidInput(f"a learnt counter is a finite number: {dict(values)}")
    if not isinstance(values.get("tier", ""), str):
        raise InvalidInput(f"a tier is a name: {values['tier']!r}")
    return {name: given if name == "tier" else float(given) for name, given in values.items()}


def retold(memory: Memory, past: Memory | None) -> Memory:
    """A version without a new text: it keeps the text before it, with its provenance and metadata."""
    if past is None:
        raise InvalidInput(f"{memory.id} is new and has no text: give its terms with it")
    if memory.content not in {0, past.content}:
        raise InvalidInput(
            f"{memory.id} would show text {memory.content}, which is not its own: its text is {past.content}"
        )
    return replace(memory, content=past.content, text=past.text, origin=past.origin, metadata=past.metadata)


def vector_bytes(changes: Changes) -> int | None:
    """How long every vector in the transaction is; None where there is none."""
    for change in changes.memories:
        if change.new is not None and change.new.words is not None:
            if change.new.vector is None:
                raise InvalidInput(f"words of {change.memory.id} came without the vector of their text")
            if not whole_words(change.new.words):
                raise InvalidInput(
                    f"words of {len(change.new.words)} bytes are not a multiple of {WORD_BYTES}"
                )
    vectors = [c.new.vector for c in changes.memories if c.new is not None and c.new.vector is not None]
    sizes = {len(vector) for vector in vectors}
    if not sizes:
        return None
    if len(sizes) > 1:
        raise InvalidInput(f"vectors of different sizes in one write: {sorted(sizes)} bytes")
    size = sizes.pop()
    if not size or size % 2:
        raise InvalidInput(f"a vector of {size} bytes is not one of float16 numbers")
    if changes.model is None:
        raise InvalidInput("vectors came without the name of the model that made them")
    return size


def check_model(changes: Changes, size: int | None, model: str, dimension: int) -> None:
    """Raises where the vectors are not of the store's model; `size` is what `vector_bytes` gave."""
    if model == changes.model and size is not None and size != 2 * dimension:
        raise resized(model, dimension, size // 2)
    if model != changes.model or size not in {None, 2 * dimension}:
        raise ModelMismatch(
            f"the store's vectors are {model} ({dimension} numbers), these are {changes.model}"
            f" ({'none' if size is None else size // 2}); run `recollect reembed` to change the store's model"
        )


def resized(model: str, before: int, now: int) -> ModelMismatch:
    """The error where a model's vectors have another size than they had: texts that have one would keep it."""
    return ModelMismatch(
        f"{model} made vectors of {before} numbers before and makes them of {now}: another model answers to its name."
        " Use the one of before; or give this one another name, or make another embedder the store's first"
        " (`recollect reembed` with it), and then run `recollect reembed` with this one"
    )


def whole_words(data: bytes) -> bool:
    """Whether it is the vectors of some number of words, none included."""
    return not len(data) % WORD_BYTES


def check_embedded(model: str, dimension: int, vectors: Sequence[tuple[int, bytes, bytes | None]]) -> None:
    """Raises where what a model gave is not of its sizes."""
    if any(len(vector) != 2 * dimension for _, vector, _ in vectors):
        raise ModelMismatch(f"{model} gives vectors of {dimension} numbers, but one of another size came")
    if not all(words is None or whole_words(words) for _, _, words in vectors):
        raise ModelMismatch(f"{model} gave words whose bytes are not a multiple of {WORD_BYTES}")


def _refused_with(memory: Memory, refused: dict[str, Written]) -> Written | None:
    if memory.version > 1 and memory.id in refused:
        return refused[memory.id]
    if memory.superseded_by in refused:
        return Written(memory.id, refused[memory.superseded_by].refusal)
    return None
