"""What other processes do to a store in these tests: `python store_worker.py DEED PATH [...]`."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw
from store_values import EVERYTHING, keep, memory, revise

from recollect.errors import RecollectError
from recollect.ports import Store
from recollect.stores.sqlite import SQLiteStore


def say(*words: object) -> None:
    print(*words, flush=True)


def write_until_killed(path: Path) -> None:
    """Says each id once it is acknowledged."""
    store = SQLiteStore(path)
    number = len(store.find("ada", EVERYTHING))
    while True:
        number += 1
        keep(store, memory(f"{number:06}", f"text {number} " + "x" * (number % 3000)))
        if number % 3 == 0:
            revise(store, f"{number:06}", text=f"edited {number}")
        if number % 7 == 0:
            store.touch("ada", {f"{number:06}": (1, EVERYTHING.as_of or memory("1").recorded_at)})
        say(f"{number:06}")


def write_for(path: Path, seconds: str) -> None:
    store = SQLiteStore(path)
    end, number = time.monotonic() + float(seconds), 0
    say("began")
    while time.monotonic() < end:
        number += 1
        keep(
            store,
            *(
                memory(f"w{number:06}-{place}", f"written {number} {place} " + "y" * 500)
                for place in range(20)
            ),
        )
    say(number)


def read_for(path: Path, seconds: str) -> None:
    """Says the longest that one answer took, in milliseconds."""
    store = SQLiteStore(path)
    store.find("ada", EVERYTHING, limit=5)
    say("began")
    end, longest = time.monotonic() + float(seconds), 0.0
    while time.monotonic() < end:
        began = time.perf_counter()
        store.find("ada", EVERYTHING, limit=5, newest_first=True)
        store.high_water("ada")
        longest = max(longest, time.perf_counter() - began)
    say(longest * 1000)


def hold_the_write_lock(path: Path, seconds: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN IMMEDIATE")
    say("held")
    time.sleep(float(seconds))
    connection.execute("ROLLBACK")


def read_and_stay(path: Path, seconds: str) -> None:
    store = SQLiteStore(path)
    with store.reading():
        store.find("ada", EVERYTHING)
        say("reading")
        time.sleep(float(seconds))


def create_at(path: Path, moment: str) -> None:
    """Creates the store at an agreed moment and writes one memory into it."""
    name = sys.argv[4]
    time.sleep(max(0.0, float(moment) - time.time()))
    store = SQLiteStore(path)
    keep(store, memory("01", f"of {name}"), user=name)
    say(store.identity)
    store.close()


def fill(path: Path) -> None:
    """Writes until the disk is full; says what is safe, then the error."""
    store = SQLiteStore(path)
    number = 0
    try:
        while True:
            number += 1
            keep(store, memory(f"{number:06}", f"text {number} " + "z" * 20_000))
            say(f"{number:06}")
    except RecollectError as error:
        say(type(error).__name__, error)
    try:
        store.close()
    except RecollectError as error:
        say("close:", type(error).__name__)


def purge_and_die(path: Path, memory_id: str) -> None:
    """Erases the rows, and dies before the bytes are gone."""
    store = SQLiteStore(path)
    store._empty_log = lambda: sys.exit(9)  # type: ignore[method-assign]
    store.purge("ada", [memory_id], memory("x").recorded_at)


def use(path: Path) -> None:
    """Says what opening, reading and writing give."""
    store: Store | None = None

    def opening() -> None:
        nonlocal store
        store = SQLiteStore(path)

    def reading() -> None:
        assert store is not None
        say("found", len(store.find("ada", EVERYTHING)))

    def writing() -> None:
        assert store is not None
        keep(store, replace(memory("new"), text="new"))
        say("wrote")

    steps: tuple[Callable[[], None], ...] = (opening, reading, writing)
    for step in steps:
        try:
            step()
        except RecollectError as error:
            say(step.__name__, type(error).__name__, error)
            return


if __name__ == "__main__":
    deed, place, *rest = sys.argv[1:]
    if "STORE_WORKER_UID" in os.environ:  # after the imports: Python itself may be out of its reach
        os.setgroups([])
        os.setgid(int(os.environ["STORE_WORKER_UID"]))
        os.setuid(int(os.environ["STORE_WORKER_UID"]))
    globals()[deed](Path(place), *rest[:1])
