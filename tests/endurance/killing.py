"""A process that works until it is killed at a random moment."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path


def acknowledged_by(script: Path, *given: object, rng: random.Random, within_seconds: float) -> list[str]:
    """The whole lines that a process printed before it was killed, so long after the first of them."""
    command = [sys.executable, script, *map(str, given)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        time.sleep(rng.uniform(0.0, within_seconds))
        process.send_signal(signal.SIGKILL)
        lines = (first + process.stdout.read()).splitlines()
    return [line for line in lines if line.endswith("]")]
