"""Opening: what is no store is refused clearly and left alone; what is made is its owner's alone."""

import gc
import os
import sqlite3
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import apsw
import pytest
from store_processes import as_nobody, beside, heard, run
from store_values import AT, EVERYTHING, keep, memory, text_of

from recollect.errors import RecollectError, StoreCorrupt, StoreError
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.sqlite.connection import told

Opened = Callable[..., SQLiteStore]


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def beside_files(path: Path) -> list[Path]:
    return sorted(file for file in path.parent.iterdir() if file.name.startswith(path.name))


def test_a_text_file_is_refused_and_left_alone(opened: Opened, path: Path) -> None:
    path.write_text("Dear diary, " * 1000)
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match="not a Recollect store"):
        opened()
    assert path.read_bytes() == before
    assert beside_files(path) == [path]


def test_an_empty_file_becomes_a_store(opened: Opened, path: Path) -> None:
    path.touch()
    keep(opened(), memory("01"))
    assert text_of(opened(), "01") == "text of 01"


@pytest.mark.parametrize("size", [1, 50, 99, 100, 511, 4096, 8192, 20_000])
def test_a_truncated_store_is_refused(opened: Opened, path: Path, size: int) -> None:
    store = opened()
    keep(store, *(memory(f"{n:03}") for n in range(100)))
    store.close()
    os.truncate(path, size)
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match=r"damaged.*restore a snapshot"):
        opened()
    assert path.read_bytes() == before


@pytest.mark.parametrize("user_version", [0, 1, 2, 99])
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_database_of_another_program_is_refused_and_left_alone(
    opened: Opened, path: Path, user_version: int, journal: str
) -> None:
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA journal_mode = {journal}")
    other.execute("CREATE TABLE precious (x)")
    other.execute(f"PRAGMA user_version = {user_version}")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match="another program"):
        opened()
    assert path.read_bytes() == before
    assert beside_files(path) == [path]


def test_a_store_without_its_key_is_refused(opened: Opened, path: Path) -> None:
    opened().close()
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM meta WHERE name = 'key'")
    connection.close()
    with pytest.raises(StoreCorrupt, match="key"):
        opened()


def test_a_folder_is_refused_with_advice(opened: Opened, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"is a folder.*agent\.db"):
        opened(tmp_path)


def test_missing_folders_are_made(opened: Opened, tmp_path: Path) -> None:
    store = opened(tmp_path / "a" / "b" / "store.db")
    assert Path(store.location).is_file()


def test_a_file_in_the_place_of_a_folder_is_refused(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="store"):
        opened(tmp_path / "file" / "store.db")


def test_the_files_are_their_owners_alone(opened: Opened, path: Path) -> None:
    before = os.umask(0)
    try:
        keep(opened(), memory("01"))
    finally:
        os.umask(before)
    files = beside_files(path)
    assert [file.name for file in files] == ["store.db", "store.db-shm", "store.db-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.fixture
def everybodys_folder() -> Iterator[Path]:
    """A folder that a process without rights can reach; pytest's own is root's alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_a_folder_that_may_not_be_written_is_a_clear_error(everybodys_folder: Path) -> None:
    everybodys_folder.chmod(0o555)
    said = run("use", everybodys_folder / "store.db", **as_nobody()).stdout
    assert said.startswith("opening StoreFull"), said
    assert "choose a folder that may be written" in said
    said = run("use", everybodys_folder / "sub" / "store.db", **as_nobody()).stdout
    assert said.startswith("opening StoreFull"), said


@pytest.mark.parametrize(("folder", "file"), [(0o555, 0o666), (0o755, 0o444), (0o555, 0o444), (0o755, 0o000)])
def test_a_store_that_may_not_be_written_is_a_clear_error(
    everybodys_folder: Path, folder: int, file: int
) -> None:
    path = everybodys_folder / "store.db"
    store = SQLiteStore(path)
    keep(store, memory("01"))
    store.close()
    path.chmod(file)
    everybodys_folder.chmod(folder)
    before = path.read_bytes()
    said = run("use", path, **as_nobody()).stdout.splitlines()[-1].split(" ", 2)
    assert said[1] in {"StoreFull", "StoreError"}, said
    assert str(path) in said[2]
    assert path.read_bytes() == before


def test_many_processes_may_create_it_at_the_same_moment(opened: Opened, path: Path) -> None:
    for attempt in range(3):
        place = path.with_name(f"{attempt}.db")
        moment = time.time() + 1.5
        names = [f"user{n}" for n in range(4)]
        with ExitStack() as stack:
            processes = [stack.enter_context(beside("create_at", place, moment, name)) for name in names]
            identities = {heard(process) for process in processes}
            assert [process.wait(30) for process in processes] == [0] * 4
        assert len(identities) == 1
        store = opened(place)
        assert sorted(store.users()) == names
        assert [text_of(store, "01", name) for name in names] == [f"of {name}" for name in names]


def test_a_closed_store_says_so(opened: Opened) -> None:
    store = opened()
    keep(store, memory("01"))
    store.close()
    store.close()
    for use in (
        lambda: store.get("ada", "01"),
        lambda: keep(store, memory("02")),
        lambda: store.touch("ada", {"01": (1, AT)}),
        lambda: store.purge("ada", ["01"], AT),
    ):
        with pytest.raises(StoreError, match="closed"):
            use()
    failures: list[BaseException] = []

    def read_in_another_thread() -> None:
        try:
            store.get("ada", "01")
        except RecollectError as error:
            failures.append(error)

    thread = threading.Thread(target=read_in_another_thread)
    thread.start()
    thread.join()
    assert [type(error) for error in failures] == [StoreError]


def test_closing_folds_the_log_into_the_file(opened: Opened, path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    store.close()
    assert beside_files(path) == [path]


def test_closing_does_not_fail_while_somebody_reads(opened: Opened) -> None:
    store = opened()
    entered, go = threading.Event(), threading.Event()

    def pausing() -> int:
        entered.set()
        go.wait(30)
        return 1

    def read() -> None:
        with store._connections.reading() as reader:
            reader.create_scalar_function("pausing", pausing, 0)
            reader.execute("SELECT pausing()").fetchall()

    thread = threading.Thread(target=read)
    thread.start()
    assert entered.wait(30)
    store.close()
    go.set()
    thread.join(30)
    assert not thread.is_alive()
    with pytest.raises(StoreError, match="closed"):
        store.users()


def test_the_connection_of_a_thread_goes_with_it(opened: Opened) -> None:
    store = opened()
    keep(store, memory("01"))
    before = open_files()
    for _ in range(20):
        thread = threading.Thread(target=store.get, args=("ada", "01"))
        thread.start()
        thread.join()
    gc.collect()
    assert open_files() < before + 10


def test_threads_write_and_read_together(opened: Opened) -> None:
    store = opened()
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(25):
                keep(store, memory(f"{name}{number:02}"))
                assert store.get("ada", f"{name}{number:02}") is not None
                store.touch("ada", {f"{name}{number:02}": (1, AT)})
        except BaseException as error:  # noqa: BLE001 - a thread's failure is this test's
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.find("ada", EVERYTHING)) == 100
    assert store.verify("ada") == []


def test_the_drivers_errors_become_ours() -> None:
    expected = {
        apsw.BusyError: "StoreBusy",
        apsw.FullError: "StoreFull",
        apsw.IOError: "StoreFull",
        apsw.ReadOnlyError: "StoreFull",
        apsw.CorruptError: "StoreCorrupt",
        apsw.NotADBError: "StoreCorrupt",
        apsw.CantOpenError: "StoreError",
        apsw.SQLError: "StoreError",
    }
    for error, name in expected.items():
        with pytest.raises(StoreError) as caught, told(Path("x.db")):
            raise error("why")
        assert type(caught.value).__name__ == name
        assert "x.db" in str(caught.value)
        assert "why" in str(caught.value) or name == "StoreBusy"
