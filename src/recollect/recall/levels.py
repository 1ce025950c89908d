"""What is of the level that is asked for counts more: first by its depth, or by where it lies in a curved space."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ball import closeness, read_depth
from recollect.formulas.levels import DEEPEST, FLOORS, UNKNOWN, depth_of, depths, level_match, name_of
from recollect.formulas.ordered import distinct
from recollect.language.levels import asked_level
from recollect.model import Filter, Memory, State
from recollect.recall.work import Sources, Work
from recollect.relations import EDGE_TYPES, LEVELLED, SOURCE, TARGET, general_first

LEVEL, HIERARCHY = "level", "hierarchy"
"""The two signals: by depth alone, and by the place in the ball."""
WIDER: Final = 4
"""Each arm brings so many times as many where a level is asked for: what is of another one is pruned."""
PRUNED_BY: Final = 1.0
"""What a level weighs among the signals by which candidates are pruned."""
_EVERYTHING: Final = (State.ACTIVE, State.DORMANT)
_OTHER: Final = {SOURCE: TARGET, TARGET: SOURCE}
_BY_LOWER_END: Final = {
    end: tuple(name for name in LEVELLED if EDGE_TYPES[name].general_end == _OTHER[end])
    for end in (SOURCE, TARGET)
}
"""The types of edge by the end that is the more particular."""


def level(work: Work, sources: Sources) -> dict[str, object]:
    """The level that the caller asks for, or that the question names where it is read for it (M12)."""
    named = work.query.level
    by = "caller"
    if named is None and "levels" in work.layers:
        named, by = asked_level(work.query.text), "question"
    if named is None:
        return {}
    work.level = depth_of(named)
    signal = HIERARCHY if "hierarchy" in work.layers else LEVEL
    weight = sources.geometry.weight()
    work.profile = work.profile.weighing(**{signal: weight})
    return {"level": name_of(work.level), "asked_by": by, "weight": round(weight, 4)}


def reach(work: Work, sources: Sources) -> dict[str, object]:
    """What is of the level by its kind, or lies nearest in the ball, is a candidate, whatever else is like the question."""
    if work.level is None:
        return {}
    count = max(sources.candidates, work.query.k)
    kinds = tuple(one for one in _kinds(work.level) if work.where.kinds is None or one in work.where.kinds)
    found = [work.asked.also]
    told: dict[str, object] = {}
    if kinds:
        found.append(sources.index.search(work.asked, replace(work.where, kinds=kinds), count).contents)
        told = {"of_kind": len(found[-1])}
    if HIERARCHY in work.profile.weights and work.asked.vector is not None:
        channels = work.where.channels or (work.query.channel,)
        near = sources.geometry.near(channels, work.query.text, work.asked.vector, work.level, count)
        found.append(near.contents)
        told |= {"near": len(near.contents), "measured": near.measured, "of": near.of}
    work.asked = replace(work.asked, also=distinct(*found))
    return told


def placing(work: Work, sources: Sources) -> dict[str, object]:
    """Where each candidate stands: its depth, and how close it lies to where an answer would."""
    if work.level is None:
        return {}
    contents = work.found.contents
    memories = sources.store.shown(sources.user, contents.tolist(), work.where)
    if not memories:
        work.standing = {}
        return {"placed": 0}
    by_structure = _depths(work, sources, memories)
    depth = np.array([by_structure.get(one.id, np.nan) for one in memories])
    told = int(np.count_nonzero(~np.isnan(depth)))
    near, curvatures = _in_balls(work, sources, memories, depth)
    own = [one.content for one in memories]
    columns = {LEVEL: level_match(depth, work.level), HIERARCHY: near}
    work.standing = {name: dict(zip(own, column.tolist(), strict=True)) for name, column in columns.items()}
    read = int(np.count_nonzero(~np.isnan(depth))) - told
    return {
        "placed": len(memories),
        "by_structure": told,
        "by_text": read,
        "unknown": len(memories) - told - read,
        **curvatures,
    }


def preferred(work: Work, contents: NDArray[np.int64]) -> NDArray[np.float64]:
    """What each candidate's level adds where candidates are pruned; nothing where none is asked for."""
    signal = HIERARCHY if HIERARCHY in work.profile.weights else LEVEL
    standing = work.standing.get(signal, {})
    return PRUNED_BY * np.array([standing.get(content, 0.0) for content in contents.tolist()])


def _kinds(level: int) -> tuple[str, ...]:
    """Kinds of memory that are of the level unless something stands above them."""
    return tuple(kind for kind, floor in FLOORS.items() if floor == level)


def _depths(work: Work, sources: Sources, memories: Sequence[Memory]) -> dict[str, int]:
    """By id, how deep those lie that edges or their kind say something of."""
    kinds = {one.id: one.kind for one in memories}
    above: dict[str, set[str]] = {}
    waiting = set(kinds)
    # What counts as deepest has that many above it: nothing further up can change its depth.
    for _ in range(DEEPEST):
        uppers: set[str] = set()
        for upper, lower in _above(work, sources, sorted(waiting)):
            above.setdefault(lower, set()).add(upper)
            uppers.add(upper)
        waiting = uppers - kinds.keys()
        if not waiting:
            break
        where = Filter(ids=tuple(sorted(waiting)), states=_EVERYTHING, any_session=True)
        kinds |= {one.id: one.kind for one in sources.store.find(sources.user, where)}
    floors = {one: FLOORS[kind] for one, kind in kinds.items() if kind in FLOORS}
    alone = sorted(kinds.keys() - above.keys() - floors.keys() - {u for some in above.values() for u in some})
    for upper, _ in _above(work, sources, alone, below=True):
        above.setdefault(upper, set())
    return depths(above, floors)


def _above(
    work: Work, sources: Sources, ids: Sequence[str], *, below: bool = False
) -> Iterator[tuple[str, str]]:
    """What stands above some memories, each with what it stands above; or what they stand above themselves."""
    for end, types in _BY_LOWER_END.items():
        asked = _OTHER[end] if below else end
        edges = sources.store.edges(sources.user, ids, types, ends=(asked,)) if ids else []
        for edge in edges:
            then = work.query.as_of
            if edge.source != edge.target and (
                then is None or edge.recorded_at is None or edge.recorded_at <= then
            ):
                yield general_first(edge.type, edge.source, edge.target)


def _vectors(sources: Sources, memories: Sequence[Memory]) -> NDArray[np.float64]:
    """The memories' vectors row by row; zeros where one has none."""
    contents = np.array([one.content for one in memories], np.int64)
    numbers, held = sources.store.vectors(sources.user, distinct(contents))
    rows = np.zeros((len(contents), sources.embedder.dimension))
    if len(numbers):
        at = np.minimum(np.searchsorted(numbers, contents), len(numbers) - 1)
        known = numbers[at] == contents
        rows[known] = held[at[known]]
    return rows


def _in_balls(
    work: Work,
    sources: Sources,
    memories: Sequence[Memory],
    depth: NDArray[np.float64],
) -> tuple[NDArray[np.float64], dict[str, object]]:
    """How close each lies in its channel's ball; depths that only the text tells are filled in."""
    near = np.full(len(memories), UNKNOWN)
    channels = np.array([one.channel for one in memories], object)
    used: dict[str, object] = {}
    question = work.asked.vector if HIERARCHY in work.profile.weights else None
    for channel in sorted(set(channels.tolist())):
        ball = sources.geometry.ball(channel, work.query.text)
        own = np.flatnonzero(channels == channel)
        if question is None:
            # Only what the text is to tell needs its vector.
            own = own[np.isnan(depth[own])] if ball.reader is not None else own[:0]
        vectors = _vectors(sources, [memories[at] for at in own.tolist()])
        has_vector = vectors.any(axis=1)
        own, vectors = own[has_vector], vectors[has_vector]
        unknown = np.isnan(depth[own])
        if ball.reader is not None:
            depth[own[unknown]] = read_depth(ball.reader, vectors[unknown])
        if question is not None and len(own):
            near[own] = closeness(vectors, depth[own], question, float(work.level or 0), ball)
            used[channel] = ball.curvature
    return near, {"curvature": used} if used else {}
