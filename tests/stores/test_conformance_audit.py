"""What was read and written, on every store: one's own alone, filtered, page by page, cut, and without what was purged."""

from datetime import timedelta

import pytest
from store_values import AT, LATER, keep, memory, revise

from recollect.model import AuditEntry, AuditFilter
from recollect.ports import Changes

HOUR = timedelta(hours=1)
EVERY = AuditFilter()


def read(number, **values):
    """The n-th read, n hours after the beginning."""
    chosen = {"operation": "recall", "channel": "_global", **values}
    return AuditEntry(f"r{number:03}", AT + number * HOUR, **chosen)


def nobody():
    raise AssertionError("nobody is to be asked")


def kept_ids(store, where=EVERY, user="ada", limit=100, **page):
    return [one.id for one in store.reads(user, where, limit=limit, **page)]


def test_what_was_read_comes_back_as_it_was_newest_first(store):
    first = read(1, actor="ben", session="s1", ids=("01", "ç"), cross_channel=("ç",), detail={"k": [1, "x"]})
    second = read(2, channel=None)
    store.note("ada", [first, second])
    assert store.reads("ada", EVERY, limit=10) == [second, first]


def test_a_read_is_kept_once_however_often_it_is_given(store):
    store.note("ada", [read(1)])
    store.note("ada", [read(1), read(2)])
    store.note("ada", [])
    assert kept_ids(store) == ["r002", "r001"]


def test_nobody_sees_what_another_read_or_wrote(store):
    store.note("ada", [read(1)])
    keep(store, memory("01"), user="ada")
    store.note("bob", [read(2)])
    assert kept_ids(store, user="bob") == ["r002"]
    assert store.writes("bob", EVERY, limit=10) == []
    assert store.reads("nobody", EVERY, limit=10) == store.writes("nobody", EVERY, limit=10) == []


def test_reading_leaves_the_chain_alone(store):
    keep(store, memory("01"))
    before = store.witness("ada")
    store.note("ada", [read(1, ids=("01",), detail={"question": "x"})])
    assert store.witness("ada") == before
    assert store.verify("ada") == []


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (AuditFilter(since=AT + 2 * HOUR), ["r003", "r002"]),
        (AuditFilter(until=AT + 2 * HOUR), ["r001"]),
        (AuditFilter(operation="get"), ["r002"]),
        (AuditFilter(session="s1"), ["r003", "r001"]),
        (AuditFilter(memory_id="01"), ["r002", "r001"]),
        (AuditFilter(memory_id="0"), []),
        (AuditFilter(session="s1", memory_id="01"), ["r001"]),
    ],
)
def test_reads_are_filtered(store, where, expected):
    store.note(
        "ada",
        [
            read(1, session="s1", ids=("01", "02")),
            read(2, operation="get", ids=("01",)),
            read(3, session="s1"),
        ],
    )
    assert kept_ids(store, where) == expected


def test_pages_of_reads_meet_also_where_many_are_of_one_moment(store):
    same = [AuditEntry(f"r{number}", AT, "recall") for number in range(5)]
    store.note("ada", [*same, read(9)])
    found, last = [], None
    while page := store.reads("ada", EVERY, after=last, limit=2):
        found += page
        last = page[-1].at, page[-1].id
    assert [one.id for one in found] == ["r009", "r4", "r3", "r2", "r1", "r0"]


def test_a_write_tells_what_was_written_where_and_by_whom(store):
    keep(store, memory("01", session="s1", actor="ci", channel="proj"), memory("02", session="s1"))
    revise(store, "01", pinned=True)
    store.write("ada", Changes("noted", LATER, detail={"a": 1}))
    noted, revised, kept = store.writes("ada", EVERY, limit=10)
    assert (noted.operation, noted.ids, noted.detail, noted.sequence) == ("noted", (), {"a": 1}, 3)
    assert (revised.ids, revised.channel, revised.session, revised.actor) == (("01",), "proj", "s1", "ci")
    assert (kept.ids, kept.channel, kept.session, kept.actor) == (("01", "02"), None, "s1", None)
    assert (kept.id, kept.at, kept.cross_channel) == ("1", AT, ())


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (AuditFilter(since=LATER), [3]),
        (AuditFilter(until=LATER), [2, 1]),
        (AuditFilter(operation="remember"), [2, 1]),
        (AuditFilter(session="s1"), [3, 1]),
        (AuditFilter(memory_id="02"), [2]),
        (AuditFilter(memory_id="01", operation="remember"), [1]),
    ],
)
def test_writes_are_filtered(store, where, expected):
    keep(store, memory("01", session="s1"))
    keep(store, memory("02"))
    revise(store, "01", pinned=True)
    assert [one.sequence for one in store.writes("ada", where, limit=10)] == expected


def test_pages_of_writes_meet(store):
    for number in range(5):
        keep(store, memory(f"0{number}"))
    assert [one.sequence for one in store.writes("ada", EVERY, limit=2)] == [5, 4]
    assert [one.sequence for one in store.writes("ada", EVERY, below=4, limit=9)] == [3, 2, 1]


def test_of_a_write_of_very_many_the_first_hundred_are_named(store):
    keep(store, *(memory(f"{number:03}") for number in range(130)))
    (one,) = store.writes("ada", EVERY, limit=1)
    assert one.ids == tuple(f"{number:03}" for number in range(100))
    (late,) = store.writes("ada", AuditFilter(memory_id="129"), limit=1)
    assert late.sequence == 1


def test_what_is_older_is_removed_in_batches_and_nothing_else(store, monkeypatch):
    for module in ("sqlite", "postgres"):
        monkeypatch.setattr(f"recollect.stores.{module}.auditing.BATCH", 2)
    keep(store, memory("01"))
    store.note("ada", [read(number) for number in range(6)])
    store.note("bob", [read(0)])
    assert store.forget_reads("ada", None, AT, nobody) == 0
    assert store.forget_reads("ada", AT + 5 * HOUR, AT, lambda: None) == 5
    assert kept_ids(store) == ["r005"]
    assert kept_ids(store, user="bob") == ["r000"]
    assert len(store.writes("ada", EVERY, limit=10)) == 1
    assert store.verify("ada") == []


def test_a_purge_takes_away_what_reads_say_of_it_and_leaves_that_they_were(store):
    keep(store, memory("01", "Ada likes tea"), memory("02"))
    told = {"question": "what does she like?"}
    store.note("ada", [read(1, ids=("01", "02"), detail=told), read(2, ids=("02",), detail=told)])
    store.note("bob", [read(1, ids=("01",), detail=told)])
    store.purge("ada", ["01"], LATER)
    second, first = store.reads("ada", EVERY, limit=10)
    assert (first.ids, first.detail) == (("01", "02"), {"erased": True})
    assert second.detail == told
    assert store.reads("bob", EVERY, limit=1)[0].detail == told, "another's is another's"


def test_a_purge_takes_away_questions_that_quote_it(store):
    keep(store, memory("01", "Ada likes  tea"))
    store.note(
        "ada",
        [
            read(1, detail={"question": "is it true that ADA\nlikes tea?"}),
            read(2, detail={"question": "who likes coffee?"}),
            read(3),
        ],
    )
    store.purge("ada", ["01"], LATER)
    assert [dict(one.detail) for one in store.reads("ada", EVERY, limit=10)] == [
        {},
        {"question": "who likes coffee?"},
        {"erased": True},
    ]


def test_what_is_told_late_of_a_purged_memory_is_not_kept(store):
    keep(store, memory("01"), memory("02"))
    store.purge("ada", ["01"], LATER)
    told = {"question": "x"}
    store.note("ada", [read(1, ids=("01",), detail=told), read(2, ids=("02",), detail=told)])
    assert [one.detail for one in store.reads("ada", EVERY, limit=10)] == [told, {"erased": True}]
