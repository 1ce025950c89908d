"""No query that has an index to go by reads a whole table, whatever SQLite guesses about its size."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import apsw
import numpy as np
import pytest
from store_values import AT, MODEL, change, keep, link, memory, next_version

from recollect.model import Edge, Filter, Lane, State
from recollect.ports import Change, Changes, RecordChange
from recollect.stores.sqlite import SQLiteStore

BIG = (
    "version",
    "content",
    "node",
    "vector",
    "words",
    "edge",
    "tag",
    "counter",
    "learnt",
    "record",
    "witness",
    "l",
    "v",
    "c",
    "n",
    "x",
    "e",
    "f",
    "s",
    "t",
    "k",
    "w",
    "y",
    "z",
)
FIRST = 1 << 40
RECALLED = Filter(channels=("proj", "_global"), lanes=tuple(Lane), unexpired_at=AT)
CONTENTS = np.arange(FIRST, FIRST + 20, dtype=np.int64)


def edit(store: SQLiteStore) -> None:
    old = store.get("ada", "0001")
    assert old is not None
    text = change(next_version(old, text="edited", content=0, tags=("other",)))
    store.write("ada", Changes("edit", AT, (text, Change(next_version(text.memory, content=0))), model=MODEL))


READS: dict[str, Callable[[SQLiteStore], Any]] = {
    "get": lambda s: s.get("ada", "0001"),
    "get as of": lambda s: s.get("ada", "0001", AT),
    "versions": lambda s: s.versions("ada", "0001"),
    "resolve": lambda s: s.resolve("ada", "00"),
    "edges": lambda s: s.edges("ada", ["0001", "0002"], ["causes"]),
    "counters": lambda s: s.counters("ada", ["0001"]),
    "record": lambda s: s.record("ada", "goal", "ship"),
    "records": lambda s: s.records("ada", "goal", prefix="sh", after="ship", limit=2),
    "records_named": lambda s: s.records_named("ada", "goal", ["ship"]),
    "find a page": lambda s: s.find("ada", RECALLED, limit=5),
    "find the newest": lambda s: s.find("ada", RECALLED, limit=5, newest_first=True),
    "find the next page": lambda s: s.find("ada", RECALLED, limit=5, after="0004"),
    "find by tag": lambda s: s.find("ada", Filter(tags=("rare",)), limit=5),
    "find by a common tag": lambda s: s.find("ada", Filter(tags=("common",)), limit=5),
    "find by session": lambda s: s.find("ada", Filter(session="s1"), limit=5),
    "find by run": lambda s: s.find("ada", Filter(run="r1"), limit=5),
    "find by event": lambda s: s.find("ada", Filter(event_type_prefix="chat."), limit=5),
    "find as of": lambda s: s.find("ada", Filter(as_of=AT, tags=("rare",)), limit=5),
    "columns": lambda s: s.columns("ada", CONTENTS, RECALLED),
    "columns of a session": lambda s: s.columns("ada", CONTENTS, Filter(session="s1", role="user")),
    "accesses": lambda s: s.accesses("ada", CONTENTS, RECALLED),
    "columns as of": lambda s: s.columns("ada", CONTENTS, Filter(as_of=AT)),
    "shown": lambda s: s.shown("ada", CONTENTS.tolist(), RECALLED),
    "shown of a run": lambda s: s.shown("ada", CONTENTS.tolist(), Filter(run="r1", tags=("rare",))),
    "edges between": lambda s: s.edges_between("ada", CONTENTS[:3], CONTENTS),
    "stated": lambda s: s.stated("ada", CONTENTS),
    "stated as of": lambda s: s.stated("ada", CONTENTS, AT),
    "vectors": lambda s: s.vectors("ada", CONTENTS),
    "words": lambda s: s.words("ada", CONTENTS),
    "matching a tag": lambda s: s.matching("ada", Filter(tags=("rare",), channels=("proj",))),
    "matching tags": lambda s: s.matching("ada", Filter(tags=("rare", "common"), kinds=("note",))),
    "matching a session": lambda s: s.matching("ada", Filter(session="s1")),
    "matching a session's kinds": lambda s: s.matching("ada", Filter(session="s1", kinds=("note",))),
    "matching an actor": lambda s: s.matching("ada", Filter(actor="a")),
    "matching an event": lambda s: s.matching("ada", Filter(event_type_prefix="chat.")),
    "matching since": lambda s: s.matching("ada", Filter(since=AT + timedelta(days=1))),
    "matching dormant of a session": lambda s: s.matching(
        "ada", Filter(session="s1", states=(State.DORMANT,))
    ),
    "high water": lambda s: s.high_water("ada"),
    "documents": lambda s: s.documents("ada", FIRST + 5, 5),
    "visibility": lambda s: s.visibility("ada", FIRST + 5, 5),
    "survey": lambda s: s.survey("ada", RECALLED),
    "witness": lambda s: s.witness("ada", 1, 5),
    "changed": lambda s: s.changed("ada", FIRST + 5),
}
WRITES: dict[str, Callable[[SQLiteStore], Any]] = {
    "remember": lambda s: keep(s, memory("new", tags=("t",), session="s"), once=True),
    "edit": edit,
    "link": lambda s: link(s, Edge("0001", "0002", "causes"), Edge("0002", "0001", "mentions")),
    "learn": lambda s: s.write(
        "ada",
        Changes(
            "learn",
            AT,
            reweighed=(Edge("0001", "0005", "causes", 0.1),),
            unlinked=(Edge("0001", "0004", "causes"),),
            records=(RecordChange("goal", "ship", 1),),
            counters={"0001": {"wins": 1}},
            accesses={"0001": (1, AT)},
        ),
    ),
    "touch": lambda s: s.touch("ada", {"0001": (1, AT)}),
    "purge": lambda s: s.purge("ada", ["0001", "0003"], AT),
    "settings": lambda s: s.set_settings("ada", {"x": 1}, AT),
}


def fill(store: SQLiteStore, *, count: int, analyzed: bool) -> SQLiteStore:
    where = {"run": "r1", "actor": "a", "event_type": "chat.user"}
    tags = {True: ("common", "rare"), False: ("common",)}
    memories = (
        memory(f"{n:04}", tags=tags[n % 100 == 0], session=f"s{n // 50}", **where) for n in range(count)
    )
    keep(store, *memories, edges=[Edge("0001", f"{n:04}", "causes") for n in range(2, 40)])
    keep(store, memory("0001"), user="eve")
    if analyzed:
        with store._connections.alone() as connection:
            connection.execute("ANALYZE")
    return store


@pytest.fixture(scope="module", params=["guessing", "with statistics"])
def filled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[SQLiteStore]:
    store = SQLiteStore(tmp_path_factory.mktemp("plans") / "store.db")
    yield fill(store, count=1500, analyzed=request.param == "with statistics")
    store.close()


@contextmanager
def traced(connection: apsw.Connection) -> Iterator[list[tuple[str, Any]]]:
    statements: list[tuple[str, Any]] = []

    def note(_: apsw.Cursor, sql: str, bound: Any) -> bool:
        statements.append((sql, bound))
        return True

    connection.exec_trace = note
    try:
        yield statements
    finally:
        connection.exec_trace = None


def whole_scans(connection: apsw.Connection, statements: list[tuple[str, Any]]) -> list[str]:
    """The steps of the plans that read all of a table that grows."""
    found = []
    for sql, bound in statements:
        if sql.split()[0] not in {"SELECT", "INSERT", "UPDATE", "DELETE"}:
            continue
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", bound).fetchall()
        steps = [row[-1].split() for row in plan]
        found += [
            f"{' '.join(step)} <- {sql}"
            for step in steps
            if step[0] == "SCAN" and step[1] in BIG and "VIRTUAL" not in step
        ]
        found += [
            f"{' '.join(step)} <- {sql}"
            for step in steps
            if "TEMP B-TREE FOR ORDER BY" in " ".join(step) and "CROSS JOIN version v ON v.node" in sql
        ]
    return found


@pytest.mark.parametrize("name", READS)
def test_a_read_goes_by_an_index(filled: SQLiteStore, name: str) -> None:
    READS[name](filled)
    reader = filled._connections._reader()
    with traced(reader) as statements:
        READS[name](filled)
    assert statements
    assert whole_scans(reader, statements) == []


@pytest.mark.parametrize("name", WRITES)
def test_a_write_goes_by_an_index(sqlite: SQLiteStore, name: str) -> None:
    fill(sqlite, count=200, analyzed=False)
    with sqlite._connections.alone() as writer, traced(writer) as statements:
        WRITES[name](sqlite)
    assert whole_scans(sqlite._connections._reader(), statements) == []


def test_a_page_costs_a_page(sqlite: SQLiteStore) -> None:
    """The steps that SQLite takes for a page do not grow with the store."""
    costs = []
    for batch in range(2):
        keep(sqlite, *(memory(f"{batch}{n:05}", f"{batch} {n}") for n in range(200 if batch == 0 else 3000)))
        reader = sqlite._connections._reader()
        for newest in (False, True):
            after = "000100"
            steps = [0]

            def count(steps: list[int] = steps) -> bool:
                steps[0] += 1
                return False

            reader.set_progress_handler(count, 10)
            sqlite.find("ada", RECALLED, limit=20, after=after, newest_first=newest)
            reader.set_progress_handler(None)
            costs.append(steps[0])
    assert max(costs) < 2 * min(costs)
