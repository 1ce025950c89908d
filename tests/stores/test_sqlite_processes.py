"""Several processes on one file, a full disk, and a kill at any moment: nothing is lost, nobody waits for long."""

import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from store_processes import beside, heard, run
from store_values import AT, EVERYTHING, ids, keep, memory, revise, text_of

from recollect.errors import StoreBusy, StoreFull
from recollect.stores.sqlite import SQLiteStore, connection

Opened = Callable[..., SQLiteStore]
LONGEST_WAIT_MS = 100


def is_sound(store: SQLiteStore, path: Path) -> bool:
    other = apsw.Connection(str(path))
    answer = other.execute("PRAGMA integrity_check").fetchall()
    other.close()
    return answer == [("ok",)] and store.verify("ada") == []


# one waits for the other


def test_a_write_waits_for_another_process_and_succeeds(opened: Opened, path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    with beside("hold_the_write_lock", path, 1.0) as holder:
        assert heard(holder) == "held"
        began = time.monotonic()
        keep(store, memory("02"))
        assert time.monotonic() - began > 0.5
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]


def test_a_touch_does_not_wait(opened: Opened, path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    with beside("hold_the_write_lock", path, 1.0) as holder:
        assert heard(holder) == "held"
        began = time.monotonic()
        assert not store.touch("ada", {"01": (1, AT)})
        assert time.monotonic() - began < 0.2
        holder.wait()
    assert store.counters("ada", ["01"]) == {}
    assert store.touch("ada", {"01": (1, AT)})
    assert store.counters("ada", ["01"])["01"].access_count == 1


def test_a_touch_does_not_wait_for_a_write_of_its_own_process_that_waits(opened: Opened, path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    with beside("hold_the_write_lock", path, 1.0) as holder:
        assert heard(holder) == "held"
        writer = threading.Thread(target=keep, args=(store, memory("02")))
        writer.start()
        time.sleep(0.1)
        began = time.monotonic()
        assert not store.touch("ada", {"01": (1, AT)})
        assert time.monotonic() - began < 0.2
        writer.join()
    keep(store, memory("03"))
    assert len(store.find("ada", EVERYTHING)) == 3


def test_a_write_after_a_touch_is_synced_again(opened: Opened) -> None:
    store = opened()
    keep(store, memory("01"))
    store.touch("ada", {"01": (1, AT)})
    with store._connections.alone() as writer:
        assert writer.execute("PRAGMA synchronous").get == 2
        assert writer.execute("PRAGMA busy_timeout").get == connection.BUSY_MILLISECONDS


def test_who_waits_too_long_is_told(opened: Opened, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened()
    keep(store, memory("01"))
    with store._connections.alone() as writer:
        writer.set_busy_timeout(100)
    with beside("hold_the_write_lock", path, 30) as holder:
        assert heard(holder) == "held"
        with pytest.raises(StoreBusy, match="try again"):
            keep(store, memory("02"))
    keep(store, memory("02"))


@pytest.mark.slow
@pytest.mark.alone
def test_no_reader_waits_for_a_writer(opened: Opened, path: Path) -> None:
    store = opened()
    keep(store, *(memory(f"{n:03}") for n in range(200)))
    longest = 0.0
    with beside("write_for", path, 2.5) as writer, beside("read_for", path, 2.0) as reader:
        assert (heard(writer), heard(reader)) == ("began", "began")
        end = time.monotonic() + 2.0
        while time.monotonic() < end:
            began = time.perf_counter()
            store.find("ada", EVERYTHING, limit=5, newest_first=True)
            longest = max(longest, time.perf_counter() - began)
            time.sleep(0.002)
        elsewhere = float(heard(reader))
        assert int(heard(writer)) > 10
    assert elsewhere < LONGEST_WAIT_MS
    assert longest * 1000 < LONGEST_WAIT_MS


def test_a_reader_does_not_wait_for_a_thread_that_writes(opened: Opened) -> None:
    store = opened()
    keep(store, memory("01"))
    with store._connections.writing():
        answers: list[str] = []
        reader = threading.Thread(target=lambda: answers.append(text_of(store, "01")))
        reader.start()
        reader.join(5)
        assert answers == ["text of 01"]


@pytest.mark.slow
def test_several_processes_write_one_file_and_nothing_is_lost(opened: Opened, path: Path) -> None:
    store = opened()
    before = keep(store, memory("01"))
    processes = [
        subprocess.Popen(_named_writer(path, name), stdout=subprocess.PIPE, text=True) for name in "abcd"
    ]
    said = [process.communicate(timeout=60)[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    expected = sorted([w.id for w in before] + [one for words in said for one in words])
    assert ids(store.find("ada", EVERYTHING)) == expected
    assert len(expected) == 201
    assert is_sound(store, path)
    assert [entry.sequence for entry in store.witness("ada")] == list(range(1, 202))


def _named_writer(path: Path, name: str) -> list[str]:
    code = f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from store_values import keep, memory
        from recollect.stores.sqlite import SQLiteStore
        store = SQLiteStore({str(path)!r})
        for number in range(50):
            print(keep(store, memory(f"{name}{{number:03}}"))[0].id, flush=True)
        store.close()
    """
    return [sys.executable, "-c", textwrap.dedent(code)]


def test_what_another_process_writes_is_seen_at_once(opened: Opened) -> None:
    first, second = opened(), opened()
    keep(first, memory("01"))
    assert text_of(second, "01") == "text of 01"
    revise(second, "01", text="edited elsewhere")
    assert text_of(first, "01") == "edited elsewhere"
    assert first.high_water("ada") == second.high_water("ada")


# no space


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def is_clear(said: list[str], path: Path, opened: Opened) -> None:
    """What was acknowledged is there, and the error says what to do."""
    acknowledged = [line for line in said if line.isdigit()]
    error = next(line for line in said if line.startswith("Store"))
    assert error.startswith("StoreFull"), error
    assert str(path) in error
    assert "space" in error
    assert len(acknowledged) > 3
    store = opened(path)
    assert set(acknowledged) <= set(ids(store.find("ada", EVERYTHING)))
    assert is_sound(store, path)


def test_a_full_disk_is_a_clear_error_and_loses_nothing(small_disk: Path, opened: Opened) -> None:
    path = small_disk / "store.db"
    said = run("fill", path).stdout.splitlines()
    is_clear(said, path, opened)


def test_a_full_disk_may_be_used_again_when_there_is_space(small_disk: Path, opened: Opened) -> None:
    ballast = small_disk / "ballast"
    store = opened(small_disk / "store.db")
    keep(store, memory("01"))
    ballast.write_bytes(bytes(700_000))
    with pytest.raises(StoreFull):
        keep(store, memory("02", "x" * 400_000))
    assert store.get("ada", "02") is None
    ballast.unlink()
    keep(store, memory("02", "x" * 100_000))
    assert len(text_of(store, "02")) == 100_000
    assert store.verify("ada") == []


def test_a_snapshot_onto_a_full_disk_is_a_clear_error(small_disk: Path, opened: Opened, path: Path) -> None:
    store = opened()
    keep(store, memory("01", "x" * 2_000_000))
    with pytest.raises(StoreFull):
        store.snapshot(small_disk / "copy.db", branch=False, at=AT)
    assert list(small_disk.iterdir()) == []
    assert store.copies() == []
    assert store.verify("ada") == []


def test_a_limit_on_the_size_of_files_is_a_clear_error(path: Path, opened: Opened) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    said = run("fill", path, preexec_fn=limited).stdout.splitlines()
    is_clear(said, path, opened)


# a kill at any moment


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(5))
def test_whatever_was_acknowledged_survives_a_kill(path: Path, opened: Opened, attempt: int) -> None:
    chance = random.Random(attempt)
    acknowledged: list[str] = []
    for _ in range(3):
        with beside("write_until_killed", path) as writer:
            acknowledged.append(heard(writer))
            deadline = time.monotonic() + chance.uniform(0.05, 0.6)
            assert writer.stdout is not None
            os.set_blocking(writer.stdout.fileno(), False)
            time.sleep(max(0.0, deadline - time.monotonic()))
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            os.set_blocking(writer.stdout.fileno(), True)
            acknowledged += [line for line in writer.stdout.read().split("\n")[:-1] if line]
        store = opened()
        found = set(ids(store.find("ada", EVERYTHING)))
        assert set(acknowledged) <= found
        assert len(found - set(acknowledged)) <= 3, "at most what was on its way when it was killed"
        for memory_id in acknowledged:
            edited = int(memory_id) % 3 == 0
            assert text_of(store, memory_id).startswith("edited" if edited else "text")
        assert is_sound(store, path)
        store.close()
    assert len(acknowledged) > 10
