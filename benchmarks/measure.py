"""Timing, memory and the record of a result."""

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).parent / "results"


def milliseconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def summary(times: list[float]) -> dict[str, float]:
    """Median, tail and spread of many timings in ms."""
    p50, p95, p99 = np.percentile(times, [50, 95, 99])
    quarter, three = np.percentile(times, [25, 75])
    return {
        "p50": round(p50, 3),
        "p95": round(p95, 3),
        "p99": round(p99, 3),
        "iqr": round(three - quarter, 3),
        "n": len(times),
    }


def resident_mb() -> float:
    """Memory of this process that is its own, without mapped files that the system can drop."""
    status = Path("/proc/self/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields["RssAnon"].split()[0]) / 1024


def children_cpu_seconds(parent: int) -> float:
    """Processor time of the processes that one has started and that still run: a server's, one a connection."""
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):  # it ended while we looked
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                total += sum(map(int, fields[11:13])) if int(fields[1]) == parent else 0
    return total / os.sysconf("SC_CLK_TCK")


def size_mb(folder: Path) -> float:
    """Bytes of all files below a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6


def known(name: str) -> dict[str, Any]:
    """The result that is on record, so that sizes can be measured one at a time."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def commit() -> str:
    """What is checked out."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def yardstick_ms() -> float:
    """A loop of a million additions, the best of five: a slowed machine shows here, before it shows in a result."""

    def additions() -> None:
        total = 0
        for number in range(1_000_000):
            total += number

    return round(min(milliseconds(additions) for _ in range(5)), 1)


def told_speed(machine: Mapping[str, Any]) -> str:
    """The yardstick in words: the same processor is shared by several machines, and its speed changes by the hour."""
    loop = machine.get("million_additions_ms")
    return f" A loop of a million additions took {loop} ms then." if loop else ""


def record(name: str, result: Mapping[str, Any]) -> Path:
    """Writes a result with the commit and the machine it was measured on."""
    machine = {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": _processor(),
        "million_additions_ms": yardstick_ms(),
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    about = {
        "commit": commit(),
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine,
    }
    path.write_text(json.dumps({**about, **result}, indent=1) + "\n")
    print(f"wrote {path.name}")
    return path


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
