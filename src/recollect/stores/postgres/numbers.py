"""Many numbers to the server and back at once: an array of bigint as it is sent, straight from and into numpy."""

import numpy as np
from numpy.typing import NDArray
from psycopg.adapt import AdaptersMap, Buffer, Dumper
from psycopg.postgres import types
from psycopg.pq import Format

ITEM = np.dtype([("length", ">i4"), ("number", ">i8")])
"""Each number has its length before it."""
HEAD = np.dtype(">i4")
BIGINT = types["int8"]


def sent(numbers: NDArray[np.int64]) -> bytes:
    """A header, then each number.

    >>> received(sent(np.array([3, -1])))
    array([ 3, -1])
    """
    # Dimensions, no nulls, the items' type; of the one dimension how many there are and the number of the first.
    head = [1, 0, BIGINT.oid, len(numbers), 1] if len(numbers) else [0, 0, BIGINT.oid]
    items = np.empty(len(numbers), ITEM)
    items["length"], items["number"] = 8, numbers
    return np.array(head, HEAD).tobytes() + items.tobytes()


def received(data: bytes) -> NDArray[np.int64]:
    """The inverse of `sent`."""
    head = 20 if data[:4] != bytes(4) else len(data)
    items = np.frombuffer(data, ITEM, offset=min(head, len(data)))
    return items["number"].astype(np.int64)


class _Dumper(Dumper):
    format = Format.BINARY
    oid = BIGINT.array_oid

    def dump(self, obj: NDArray[np.int64]) -> Buffer:
        return sent(obj)


def register(adapters: AdaptersMap) -> None:
    """Arrays of numpy go as they are: the driver takes a list item by item, which is slow."""
    adapters.register_dumper(np.ndarray, _Dumper)
