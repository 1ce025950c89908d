"""Two threads at one key: the second comes when the first has looked it up and not written yet."""

import threading

from recollect.errors import RecollectError


class WatchedLock:
    """A lock that says when somebody has to wait for it."""

    def __init__(self, waits):
        self._lock, self._waits = threading.Lock(), waits

    def __enter__(self):
        if not self._lock.acquire(blocking=False):
            self._waits.set()
            self._lock.acquire()

    def __exit__(self, *_):
        self._lock.release()


def interleaved(monkeypatch, memory, door, first, second):
    """Does the second as soon as the first writes; it goes on when the second is done, or waits for the first."""
    met, outcome = threading.Event(), []
    monkeypatch.setattr(door, "lock", WatchedLock(met))
    remember = memory.remember

    def overtaken(*given, **named):
        monkeypatch.setattr(memory, "remember", remember)
        thread.start()
        met.wait()
        return remember(*given, **named)

    def other():
        try:
            second()
        except RecollectError as error:
            outcome.append(error)
        met.set()

    thread = threading.Thread(target=other)
    monkeypatch.setattr(memory, "remember", overtaken)
    first()
    thread.join()
    return outcome
