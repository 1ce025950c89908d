"""Where the library is: opened when it is first asked for, shared by every engine of a process."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias, Union

from recollect.shared.waiting import Waiting

if TYPE_CHECKING:
    from recollect.shared.library import Library
    from recollect.shared.remote_library import RemoteLibrary

AnyLibrary: TypeAlias = Union["Library", "RemoteLibrary"]


class Closes(Protocol):
    """An engine that was opened for the library alone."""

    def close(self) -> None: ...


class Shelf:
    """A library that is opened once, by whoever asks first."""

    def __init__(self, opened: "Callable[[], tuple[AnyLibrary, Closes | None]]") -> None:
        self._opened = opened
        self._lock = threading.Lock()
        self._library: AnyLibrary | None = None
        self._own: Closes | None = None
        self.waiting = Waiting()
        """How all engines of this process ask it: one that is dead is dead for all."""

    def library(self) -> "AnyLibrary":
        """The library; an error of opening it is raised each time, until it can be opened."""
        with self._lock:
            if self._library is None:
                self._library, self._own = self._opened()
            return self._library

    def close(self) -> None:
        """Closes what was opened for it."""
        with self._lock:
            own, self._own, self._library = self._own, None, None
        self.waiting.close()
        if own is not None:
            own.close()
