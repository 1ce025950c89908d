"""Making segments: from the store's documents, and larger ones from smaller ones."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.index.bits import centre
from recollect.index.documents import Batch, Source
from recollect.index.params import IndexParams
from recollect.index.segment import Segment, common_mean
from recollect.index.vectors import widen


def mean_of(segments: Sequence[Segment]) -> NDArray[np.float32] | None:
    """The mean in use, if there is one."""
    return common_mean(segments) if any(segment.embedded_count for segment in segments) else None


def build(
    source: Source,
    params: IndexParams,
    after: int,
    upto: int | None,
    mean: NDArray[np.float32] | None,
    at_least: int = 1,
) -> Iterator[Segment]:
    """Segments of all documents in a range, each as large as a merge may make it; none of too few."""
    made: list[Segment] = []
    for batch in source.read(after, upto, params.bulk):
        if mean is None:
            mean = _first_mean(batch, params)
        if sum(segment.count for segment in made) + len(batch.contents) > params.merge_limit and made:
            yield Segment.merge(made)
            made.clear()
        last = int(batch.contents[-1])
        made.append(
            Segment.build(
                batch, after, last, np.zeros(source.dimension, np.float32) if mean is None else mean
            )
        )
        after = last
    if sum(segment.count for segment in made) >= at_least:
        whole = Segment.merge(made) if len(made) > 1 else made[0]
        yield whole if upto is None else whole.reaching(upto)


def grouped(segments: Sequence[Segment], limit: int) -> Iterator[list[Segment]]:
    """Adjacent segments together, as long as they have no more than `limit` documents."""
    group: list[Segment] = []
    for segment in segments:
        if group and sum(each.count for each in group) + segment.count > limit:
            yield group
            group = []
        group.append(segment)
    if group:
        yield group


def mergeable(segments: Sequence[Segment], params: IndexParams) -> slice | None:
    """Adjacent segments of one size class, or smaller, that are enough to be merged into one of the next."""
    ceiling = params.seal_at * params.merge_factor
    while ceiling <= params.merge_limit:
        start = 0
        for stop in range(1, len(segments) + 1):
            if not _joins(segments[start:stop], ceiling, params.merge_limit):
                start = stop - 1 if _joins(segments[stop - 1 : stop], ceiling, params.merge_limit) else stop
            elif stop - start >= params.merge_factor:
                return slice(start, stop)
        ceiling *= params.merge_factor
    return None


def _joins(run: Sequence[Segment], ceiling: int, limit: int) -> bool:
    """Whether these may be merged: none has outgrown its class, and their bits compare."""
    means = [segment.mean for segment in run if segment.embedded_count]
    return (
        all(segment.count < ceiling for segment in run)
        and sum(segment.count for segment in run) <= limit
        and all(np.array_equal(mean, means[0]) for mean in means)
    )


def _first_mean(batch: Batch, params: IndexParams) -> NDArray[np.float32] | None:
    vectors = batch.vectors[: params.seal_at]
    return centre(widen(vectors).sum(axis=0, dtype=np.float64), len(vectors)) if len(vectors) else None
