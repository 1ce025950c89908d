"""One dream of a user at a time: whoever comes while another goes on, on this machine, waits for its end."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from recollect.ports import Store


@contextmanager
def alone(store: Store, user: str) -> Iterator[None]:
    """Waits for the user's other dreams, and has later ones wait. A process that dies lets them on by dying.

    From another machine, and where a store has no folder, nobody waits: there whoever comes later takes the run
    over, and the other stops at its next batch.
    """
    folder, handle = store.index_folder(user), None
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    if handle is None:
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
