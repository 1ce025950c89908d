"""Ids that sort by time: 48 bits of milliseconds, 80 bits of chance, in 26 characters (ULID)."""

import secrets
import threading

from recollect.model import microseconds
from recollect.ports import Clock

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CHANCE_BITS = 80


class Ids:
    """Makes ids that are unique everywhere and rise within a process, even if its clock falls back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def new(self) -> str:
        milliseconds = max(0, microseconds(self._clock.now()) // 1000) & ((1 << 48) - 1)
        fresh = milliseconds << CHANCE_BITS | secrets.randbits(CHANCE_BITS)
        with self._lock:
            if fresh >> CHANCE_BITS <= self._last >> CHANCE_BITS:
                fresh = self._last + 1 + secrets.randbits(32)
            self._last = fresh
        return encoded(fresh)


def encoded(number: int) -> str:
    """A 128-bit number in Crockford's base 32.

    >>> encoded(0), encoded(33)
    ('00000000000000000000000000', '00000000000000000000000011')
    """
    return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
