"""How often a key may call: counted together by all workers, in one number a key."""

import mmap
import struct
from pathlib import Path

SLOTS = 65_536
NUMBER = struct.Struct("<d")


class Rates:
    """A steady rate with bursts of one second (GCRA): each key has the moment until which it has spent its share.

    The moments lie in a file that every worker maps. Two workers that count at the same instant may let one
    request too many through, never one too few.

    >>> rates = Rates(None, per_second=2)
    >>> [rates.wait(7, now=100.0) for _ in range(3)]
    [0.0, 0.0, 0.5]
    >>> rates.wait(7, now=100.5), rates.wait(8, now=100.0)
    (0.0, 0.0)
    """

    def __init__(self, shared: Path | None, per_second: float) -> None:
        self._per_second = per_second
        if shared is None:
            self._moments = mmap.mmap(-1, SLOTS * NUMBER.size)
            return
        with shared.open("r+b") as file:
            self._moments = mmap.mmap(file.fileno(), SLOTS * NUMBER.size)

    @staticmethod
    def create(path: Path) -> None:
        """Makes the file that workers share."""
        with path.open("xb") as file:
            file.truncate(SLOTS * NUMBER.size)

    def wait(self, number: int, now: float) -> float:
        """How many seconds too early a request of this key comes; 0 lets it through and counts it."""
        if not self._per_second:
            return 0.0
        place = number % SLOTS * NUMBER.size
        (spent_until,) = NUMBER.unpack_from(self._moments, place)
        step = 1.0 / self._per_second
        burst = max(1.0, step)
        due = max(spent_until, now) + step
        if due - now > burst + 1e-9:
            return float(due - now - burst)
        NUMBER.pack_into(self._moments, place, due)
        return 0.0

    def close(self) -> None:
        self._moments.close()
