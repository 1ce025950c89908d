"""Running `store_worker.py` beside a test."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOBODY = 65534


def command(deed: str, path: Path, *words: object) -> list[str]:
    return [sys.executable, str(HERE / "store_worker.py"), deed, str(path), *map(str, words)]


def run(deed: str, path: Path, *words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Waits for a deed and gives what it said; a traceback is a failure."""
    done = subprocess.run(
        command(deed, path, *words), capture_output=True, text=True, timeout=60, check=False, **options
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@contextmanager
def beside(deed: str, path: Path, *words: object) -> Iterator[subprocess.Popen[str]]:
    """A deed that goes on meanwhile."""
    with subprocess.Popen(command(deed, path, *words), stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def heard(process: subprocess.Popen[str]) -> str:
    """The next line that a process says."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def as_nobody() -> dict[str, Any]:
    """Options that run a deed without root's rights, which no permission binds."""
    return {"env": {**os.environ, "STORE_WORKER_UID": str(NOBODY)}} if os.geteuid() == 0 else {}
