"""What the derived index and the ranker read from every store, and that nobody reads another's."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from store_values import (
    AT,
    EVERYTHING,
    LATER,
    MODEL,
    change,
    everything,
    ids,
    keep,
    link,
    make_store,
    memory,
    new_text,
    revise,
    vector,
)

from recollect.errors import InvalidInput, NotFound
from recollect.model import (
    AuditEntry,
    AuditFilter,
    Edge,
    Filter,
    Lane,
    Scope,
    State,
    WitnessEntry,
    microseconds,
)
from recollect.ports import Change, Changes, RecordChange, Stated, Store, Visibility
from recollect.stores.reference import ReferenceStore


def test_documents_follow_in_the_order_of_writing(store: Store) -> None:
    assert store.documents("ada", 0, 10) == []
    texts = ["one", "two", "three"]
    keep(store, *(memory(f"0{n}", text) for n, text in enumerate(texts, 1)))
    documents = store.documents("ada", 0, 10)
    assert [(d.terms, d.vector) for d in documents] == [
        (new_text(t).terms, new_text(t).vector) for t in texts
    ]
    numbers = [d.content for d in documents]
    assert numbers == sorted(set(numbers))
    assert store.documents("ada", 0, 2) == documents[:2]
    assert store.documents("ada", numbers[1], 10) == documents[2:]
    assert store.documents("ada", numbers[2], 10) == []


def test_a_text_may_have_no_vector(store: Store) -> None:
    store.write("ada", Changes("w", AT, (Change(memory("01"), new_text("x", dimension=None)),)))
    document = store.documents("ada", 0, 10)[0]
    assert document.vector is None
    assert len(store.vectors("ada", np.array([document.content]))[0]) == 0


def test_an_edit_adds_a_document_and_hides_the_one_before(store: Store) -> None:
    keep(
        store,
        memory("01", "one", channel="c", lane=Lane.LOG, scope=Scope.SESSION, session="s", valid_until=LATER),
    )
    revise(store, "01", state=State.DORMANT, confidence=0.25)
    revise(store, "01", text="two", state=State.ACTIVE, importance=0.75)
    first, second = (d.content for d in store.documents("ada", 0, 10))
    rows = store.visibility("ada", 0, 10)
    shape = ("c", "s", AT, LATER)
    assert [(v.content, v.past_content, v.lane, v.state) for v in rows] == [
        (first, None, Lane.LOG, State.ACTIVE),
        (first, None, Lane.LOG, State.DORMANT),
        (second, first, Lane.LOG, State.ACTIVE),
    ]
    assert {(v.channel, v.only_session, v.valid_from, v.valid_until) for v in rows} == {shape}
    assert [(v.confidence, v.importance) for v in rows] == [(1.0, 0.5), (0.25, 0.5), (0.25, 0.75)]
    assert store.visibility("ada", rows[0].version, 1) == rows[1:2]
    assert store.high_water("ada") == (second, rows[-1].version)


def test_only_the_session_scope_binds_to_a_session(store: Store) -> None:
    keep(
        store,
        memory("01", scope=Scope.SESSION, session="s"),
        memory("02", session="s"),
        memory("03", scope=Scope.SESSION),
    )
    assert [v.only_session for v in store.visibility("ada", 0, 10)] == ["s", None, None]


def test_high_water_rises_with_every_version_and_only_then(store: Store) -> None:
    assert store.high_water("ada") == (0, 0)
    keep(store, memory("01"), memory("02"))
    content, version = store.high_water("ada")
    link(store, Edge("01", "02", "causes"))
    store.touch("ada", {"01": (1, AT)})
    store.set_settings("ada", {"x": 1}, AT)
    keep(store, memory("03", "text of 01"), once=True)
    assert store.high_water("ada") == (content, version)
    revise(store, "01", pinned=True)
    assert store.high_water("ada") == (content, version + 1)
    store.purge("ada", ["02"], AT)
    assert store.high_water("ada") == (content, version + 2)
    keep(store, memory("04"))
    assert store.high_water("ada") == (content + 1, version + 3), (
        "the number of an erased text is not used again"
    )


def test_vectors_come_ascending_and_once(store: Store) -> None:
    keep(store, *(memory(f"0{n}", f"text {n}") for n in range(5)))
    contents = np.array([d.content for d in store.documents("ada", 0, 10)], np.int64)
    asked = np.concatenate([contents[::-1], contents, contents + 1000, [-1, 0]])
    found, vectors = store.vectors("ada", asked)
    assert found.tolist() == contents.tolist()
    assert vectors.dtype == np.float16
    assert [row.tobytes() for row in vectors] == [new_text(f"text {n}").vector for n in range(5)]
    nothing, none = store.vectors("ada", np.empty(0, np.int64))
    assert len(nothing) == len(none) == 0


def test_columns_tell_what_the_ranker_needs(store: Store) -> None:
    early = AT - timedelta(days=5)
    keep(store, memory("01", confidence=0.25, importance=0.75, valid_from=early), memory("02", at=LATER))
    store.touch("ada", {"01": (7, LATER)})
    numbers = [d.content for d in store.documents("ada", 0, 10)]
    columns = store.columns("ada", np.array([*numbers[::-1], 5, 1 << 50], np.int64), Filter())
    assert columns.contents.tolist() == numbers
    assert columns.confidence.tolist() == [0.25, 1.0]
    assert columns.importance.tolist() == [0.75, 0.5]
    assert columns.valid_from.tolist() == [microseconds(early), microseconds(LATER)]
    empty = store.columns("ada", np.empty(0, np.int64), Filter())
    for one in (columns, empty):
        kinds = {name: getattr(one, name).dtype for name in ("contents", "confidence", "valid_from")}
        assert kinds == {"contents": np.int64, "confidence": np.float64, "valid_from": np.int64}


def test_accesses_tell_how_often_and_when_last(store: Store) -> None:
    keep(store, memory("01"), memory("02", at=LATER))
    store.touch("ada", {"01": (7, LATER)})
    numbers = [d.content for d in store.documents("ada", 0, 10)]
    accesses = store.accesses("ada", np.array([*numbers[::-1], 5, 1 << 50], np.int64), Filter())
    assert accesses.contents.tolist() == numbers
    assert accesses.counts.tolist() == [7, 0]
    assert accesses.last.tolist() == [microseconds(LATER)] * 2
    empty = store.accesses("ada", np.empty(0, np.int64), Filter())
    assert {one.dtype for one in (accesses.counts, accesses.last, empty.counts)} == {np.dtype(np.int64)}
    assert not len(empty.contents)


def test_columns_as_of_then_show_the_text_of_then(store: Store) -> None:
    keep(store, memory("01", "one", confidence=0.5))
    revise(store, "01", text="two", confidence=0.9)
    old, new = (d.content for d in store.documents("ada", 0, 10))
    both = np.array([old, new])
    assert store.columns("ada", both, Filter()).contents.tolist() == [new]
    then = store.columns("ada", both, Filter(as_of=AT))
    assert (then.contents.tolist(), then.confidence.tolist()) == ([old], [0.5])
    assert [m.text for m in store.shown("ada", [old, new], Filter(as_of=AT))] == ["one"]
    assert [m.text for m in store.shown("ada", [old, new], Filter())] == ["two"]


def test_edges_between_contents_are_told_whichever_way_they_lead_and_once(store: Store) -> None:
    keep(store, memory("01"), memory("02"), memory("03"), memory("04"))
    revise(store, "02", text="two")
    link(store, Edge("01", "02", "causes", 0.5), Edge("03", "01", "mentions"), Edge("04", "03", "causes"))
    first, _, third, _, second = (d.content for d in store.documents("ada", 0, 10))
    every = np.array([d.content for d in store.documents("ada", 0, 10)])
    found = store.edges_between("ada", np.array([first]), np.array([first, second, third]))
    when = microseconds(AT)
    assert found == [(first, second, "causes", 0.5, when), (third, first, "mentions", 1.0, when)]
    assert len(store.edges_between("ada", every, every)) == 4, "a text of before is of the same memory"
    nobody = np.empty(0, np.int64)
    assert store.edges_between("ada", every, nobody) == store.edges_between("ada", nobody, every) == []


def test_what_was_formed_of_turns_is_told_with_what_stands_in_its_place(store: Store) -> None:
    formed = ("02", "03", "04", "05")
    keep(
        store,
        memory("01", lane=Lane.LOG),
        *(memory(one, write_source="observer") for one in formed),
        memory("06"),
        edges=[Edge(one, "01", "derived_from") for one in (*formed[:2], "06")],
    )
    turn, second, third, fourth, fifth, _ = (d.content for d in store.documents("ada", 0, 10))
    turns = np.array([turn, third])
    assert store.stated("ada", turns) == [], "nothing was replaced"
    revise(store, "02", superseded_by="04")
    replaced = Stated(turn, second, fourth, "04")
    assert store.stated("ada", turns) == [replaced, Stated(turn, third)], "06 was remembered"
    assert store.stated("ada", turns, AT) == []
    much_later = LATER + timedelta(days=1)
    revise(store, "04", at=much_later, superseded_by="05")
    assert store.stated("ada", turns)[0] == Stated(turn, second, fifth, "05"), "the last one counts"
    assert store.stated("ada", turns, LATER)[0] == replaced
    revise(store, "05", at=much_later, state=State.DORMANT)
    assert store.stated("ada", turns)[0] == Stated(turn, second), "what was forgotten stands nowhere"
    assert store.stated("ada", np.empty(0, np.int64)) == []


def test_a_ring_of_replacements_has_no_end_and_is_told_as_none(store: Store) -> None:
    keep(
        store,
        memory("01", lane=Lane.LOG),
        memory("02", write_source="observer", superseded_by="03"),
        memory("03", superseded_by="02"),
        edges=[Edge("02", "01", "derived_from")],
    )
    turn, formed, _ = (d.content for d in store.documents("ada", 0, 10))
    assert store.stated("ada", np.array([turn])) == [Stated(turn, formed)]


# nobody sees another's

PLACES = {"index_folder"}
"""These tell where something of a user's is, and nothing of it."""
PER_USER = {
    name
    for name, method in inspect.getmembers(Store, inspect.isfunction)
    if "user" in inspect.signature(method).parameters
} - PLACES
EVERYBODY = {
    "everyones_records",
    "everyones_settings",
    "users",
    "model",
    "unembedded",
    "unembedded_count",
    "embed",
    "adopt",
    "snapshot",
    "copies",
    "lineage",
    "compact",
    "close",
    "reading",
}


FILTERS = (
    EVERYTHING,
    Filter(tags=("t",)),
    Filter(session="s"),
    Filter(kinds=("fact",)),
    Filter(since=AT),
    Filter(as_of=AT, session="s"),
    Filter(pinned=False),
)


def asking(contents: Any) -> dict[str, Callable[[Store, str], Any]]:
    """Every method that names its user, asked about ada's memories."""
    numbers = np.array(contents, np.int64)
    return {
        "get": lambda s, u: (s.get(u, "01"), s.get(u, "01", AT)),
        "versions": lambda s, u: s.versions(u, "01"),
        "find": lambda s, u: [m for where in FILTERS for m in s.find(u, where)],
        "resolve": lambda s, u: s.resolve(u, ""),
        "edges": lambda s, u: s.edges(u, ["01", "02"]),
        "all_edges": lambda s, u: list(s.all_edges(u)),
        "counters": lambda s, u: s.counters(u, ["01", "02"]),
        "record": lambda s, u: s.record(u, "goal", "ship"),
        "records": lambda s, u: s.records(u, "goal"),
        "records_named": lambda s, u: s.records_named(u, "goal", ["ship", "none"]),
        "tombstones": lambda s, u: s.tombstones(u),
        "erased": lambda s, u: [is_gone for is_gone in s.erased(u, ["text of 03"]) if is_gone],
        "counts": lambda s, u: [value for value in s.counts(u).values() if value],
        "documents": lambda s, u: s.documents(u, 0, 100),
        "visibility": lambda s, u: s.visibility(u, 0, 100),
        "high_water": lambda s, u: [n for n in s.high_water(u) if n],
        "vectors": lambda s, u: s.vectors(u, numbers)[0].tolist(),
        "words": lambda s, u: s.words(u, numbers)[0].tolist(),
        "matching": lambda s, u: [n for where in FILTERS for n in s.matching(u, where).tolist()],
        "columns": lambda s, u: s.columns(u, numbers, EVERYTHING).contents.tolist(),
        "accesses": lambda s, u: s.accesses(u, numbers, EVERYTHING).contents.tolist(),
        "shown": lambda s, u: s.shown(u, list(contents), EVERYTHING),
        "stated": lambda s, u: s.stated(u, numbers),
        "edges_between": lambda s, u: s.edges_between(u, numbers, numbers),
        "survey": lambda s, u: s.survey(u, EVERYTHING).ids.tolist(),
        "settings": lambda s, u: s.settings(u),
        "witness": lambda s, u: s.witness(u),
        "changed": lambda s, u: s.changed(u, 0),
        "verify": lambda s, u: s.verify(u),
        "reads": lambda s, u: s.reads(u, AuditFilter(), limit=10),
        "writes": lambda s, u: s.writes(u, AuditFilter(), limit=10),
    }


def as_eve(known: list[str], contents: Any) -> dict[str, Callable[[Store], Any]]:
    """Every method that writes, tried on ada's memories."""
    return {
        "write": lambda s: [
            refused(NotFound, lambda: revise_as(s, memory("01", "x", version=3))),
            refused(NotFound, lambda: link(s, Edge("01", "02", "causes"), user="eve")),
            refused(InvalidInput, lambda: steal(s, contents[0])),
            refused(NotFound, lambda: s.write("eve", Changes("e", AT, counters={"01": {"wins": 1}}))),
            refused(
                NotFound, lambda: s.write("eve", Changes("e", AT, unlinked=(Edge("01", "02", "causes"),)))
            ),
            s.write("eve", Changes("e", AT, records=(RecordChange("goal", "ship", None),))),
        ],
        "touch": lambda s: [
            s.touch("eve", dict.fromkeys(known, (1, AT))),
            s.write("eve", Changes("e", AT, accesses=dict.fromkeys(known, (1, AT)))),
        ],
        "purge": lambda s: refused(NotFound, lambda: s.purge("eve", known, AT)),
        "set_settings": lambda s: s.set_settings("eve", {"x": None}, AT),
        "note": lambda s: s.note("eve", [AuditEntry("r1", AT, "recall", ids=("01",))]),
        "forget_reads": lambda s: s.forget_reads("eve", LATER, LATER, lambda: None),
    }


def refused(error: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(error):
        call()


def revise_as(store: Store, one: Any) -> None:
    store.write("eve", Changes("e", AT, (change(one),), model=MODEL))


def steal(store: Store, content: int) -> None:
    store.write("eve", Changes("e", AT, (Change(memory("01", content=content)),)))


def fill_for_ada(store: Store) -> list[int]:
    """Something for every method to tell; gives ada's contents."""
    keep(
        *(
            store,
            memory("01", tags=("t",), session="s"),
            memory("02", kind="fact", write_source="observer", superseded_by="01"),
        ),
        memory("03"),
        edges=[Edge("01", "02", "causes"), Edge("02", "01", "derived_from")],
    )
    revise(store, "01", text="edited")
    store.purge("ada", ["03"], AT)
    store.touch("ada", {"01": (1, AT)})
    store.set_settings("ada", {"x": 1}, AT)
    store.note("ada", [AuditEntry("r1", AT, "recall", ids=("01",))])
    store.write("ada", Changes("record", AT, records=(RecordChange("goal", "ship", 1),)))
    return [d.content for d in store.documents("ada", 0, 10)]


def test_a_stranger_sees_nothing_through_any_method(store: Store) -> None:
    contents = fill_for_ada(store)
    asked, written = asking(contents), as_eve(["01", "02"], contents)
    assert asked.keys() | written.keys() == PER_USER, "every method is tried"
    before = everything(store)
    for name, ask in asked.items():
        assert ask(store, "ada") or name == "verify", f"{name} has something to hide"
        answer = ask(store, "eve")
        assert not any(answer) if isinstance(answer, tuple) else not answer, name
    for write in written.values():
        write(store)
    assert {**everything(store), "users": 0} == {**before, "users": 0}
    keep(store, memory("01", "eve's own"), memory("09", "text of 03"), user="eve")
    assert ids(store.find("eve", EVERYTHING)) == ["01", "09"], "neither ids nor tombstones are shared"
    assert {**everything(store), "users": 0} == {**before, "users": 0}


def test_a_user_is_told_the_same_whoever_else_is_there(store: Store, tmp_path: Path) -> None:
    """Every answer to eve equals that of a store that holds her memories alone."""
    alone = make_store("reference" if isinstance(store, ReferenceStore) else "sqlite", tmp_path / "alone")
    for one in (store, alone):
        keep(one, memory("01", "eve's"), memory("50", session="of eve", tags=("of eve",)), user="eve")
    for name, ask in asking(fill_for_ada(store)).items():
        assert told(ask(store, "eve")) == told(ask(alone, "eve")), name
    keep(store, memory("04", "ada's last"))
    mixed = np.array([d.content for user in store.users() for d in store.documents(user, 0, 10)])
    assert {m.text for m in store.shown("eve", mixed.tolist(), EVERYTHING)} == {"eve's", "text of 50"}
    assert len(store.vectors("eve", mixed)[0]) == len(store.columns("eve", mixed, EVERYTHING).contents) == 2
    alone.close()


def told(answer: Any) -> Any:
    """Without the hashes, which each store keys with a secret of its own."""
    if not isinstance(answer, list):
        return answer
    shown = [replace(e, digest=b"", hash=b"") if isinstance(e, WitnessEntry) else e for e in answer]
    return [e for e in shown if not (isinstance(e, dict) and "hash" in e)]


def test_every_method_of_a_store_is_either_of_a_user_or_of_everybody() -> None:
    methods = {name for name, _ in inspect.getmembers(Store, inspect.isfunction) if not name.startswith("_")}
    assert methods == PER_USER | PLACES | EVERYBODY


def test_no_two_users_share_an_index(store: Store) -> None:
    folders = [store.index_folder(user) for user in ("ada", "Ada", "a/../b", "b", "\0", "")]
    assert set(folders) == {None} or len({str(folder) for folder in folders}) == len(folders)


def test_users_have_numbers_of_their_own(store: Store) -> None:
    for user in ("ada", "eve", "bob"):
        keep(store, memory("01"), memory("02"), user=user)
        keep(store, memory("03"), user="ada") if user == "eve" else None
    numbers = [d.content for user in store.users() for d in store.documents(user, 0, 10)]
    assert len(numbers) == len(set(numbers)) == 7
    rows: list[Visibility] = [v for user in store.users() for v in store.visibility(user, 0, 10)]
    assert len({v.version for v in rows}) == 7


def test_vectors_are_not_shared_between_memories_of_users(store: Store) -> None:
    keep(store, memory("01", "same"))
    keep(store, memory("01", "same"), user="eve")
    store.purge("ada", ["01"], AT)
    number = store.documents("eve", 0, 1)[0].content
    assert store.vectors("eve", np.array([number]))[1].tobytes() == new_text("same").vector != vector(0)
