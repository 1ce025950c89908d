"""The ops log: every line or a count of what was dropped, and nobody ever waits for it."""

import json
import multiprocessing
import threading
import time

import pytest

from recollect.stores.ops_log import BATCH, OpsLog, ops_log


def opened(path, **changes):
    return OpsLog(path, **{"max_bytes": 10_000_000, "files": 3, "waiting": 10_000} | changes)


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_lines_are_written_in_their_order_by_another_thread(tmp_path):
    log = opened(tmp_path / "deep" / "ops.jsonl")
    for number in range(1_000):
        log.put({"op": "test", "number": number, "name": "Ağrı"})
    assert log.flush()
    assert [line["number"] for line in lines(log.path)] == list(range(1_000))
    assert lines(log.path)[0]["name"] == "Ağrı"
    assert log.path.stat().st_mode & 0o077 == 0


def test_it_is_rotated_by_size_and_the_oldest_goes(tmp_path):
    log = opened(tmp_path / "ops.jsonl", max_bytes=1_000)
    for number in range(40):
        log.put({"number": number, "filler": "x" * 200})
        assert log.flush()
    files = sorted(path.name for path in tmp_path.glob("ops.jsonl*") if path.suffix != ".lock")
    assert files == ["ops.jsonl", "ops.jsonl.1", "ops.jsonl.2"]
    kept = [line["number"] for name in reversed(files) for line in lines(tmp_path / name)]
    assert kept == list(range(40))[-len(kept) :]
    assert all((tmp_path / name).stat().st_size < 2_000 for name in files)


def test_a_full_queue_drops_and_counts_instead_of_waiting(tmp_path, monkeypatch):
    log = opened(tmp_path / "ops.jsonl", waiting=10)
    go = threading.Event()
    append = OpsLog._append
    monkeypatch.setattr(OpsLog, "_append", lambda self, batch: go.wait(30) and append(self, batch))
    start = time.process_time()
    for number in range(5_000):
        log.put({"number": number})
    assert time.process_time() - start < 5
    go.set()
    assert log.flush(30)
    log.put({"number": "last"})
    assert log.flush(30)
    told = lines(log.path)
    dropped = sum(line["lines"] for line in told if line.get("op") == "dropped")
    # The first batch is taken while more is put; behind it only what may wait.
    assert dropped >= 5_000 - BATCH - 10
    assert dropped + sum("number" in line for line in told) == 5_001


def test_a_place_that_cannot_be_written_breaks_nothing_and_is_told_once(tmp_path, caplog):
    (tmp_path / "file").write_text("no folder")
    log = opened(tmp_path / "file" / "ops.jsonl")
    for _ in range(3):
        log.put({"op": "test"})
        assert log.flush()
    assert log.dropped == 3
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    (tmp_path / "file").unlink()
    log.put({"op": "again"})
    assert log.flush()
    assert lines(log.path) == [{"op": "again"}, {"op": "dropped", "lines": 3}]


def test_one_path_has_one_log_in_a_process_and_none_has_none(tmp_path):
    options = {"max_bytes": 1_000, "files": 2, "waiting": 10}
    assert ops_log("", **options) is None
    one = ops_log(str(tmp_path / "ops.jsonl"), **options)
    assert one is ops_log(str(tmp_path / "." / "ops.jsonl"), **options)


def _fill(path, name):
    log = opened(path, max_bytes=20_000, files=1_000)
    for number in range(500):
        log.put({"name": name, "number": number, "filler": "x" * 100})
        if number % 20 == 0:
            log.flush(30)
    log.flush(30)


def test_processes_share_a_file_and_lose_and_break_no_line(tmp_path):
    path = tmp_path / "ops.jsonl"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(path, name)) for name in "ab"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    found = [
        (line["name"], line["number"])
        for file in tmp_path.glob("ops.jsonl*")
        if file.suffix != ".lock"
        for line in lines(file)
    ]
    assert sorted(found) == [(name, number) for name in "ab" for number in range(500)]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_writes_by_a_thread_of_its_own(tmp_path):
    log = opened(tmp_path / "ops.jsonl")
    log.put({"by": "parent"})
    assert log.flush()

    def child():
        log.put({"by": "child"})
        log.flush(30)

    worker = multiprocessing.get_context("fork").Process(target=child)
    worker.start()
    worker.join(60)
    assert [line["by"] for line in lines(log.path)] == ["parent", "child"]
