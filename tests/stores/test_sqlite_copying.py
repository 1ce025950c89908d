"""Snapshots and branches: whole, alone in their file, remembered."""

import errno
import stat
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from store_processes import beside, heard
from store_values import AT, EVERYTHING, LATER, everything, keep, link, memory, revise, text_of

from recollect.errors import Conflict, StoreError, StoreFull
from recollect.model import Edge
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore

Opened = Callable[..., SQLiteStore]


@pytest.fixture
def full(sqlite: SQLiteStore) -> SQLiteStore:
    keep(sqlite, memory("01", tags=("t",)), memory("02"), memory("03"))
    keep(sqlite, memory("01"), user="eve")
    link(sqlite, Edge("01", "02", "causes"))
    revise(sqlite, "01", text="edited")
    sqlite.purge("ada", ["03"], AT)
    sqlite.touch("ada", {"02": (2, LATER)})
    sqlite.set_settings("ada", {"k": 5}, AT)
    return sqlite


def test_a_snapshot_is_the_whole_store(full: SQLiteStore, opened: Opened, tmp_path: Path) -> None:
    place = tmp_path / "sub" / "snapshot.db"
    full.snapshot(place, branch=False, at=LATER)
    assert [file.name for file in place.parent.iterdir()] == ["snapshot.db"], "one file and nothing beside it"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    copy = opened(place)
    for user in ("ada", "eve"):
        assert everything(copy, user) == everything(full, user)
        assert copy.verify(user) == []
    assert copy.identity == full.identity
    assert copy.lineage() == copy.copies() == []
    keep(copy, memory("09"))
    assert full.get("ada", "09") is None


def test_a_snapshot_works_like_any_store(full: SQLiteStore, opened: Opened, tmp_path: Path) -> None:
    full.snapshot(tmp_path / "s.db", branch=False, at=AT)
    copy = opened(tmp_path / "s.db")
    connection = apsw.Connection(str(tmp_path / "s.db"))
    assert connection.execute("PRAGMA journal_mode").get == "wal"
    connection.close()
    assert keep(copy, memory("08", "TEXT OF 03"))[0].refusal == "tombstone"
    copy.purge("ada", ["01"], AT)
    assert text_of(full, "01") == "edited"


def test_copies_are_remembered_while_they_are_there(full: SQLiteStore, tmp_path: Path) -> None:
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    full.snapshot(first, branch=False, at=AT)
    full.snapshot(second, branch=True, at=AT)
    assert full.copies() == [first, second]
    first.unlink()
    assert full.copies() == [second]


def test_a_relative_path_is_remembered_in_full(
    full: SQLiteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    full.snapshot(Path("near.db"), branch=False, at=AT)
    monkeypatch.chdir("/")
    assert full.copies() == [tmp_path / "near.db"]


def test_a_branch_knows_where_it_left(full: SQLiteStore, opened: Opened, tmp_path: Path) -> None:
    place, further = tmp_path / "branch.db", tmp_path / "twig.db"
    full.snapshot(place, branch=True, at=LATER)
    branch = opened(place)
    assert branch.identity != full.identity
    base = {user: full.high_water(user)[1] for user in ("ada", "eve")}
    assert branch.lineage() == [{"store": full.identity, "created_at": LATER, "base": base}]
    keep(branch, memory("10"))
    branch.snapshot(further, branch=True, at=LATER)
    twig = opened(further)
    assert [row["store"] for row in twig.lineage()] == [full.identity, branch.identity]
    assert twig.lineage()[1]["base"]["ada"] == branch.high_water("ada")[1] == base["ada"] + 1
    assert branch.changed("ada", base["ada"]) == ["10"]
    assert full.changed("ada", base["ada"]) == []
    keep(full, memory("11"))
    assert full.changed("ada", base["ada"]) == ["11"]
    assert branch.verify("ada") == twig.verify("ada") == []


def test_a_snapshot_never_overwrites(full: SQLiteStore, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("precious")
    with pytest.raises(Conflict, match="exists already"):
        full.snapshot(taken, branch=False, at=AT)
    assert taken.read_text() == "precious"
    with pytest.raises(Conflict):
        full.snapshot(Path(full.location), branch=False, at=AT)
    assert full.copies() == []


def test_the_log_of_a_lost_store_is_not_taken_for_the_copys(full: SQLiteStore, tmp_path: Path) -> None:
    (tmp_path / "new.db-wal").write_bytes(b"frames of another store")
    with pytest.raises(Conflict, match=r"new\.db-wal"):
        full.snapshot(tmp_path / "new.db", branch=False, at=AT)


def test_a_copy_that_fails_leaves_no_trace(
    full: SQLiteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreFull, match="not a folder"):
        full.snapshot(tmp_path / "file" / "copy.db", branch=False, at=AT)

    def full_disk(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(StoreFull, match="No space left"):
        full.snapshot(tmp_path / "copy.db", branch=False, at=AT)
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == []
    connection = apsw.Connection(full.location)
    assert connection.execute("SELECT count(*) FROM copy").get == 0
    connection.close()


def test_a_snapshot_sees_one_moment_while_others_write(opened: Opened, path: Path, tmp_path: Path) -> None:
    store = opened()
    keep(store, *(memory(f"{n:03}", f"{n} " + "x" * 3000) for n in range(300)))
    with beside("write_for", path, 1.5) as writer:
        assert heard(writer) == "began"
        for attempt in range(3):
            place = tmp_path / f"copy{attempt}.db"
            store.snapshot(place, branch=False, at=AT)
            copy = opened(place)
            assert copy.verify("ada") == []
            written = [m.id for m in copy.find("ada", EVERYTHING) if m.id.startswith("w")]
            assert len(written) % 20 == 0, "a transaction is in the copy wholly or not at all"
        heard(writer)


def test_a_store_in_memory_says_that_it_has_no_file(tmp_path: Path) -> None:
    store = ReferenceStore()
    with pytest.raises(StoreError, match="path"):
        store.snapshot(tmp_path / "x.db", branch=False, at=AT)
    assert store.copies() == store.lineage() == []
    assert store.location == ":memory:"
    store.compact()
