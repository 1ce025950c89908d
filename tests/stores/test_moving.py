"""A store that is moved into another one is the same there: memories, history, counters, chain."""

from contextlib import closing

import pytest
from store_values import AT, EVERYTHING, LATER, everything, keep, link, make_store, memory, revise

from recollect.errors import Conflict, InvalidInput, StoreCorrupt
from recollect.model import AuditEntry, Edge, State
from recollect.ports import Changes, RecordChange
from recollect.stores import moving
from recollect.stores.moving import move
from recollect.stores.parts import PARTS
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore

ODD = "before\0after \x01\x02 👩‍👧 ' \\ \""


def fill(store):
    for user in ("ada", ODD):
        keep(
            store,
            memory("01", tags=("t", ODD), sources=("x", ODD), metadata={"k": [1, ODD]}),
            memory("02", f"{ODD} of {user}", session=ODD, channel=ODD),
            memory("03"),
            *(memory(f"many{number:03}") for number in range(20)),
            user=user,
        )
        link(store, Edge("01", "02", "causes", 0.3, reason=ODD), Edge("02", "03", "causes"), user=user)
        revise(store, "01", user=user, text="second", tags=("u",), pinned=True)
        revise(store, "02", user=user, state=State.DORMANT)
        store.write(
            user, Changes("r", AT, records=(RecordChange("goal", ODD, [ODD]),), counters={"01": {"wins": 1}})
        )
        store.touch(user, {"01": (2, LATER), "02": (1, AT)})
        store.note(
            user, [AuditEntry("r1", AT, "recall", ODD, ODD, ODD, ("01", ODD), (ODD,), {"question": ODD})]
        )
        store.set_settings(user, {"a": ODD}, AT)
        store.purge(user, ["03"], LATER)
    numbers = [number for number, *_ in store.unembedded("other", 0, 10)]
    store.embed("other", 2, [(number, b"1234", bytes(32)) for number in numbers])


def same(one, other):
    for user in ("ada", ODD):
        assert everything(other, user) == everything(one, user)
        assert other.verify(user) == []
    assert other.unembedded("other", 0, 100) == one.unembedded("other", 0, 100)
    assert other.identity == one.identity


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.server)])
def elsewhere(request, tmp_path):
    """Makes an empty store of each kind; gives how to open it."""
    if request.param == "sqlite":
        return lambda: SQLiteStore(tmp_path / "elsewhere.db")
    address = request.getfixturevalue("postgres_address")
    return lambda: make_store("postgres", address)


@pytest.fixture
def source(tmp_path):
    with closing(SQLiteStore(tmp_path / "source.db")) as made:
        fill(made)
        yield made


def test_everything_is_the_same_there_and_back(source, elsewhere, tmp_path):
    with closing(elsewhere()) as target:
        moved = move(source, target)
    assert moved.rows == sum(source.size(part) for part in PARTS)
    with closing(elsewhere()) as there, closing(SQLiteStore(tmp_path / "back.db")) as back:
        same(source, there)
        move(there, back)
    with closing(SQLiteStore(tmp_path / "back.db")) as back:
        same(source, back)


def test_what_is_moved_goes_on(source, elsewhere):
    with closing(elsewhere()) as target:
        move(source, target)
    with closing(elsewhere()) as target:
        assert keep(target, memory("new"))[0].refusal is None
        assert keep(target, memory("again", "text of 03"))[0].refusal == "tombstone"
        assert keep(target, memory("05"), user="eve")[0].refusal is None
        assert [target.verify(user) for user in ("ada", ODD, "eve")] == [[], [], []]


class Stopped(Exception):
    """Somebody pulled the plug."""


def test_a_move_that_was_interrupted_goes_on_where_it_was(source, elsewhere, monkeypatch):
    monkeypatch.setattr(moving, "PAGE", 7)
    pages = 0
    for stop_after in (1, 5, 11):
        loaded = 0
        with closing(elsewhere()) as target:
            load = target.load

            def interrupted(part, rows, mark, load=load, stop=stop_after):
                nonlocal loaded, pages
                if loaded == stop:
                    raise Stopped
                load(part, rows, mark)
                loaded, pages = loaded + 1, pages + 1

            target.load = interrupted
            with pytest.raises(Stopped):
                move(source, target)
    with closing(elsewhere()) as target:
        rest = []
        load = target.load
        target.load = lambda part, rows, mark: (rest.append(part), load(part, rows, mark))
        assert move(source, target).resumed
        assert pages + len(rest) <= sum(-(-source.size(part) // 7) for part in PARTS) + 3, "none twice"
    with closing(elsewhere()) as target:
        same(source, target)


def test_a_source_that_changed_meanwhile_is_moved_anew(source, elsewhere):
    with closing(elsewhere()) as target:
        load = target.load

        def interrupted(part, rows, mark):
            if part == "edge":
                raise Stopped
            load(part, rows, mark)

        target.load = interrupted
        with pytest.raises(Stopped):
            move(source, target)
    source.purge("ada", ["01"], LATER)
    with closing(elsewhere()) as target:
        assert not move(source, target).resumed
    with closing(elsewhere()) as target:
        same(source, target)


def test_a_store_with_memories_is_not_moved_into(source, elsewhere):
    with closing(elsewhere()) as target:
        keep(target, memory("mine"), user="bob")
        with pytest.raises(Conflict, match="holds memories already"):
            move(source, target)
        assert len(target.find("bob", EVERYTHING)) == 1


def test_what_arrives_differently_is_told_and_not_kept(source, elsewhere):
    with closing(elsewhere()) as target:
        load = target.load
        target.load = lambda part, rows, mark: load(part, rows[1:] if part == "edge" else rows, mark)
        with pytest.raises(StoreCorrupt, match="'edge'"):
            move(source, target)
        assert target.users() == []


def test_a_store_in_memory_cannot_be_moved(source):
    with pytest.raises(InvalidInput, match="in memory"):
        move(source, ReferenceStore())


def test_a_store_is_not_moved_into_itself(source):
    with pytest.raises(InvalidInput, match="both"):
        move(source, source)


@pytest.mark.server
def test_a_snapshot_of_a_server_is_one_file_that_a_purge_follows(postgres_address, tmp_path):
    with closing(make_store("postgres", postgres_address)) as store:
        fill(store)
        store.snapshot(tmp_path / "copy.db", branch=False, at=AT)
        store.snapshot(tmp_path / "branch.db", branch=True, at=AT)
        assert store.copies() == [tmp_path / "branch.db", tmp_path / "copy.db"]
        with pytest.raises(Conflict, match="exists already"):
            store.snapshot(tmp_path / "copy.db", branch=False, at=AT)
        with closing(SQLiteStore(tmp_path / "copy.db")) as copy:
            same(store, copy)
        with closing(SQLiteStore(tmp_path / "branch.db")) as branch:
            assert branch.identity != store.identity
            assert branch.lineage()[0]["store"] == store.identity
            assert branch.lineage()[0]["base"] == {user: store.high_water(user)[1] for user in ("ada", ODD)}
            assert branch.changed("ada", branch.lineage()[0]["base"]["ada"]) == []
