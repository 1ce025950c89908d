"""The ops log: what was decided, a line of JSON each, for whoever runs this. It never slows or breaks a caller.

A line goes into a bounded queue, and a thread of its own writes it. Where the queue is full, the disk is or the
folder cannot be written, lines are dropped and counted; the count stands in the next line that can be written.
"""

import atexit
import json
import logging
import os
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

log = logging.getLogger("recollect")
BATCH: Final = 512
LINGER_SECONDS: Final = 2.0
"""How long the end of the process may wait for lines that are not written yet."""


class OpsLog:
    """One file of lines, shared by every engine and every process that names it; rotated by size."""

    def __init__(self, path: Path, *, max_bytes: int, files: int, waiting: int) -> None:
        self.path = path
        self.dropped = 0
        self._max_bytes, self._files = max_bytes, files
        self._lines: queue.Queue[Mapping[str, Any]] = queue.Queue(waiting)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process = 0
        self._has_warned = False

    def put(self, line: Mapping[str, Any]) -> None:
        """Takes a line, or counts it as dropped; returns at once."""
        if self._thread is None or self._process != os.getpid():
            self._start()
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            with self._lock:
                self.dropped += 1

    def flush(self, timeout_seconds: float = LINGER_SECONDS) -> bool:
        """Waits until what was put before is written, but not for long; whether it is."""
        if self._thread is None or self._process != os.getpid():
            return True
        written = threading.Event()
        try:
            self._lines.put({"": written}, timeout=timeout_seconds)
        except queue.Full:
            return False
        return written.wait(timeout_seconds)

    def _start(self) -> None:
        """The thread, in this process: one that was forked has only the memory of the other's."""
        with self._lock:
            if self._process == os.getpid():
                return
            self._lines = queue.Queue(self._lines.maxsize)
            self._thread = threading.Thread(target=self._write, name="recollect-ops-log", daemon=True)
            self._process = os.getpid()
            self._thread.start()
            atexit.register(self.flush)

    def _write(self) -> None:
        while True:
            batch = [self._lines.get()]
            while len(batch) < BATCH:
                try:
                    batch.append(self._lines.get_nowait())
                except queue.Empty:
                    break
            waiting = [line[""] for line in batch if "" in line]
            lines = [line for line in batch if "" not in line]
            if lines:
                self._append(lines)
            for written in waiting:
                written.set()

    def _append(self, lines: list[Mapping[str, Any]]) -> None:
        with self._lock:
            dropped, self.dropped = self.dropped, 0
        told = [*lines, {"op": "dropped", "lines": dropped}] if dropped else lines
        text = "".join(json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in told)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._rotate()
            # Opened anew for each batch: another process may have rotated it. One write, so that lines stay whole.
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(file, text.encode("utf-8", "replace"))
            finally:
                os.close(file)
        except OSError as error:
            with self._lock:
                self.dropped += dropped + len(lines)
            if not self._has_warned:
                self._has_warned = True
                log.warning("the ops log %s cannot be written: %s", self.path, error.strerror)

    def _rotate(self) -> None:
        """The full file becomes FILE.1, that one FILE.2, and so on; the oldest goes."""
        if not self._is_full():
            return
        with _alone(self.path.with_name(self.path.name + ".lock")):
            if self._is_full():  # nobody else was faster
                names = [self.path, *(self._older(number) for number in range(1, self._files))]
                for newer, older in zip(reversed(names[:-1]), reversed(names[1:]), strict=True):
                    if newer.exists():
                        newer.replace(older)
                if len(names) == 1:
                    self.path.unlink()

    def _is_full(self) -> bool:
        try:
            return self.path.stat().st_size >= self._max_bytes
        except FileNotFoundError:
            return False

    def _older(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Only one process at a time; where the system has no such locks, all of them."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        yield
        return
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


_OPEN: Final[dict[Path, OpsLog]] = {}
_OPENING: Final = threading.Lock()


def ops_log(path: str, *, max_bytes: int, files: int, waiting: int) -> OpsLog | None:
    """The log at a path, one a process; None where there is no path."""
    if not path:
        return None
    found = Path(path).expanduser().absolute()
    with _OPENING:
        if found not in _OPEN:
            _OPEN[found] = OpsLog(found, max_bytes=max_bytes, files=files, waiting=waiting)
        return _OPEN[found]
