"""Sign bits of centred vectors, and how many of them differ."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

WORD_BITS: Final = 64
UNREACHABLE: Final = np.iinfo(np.uint16).max
"""The distance of a row that must not be found."""

# Few blocks: after each step of one, a thread may have to wait for another that holds the interpreter. Smaller ones, whose
# buffers stay in the cache, are no faster: a million rows by four words take 2.5 ms so and by 65,536, by 16,384 2.7 ms.
BLOCK: Final = 1_048_576
# Three words differ in at most 192 bits, so their sum fits in a byte and adds up 16 lanes at a time.
WORDS_IN_A_BYTE: Final = 3
WEIGHED_AT_ONCE: Final = 256
SAMPLED: Final = 4_096
# A mean is rounded to this, or coarser for few vectors: see `centre`.
FINEST_STEP: Final = 1 / 1024


def words_for(dimension: int) -> int:
    """How many 64-bit words hold the signs of one vector."""
    return -(-dimension // WORD_BITS)


def centre(total: NDArray[np.float64], count: int) -> NDArray[np.float32]:
    """Mean of `count` vectors from their sum, rounded so that none of them can be read out of it.

    The mean stays in the files when one of its vectors is purged. That vector moved it by about
    0.05 / count a number; steps of 2 / count hide this, and cost no recall (a step of 1/1024 is a
    fiftieth of the spread of one number).
    """
    if count == 0:
        return np.zeros(len(total), np.float32)
    step = max(2 / count, FINEST_STEP)
    return (np.round(total / count / step) * step).astype(np.float32)


def pack(vectors: NDArray[np.float32], mean: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a number: whether it is above the mean. Column-major: row w has word w of every vector.

    >>> pack(np.array([[0.5, -0.5, 0.5]], np.float32), np.zeros(3, np.float32)).tolist()
    [[5]]
    """
    signs = np.packbits(vectors > mean, axis=1, bitorder="little")
    whole = np.zeros((len(vectors), words_for(vectors.shape[1]) * WORD_BITS // 8), np.uint8)
    whole[:, : signs.shape[1]] = signs
    return np.ascontiguousarray(whole.view("<u8").T)


def hamming(
    columns: NDArray[np.uint64],
    query: NDArray[np.uint64],
    rows: NDArray[np.int64] | None = None,
    out: NDArray[np.uint16] | None = None,
) -> NDArray[np.uint16]:
    """How many bits of each vector differ from the query's; of the given rows only, if any are given."""
    if rows is not None:
        # The default mode copies the result once more; rows come from our own arrays and are in range.
        columns = np.take(columns, rows, axis=1, mode="clip")
    count = columns.shape[1]
    distances = np.empty(count, np.uint16) if out is None else out
    differing = np.empty(min(BLOCK, count), np.uint64)
    word = np.empty(len(differing), np.uint8)
    few = np.empty(len(differing), np.uint8)
    for start in range(0, count, BLOCK):
        block, target = columns[:, start : start + BLOCK], distances[start : start + BLOCK]
        d, w, f = differing[: len(target)], word[: len(target)], few[: len(target)]
        for at in range(len(block)):
            np.bitwise_xor(block[at], query[at], out=d)
            first = at % WORDS_IN_A_BYTE == 0
            np.bitwise_count(d, out=f if first else w)
            if not first:
                np.add(f, w, out=f)
            if at + 1 == len(block) or (at + 1) % WORDS_IN_A_BYTE == 0:
                np.add(target, f, out=target) if at >= WORDS_IN_A_BYTE else np.copyto(target, f)
    return distances


def weights(
    columns: NDArray[np.uint64], query: NDArray[np.float32], rows: NDArray[np.int64]
) -> NDArray[np.float32]:
    """The query's numbers summed up where each row's bits are set.

    Orders rows by similarity better than counting bits, because the query keeps its numbers: half of the
    error is gone.
    """
    octets = np.take(columns, rows, axis=1, mode="clip").T.copy().view(np.uint8)
    sums = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), WEIGHED_AT_ONCE):
        some = slice(start, start + WEIGHED_AT_ONCE)
        signs = np.unpackbits(octets[some], axis=1, count=len(query), bitorder="little")
        sums[some] = signs.astype(np.float32) @ query
    return sums


def blocked(distances: NDArray[np.uint16], eligible: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Distances with every row that is not eligible out of reach."""
    # 0 - 1 is all ones in two's complement; this is five times faster than a masked assignment.
    mask = (eligible.view(np.int8) - np.int8(1)).astype(np.int16).view(np.uint16)
    return np.bitwise_or(distances, mask, out=mask)


def nearest(distances: NDArray[np.uint16], m: int) -> NDArray[np.int64]:
    """Positions of the m smallest distances and of what ties with the last, ascending; at most 2 m.

    Of too many ties those at the end, which are the newest, are kept.

    >>> nearest(np.array([7, 3, 9, 3, 5], np.uint16), 2).tolist()
    [1, 3]
    """
    found = within(distances, m)
    if len(found) <= m:
        return found
    near = distances[found]
    last = np.partition(near, m - 1)[m - 1]
    closer, ties = found[near < last], found[near == last]
    kept = np.concatenate((closer, ties[max(0, len(closer) + len(ties) - 2 * m) :]))
    kept.sort()
    return kept


def within(distances: NDArray[np.uint16], m: int) -> NDArray[np.int64]:
    """Positions, ascending, of all that are within a distance which at least m are; of far more than m where many tie.

    >>> within(np.array([7, 3, 9, 3, 5], np.uint16), 5).tolist()
    [0, 1, 2, 3, 4]
    """
    radius, step = _guess(distances, m), 1
    found = np.flatnonzero(distances <= radius)
    while len(found) < m and radius < UNREACHABLE - 1:
        radius, step = min(radius + step, UNREACHABLE - 1), 4 * step
        found = np.flatnonzero(distances <= radius)
    return found


def _guess(distances: NDArray[np.uint16], m: int) -> int:
    """A radius that most likely has m rows and not many more, from a sample of all."""
    # Odd, so that it does not fall in step with a filter that takes every other row.
    stride = len(distances) // SAMPLED | 1
    sample = distances[::stride]
    wanted = m / stride
    counts = np.cumsum(np.bincount(sample[sample != UNREACHABLE]))
    return int(np.searchsorted(counts, wanted + 3 * math.sqrt(wanted)))
