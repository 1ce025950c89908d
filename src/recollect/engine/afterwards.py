"""Work that is done after the caller has gone on, by a thread that lives as long as there is some."""

import logging
import math
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

log: Final = logging.getLogger("recollect")


class Afterwards:
    """`step` does the next piece of work and says whether there was one; never two at a time."""

    def __init__(self, step: Callable[[], bool]) -> None:
        self._step = step
        self._working = threading.Lock()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._more = False
        self._halted = threading.Event()

    def notify(self) -> None:
        """There is work: somebody does it, soon."""
        with self._guard:
            self._more = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="recollect-afterwards")
                self._thread.start()

    def finish(self, within_seconds: float = math.inf) -> None:
        """Does what is left, here, or as much as time allows; the thread has ended when this returns."""
        until = monotonic() + within_seconds
        try:
            while monotonic() < until and self._stepped():
                pass
        finally:
            thread = self._thread
            if thread is not None and thread is not threading.current_thread():
                self._halted.set()
                thread.join()
                self._halted.clear()

    def _run(self) -> None:
        while self._goes_on():
            try:
                while self._may_go_on() and self._stepped():
                    pass
            except Exception:
                log.warning("what was left for later waits for another try", exc_info=True)

    def _may_go_on(self) -> bool:
        """A program that ends waits for the piece at hand and for no more: what is left is durable."""
        return not self._halted.is_set() and threading.main_thread().is_alive()

    def _goes_on(self) -> bool:
        with self._guard:
            again, self._more = self._more, False
            if not again:
                self._thread = None
            return again

    def _stepped(self) -> bool:
        with self._working:
            return self._step()
