"""One at a time looks up a key and writes it: two who did so at once would both find nothing, and both make it."""

import threading
from typing import Final
from weakref import WeakValueDictionary

from recollect.engine import Recollect


class Door:
    """What one thread at a time goes through."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


_DOORS: Final[WeakValueDictionary[tuple[str, str], Door]] = WeakValueDictionary()
_MAKING: Final = threading.Lock()


def door_of(memory: Recollect) -> Door:
    """The door of one user's memory, the same for everybody in this process who has a store of it open."""
    with _MAKING:
        return _DOORS.setdefault((memory.store.identity, memory.user), Door())
