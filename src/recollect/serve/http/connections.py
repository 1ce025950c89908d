"""New connections go to the worker that has the fewest: clients keep theirs open, so it decides for long."""

import fcntl
import mmap
import os
import socket
import struct
import time
from multiprocessing import reduction
from pathlib import Path
from typing import Any, Final

SLOTS: Final = 64
SLOT: Final = struct.Struct("<qq")
PATIENCE_SECONDS: Final = 0.05
"""For so long a connection is left to a worker with fewer; one that hangs does not keep it waiting."""
PAUSE_SECONDS: Final = 0.001
"""Between two looks at a connection that is left to another; the socket stays readable until somebody takes it."""
FORGOTTEN_SECONDS: Final = 0.02
"""After so long without a look it was taken: the next one is another connection."""


class Counts:
    """How many connections each worker has, in a file that all of them map: a process and a number a slot."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._slots = mmap.mmap(file.fileno(), SLOTS * SLOT.size)
            # Two workers that start at once must not take the same. The map holds the file open, and with it the lock.
            fcntl.flock(file, fcntl.LOCK_EX)
            self._mine = self._claimed()
            fcntl.flock(file, fcntl.LOCK_UN)

    @staticmethod
    def create(path: Path) -> None:
        """Makes the file that workers share."""
        with path.open("xb") as file:
            file.truncate(SLOTS * SLOT.size)

    def tell(self, connections: int) -> None:
        """How many this worker has now."""
        SLOT.pack_into(self._slots, self._mine * SLOT.size, os.getpid(), connections)

    def fewest(self) -> int | None:
        """What the other worker has that has the fewest; None where there is no other."""
        others = [
            count
            for place, (process, count) in enumerate(SLOT.iter_unpack(self._slots[:]))
            if place != self._mine and _is_alive(process)
        ]
        return min(others, default=None)

    def _claimed(self) -> int:
        """The slot of this process, or one that no living process has."""
        processes = [process for process, _ in SLOT.iter_unpack(self._slots[:])]
        if os.getpid() in processes:
            return processes.index(os.getpid())
        free = (place for place, process in enumerate(processes) if not _is_alive(process))
        mine = next(free, SLOTS - 1)
        SLOT.pack_into(self._slots, mine * SLOT.size, os.getpid(), 0)
        return mine


class Listener(socket.socket):
    """A listening socket that a worker shares: what another worker has fewer of, it leaves to that one for a moment."""

    def __init__(self, bound: socket.socket, counts: Path) -> None:
        super().__init__(bound.family, bound.type, bound.proto, fileno=bound.detach())
        self._path = counts
        self._counts: Counts | None = None
        self._taken: list[socket.socket] = []
        self._left_since = self._left_last = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it arrives in a worker as what it is."""
        return _rebuilt, (reduction.DupFd(self.fileno()), self.family, self.type, self.proto, self._path)

    def listen(self, backlog: int = 0, /) -> None:
        """From now on this worker is one of those that take connections."""
        self._counts = self._counts or Counts(self._path)
        super().listen(backlog)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection, unless it is left to another worker: then as if there was none."""
        self._counts = counts = self._counts or Counts(self._path)
        self._taken = [one for one in self._taken if one.fileno() >= 0]
        mine = len(self._taken)
        counts.tell(mine)
        fewest = counts.fewest()
        if fewest is not None and fewest < mine and self._is_patient():
            time.sleep(PAUSE_SECONDS)
            raise BlockingIOError("left to a worker with fewer connections")
        taken, address = super().accept()
        self._taken.append(taken)
        counts.tell(mine + 1)
        return taken, address

    def _is_patient(self) -> bool:
        """Whether the connection at hand was not left alone for too long."""
        now = time.monotonic()
        if now - self._left_last > FORGOTTEN_SECONDS:
            self._left_since = now
        self._left_last = now
        return now - self._left_since < PATIENCE_SECONDS


def _rebuilt(duplicate: Any, family: int, kind: socket.SocketKind, protocol: int, counts: Path) -> "Listener":
    return Listener(socket.socket(family, kind, protocol, fileno=duplicate.detach()), counts)


def _is_alive(process: int) -> bool:
    if not process:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it lives, and is somebody else's
    return True
