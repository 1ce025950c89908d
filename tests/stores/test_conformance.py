"""What every store does with memories: keeps them, versions them, relates them, refuses what it must."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
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
    memory,
    new_text,
    next_version,
    revise,
    text_of,
)

from recollect.errors import Conflict, InvalidInput, ModelMismatch, NotFound, RecollectError
from recollect.model import KEYED, Counters, Edge, Filter, Lane, Memory, Scope, State
from recollect.ports import Change, Changes, NewText, Store, Written

# keeping


def test_a_memory_comes_back_as_it_was_written(store: Store) -> None:
    written = memory(
        "01",
        "Deploys go through staging",
        valid_until=LATER,
        lane=Lane.LOG,
        kind="decision",
        channel="project",
        scope=Scope.SESSION,
        supersedes="00",
        superseded_by="02",
        tags=("ops", "urgent"),
        pinned=True,
        immutable=True,
        confidence=0.1 + 0.2,
        importance=1 / 3,
        session="s",
        run="r",
        actor="a",
        event_type="chat.user_msg",
        role="user",
        speaker="Ada",
        sources=("00",),
        write_source="observer",
        data_source="tool",
        reason="said so",
        metadata={"depth": [1, {"x": None}], "é": 0.1},
    )
    assert keep(store, written) == [Written("01")]
    found = store.get("ada", "01")
    assert found is not None
    assert replace(found, content=0) == written
    assert found.content > 0


def test_an_unknown_memory_is_none(store: Store) -> None:
    assert store.get("ada", "01") is None
    keep(store, memory("01"))
    assert store.get("ada", "0") is None
    assert store.versions("ada", "02") == []


def test_a_change_adds_a_version_and_keeps_those_before_it(store: Store) -> None:
    keep(store, memory("01", "first"))
    revise(store, "01", text="second", at=AT + timedelta(days=1), tags=("t",))
    revise(store, "01", state=State.DORMANT, at=AT + timedelta(days=2))
    versions = store.versions("ada", "01")
    assert [(m.version, m.text, m.state, m.tags) for m in versions] == [
        (1, "first", State.ACTIVE, ()),
        (2, "second", State.ACTIVE, ("t",)),
        (3, "second", State.DORMANT, ("t",)),
    ]
    assert [m.retired_at for m in versions] == [AT + timedelta(days=1), AT + timedelta(days=2), None]
    assert store.get("ada", "01") == versions[-1]


def test_get_as_of_gives_what_was_believed_then(store: Store) -> None:
    keep(store, memory("01", "first"))
    revise(store, "01", text="second", at=LATER)
    moments = {
        AT - timedelta(seconds=1): None,
        AT: "first",
        LATER - timedelta(microseconds=1): "first",
        LATER: "second",
    }
    for moment, expected in moments.items():
        found = store.get("ada", "01", moment)
        assert (found and found.text) == expected, moment


def test_a_version_without_a_new_text_keeps_text_provenance_and_metadata(store: Store) -> None:
    keep(store, memory("01", "kept", session="s", metadata={"k": 1}))
    old = store.get("ada", "01")
    assert old is not None
    bare = Memory("01", "", LATER, LATER, version=2, tags=("t",))
    store.write("ada", Changes("tag", LATER, (Change(bare),)))
    found = store.get("ada", "01")
    assert found is not None
    assert (found.text, found.origin, found.metadata, found.content) == (
        "kept",
        old.origin,
        {"k": 1},
        old.content,
    )
    assert found.tags == ("t",)
    assert len(store.documents("ada", 0, 10)) == 1


def test_a_new_version_is_never_retired_already(store: Store) -> None:
    keep(store, memory("01", retired_at=AT))
    found = store.get("ada", "01")
    assert found is not None
    assert found.retired_at is None


def test_many_versions_of_one_memory_go_into_one_transaction(store: Store) -> None:
    first = memory("01", "one")
    second = next_version(first, text="two")
    third = next_version(second, LATER + timedelta(days=1), content=0, pinned=True)
    store.write("ada", Changes("import", AT, (change(first), change(second), Change(third)), model=MODEL))
    assert [m.text for m in store.versions("ada", "01")] == ["one", "two", "two"]


# refusing


def test_writing_an_id_again_is_a_conflict(store: Store) -> None:
    keep(store, memory("01"))
    with pytest.raises(Conflict, match="01"):
        keep(store, memory("01", "other"))


@pytest.mark.parametrize("version", [2, 4, 9])
def test_a_stale_or_skipped_version_is_a_conflict(store: Store, version: int) -> None:
    keep(store, memory("01"))
    revise(store, "01", pinned=True)
    with pytest.raises(Conflict, match="01"):
        store.write("ada", Changes("edit", LATER, (change(memory("01", "x", version=version)),), model=MODEL))


@pytest.mark.parametrize("text", [None, "other"])
def test_a_version_of_an_unknown_memory_is_not_found(store: Store, text: str | None) -> None:
    keep(store, memory("01"))
    later = memory("02", text, version=2)
    with pytest.raises(NotFound, match="02"):
        store.write(
            "ada", Changes("edit", AT, (Change(later, new_text(later.text) if text else None),), model=MODEL)
        )


def test_a_new_memory_without_a_text_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="01"):
        store.write("ada", Changes("remember", AT, (Change(memory("01")),)))


def test_a_memory_cannot_show_the_text_of_another(store: Store) -> None:
    keep(store, memory("01", "mine"), memory("02", "yours"))
    other = store.get("ada", "02")
    assert other is not None
    with pytest.raises(InvalidInput, match="01"):
        revise(store, "01", content=other.content)
    assert text_of(store, "01") == "mine"


def test_only_purge_makes_a_memory_purged(store: Store) -> None:
    keep(store, memory("01"))
    with pytest.raises(InvalidInput, match="purge"):
        revise(store, "01", state=State.PURGED)


def test_the_same_text_is_kept_once_for_each_place(store: Store) -> None:
    keep(store, memory("01", "Same text"))
    assert keep(store, memory("02", "  same\tTEXT "), once=True) == [Written("01", "duplicate")]
    places: list[dict[str, Any]] = [
        {"channel": "project"},
        {"lane": Lane.LOG},
        {"scope": Scope.SESSION, "session": "s1"},
        {"scope": Scope.SESSION, "session": "s2"},
    ]
    for number, place in enumerate(places, 3):
        one = memory(f"{number:02}", "same text", **place)
        assert keep(store, one, once=True) == [Written(one.id)]
        again = replace(one, id=f"{number:02}-again")
        assert keep(store, again, once=True) == [Written(one.id, "duplicate")]
    project = memory("20", "same text", scope=Scope.PROJECT)
    assert keep(store, project, once=True) == [Written("01", "duplicate")], "a wider scope is the same place"


def test_what_an_application_keeps_is_no_twin_of_another_kind(store: Store) -> None:
    for kind in KEYED:
        keep(store, memory(f"1-{kind}", "same text", kind=kind))
    assert keep(store, memory("2", "same text"), once=True) == [Written("2")]
    for kind in KEYED:
        again = memory(f"3-{kind}", "same text", kind=kind)
        assert keep(store, again, once=True) == [Written(f"1-{kind}", "duplicate")]
    assert keep(store, memory("4", "same text", kind="fact"), once=True) == [Written("2", "duplicate")]


def test_the_same_text_twice_in_one_transaction_is_kept_once(store: Store) -> None:
    assert keep(store, memory("01", "same"), memory("02", "SAME"), once=True) == [
        Written("01"),
        Written("01", "duplicate"),
    ]
    assert ids(store.find("ada", EVERYTHING)) == ["01"]


def test_without_once_the_same_text_is_kept_again(store: Store) -> None:
    assert keep(store, memory("01", "same"), memory("02", "same")) == [Written("01"), Written("02")]


@pytest.mark.parametrize("gone", [{"state": State.DORMANT}, {"valid_until": LATER}, {"text": "edited"}])
def test_a_text_that_is_no_longer_active_may_be_learnt_again(store: Store, gone: dict[str, Any]) -> None:
    keep(store, memory("01", "same"))
    revise(store, "01", **gone)
    assert keep(store, memory("02", "same"), once=True) == [Written("02")]


def test_what_hangs_on_a_refused_memory_is_left_out_with_it(store: Store) -> None:
    keep(store, memory("01", "erased"), memory("02", "old"), memory("03", "known"))
    store.purge("ada", ["01"], AT)
    old = store.get("ada", "02")
    assert old is not None
    refused = memory("04", "ERASED", supersedes="02")
    written = store.write(
        "ada",
        Changes(
            "supersede",
            LATER,
            (
                change(refused),
                Change(next_version(refused, content=0)),
                Change(next_version(old, valid_until=LATER, superseded_by="04")),
                change(memory("05", "Known"), once=True),
                Change(memory("05", "Known", version=2)),
            ),
            (
                Edge("04", "02", "supersedes"),
                Edge("03", "02", "related_to"),
                Edge("05", "02", "derived_from"),
            ),
            model=MODEL,
        ),
    )
    assert written == [
        *(Written("04", "tombstone"), Written("04", "tombstone"), Written("02", "tombstone")),
        *(Written("03", "duplicate"), Written("03", "duplicate")),
    ]
    assert store.get("ada", "02") == old
    assert store.get("ada", "04") is store.get("ada", "05") is None
    assert [(e.source, e.target) for e in store.all_edges("ada")] == [("03", "02")]
    assert store.verify("ada") == []


def test_an_edit_into_an_erased_text_is_refused_and_its_edges_stay(store: Store) -> None:
    keep(store, memory("01", "erased"), memory("02"), memory("03"))
    store.purge("ada", ["01"], AT)
    old = store.get("ada", "02")
    assert old is not None
    changes = (change(next_version(old, text="erased", content=0)),)
    written = store.write("ada", Changes("edit", AT, changes, (Edge("02", "03", "causes"),), model=MODEL))
    assert written == [Written("02", "tombstone")]
    assert store.get("ada", "02") == old
    assert len(store.edges("ada", ["02"])) == 1


GOOD = memory("10", "good")
BAD_TRANSACTIONS = {
    "an id that exists": (
        Changes("w", AT, (change(GOOD), change(memory("01")), change(memory("11")))),
        Conflict,
    ),
    "an unknown memory": (Changes("w", AT, (change(GOOD), change(memory("77", version=2)))), NotFound),
    "a skipped version": (Changes("w", AT, (change(GOOD), change(memory("02", "x", version=3)))), Conflict),
    "no text": (Changes("w", AT, (change(GOOD), Change(memory("11")))), InvalidInput),
    "purged by hand": (
        Changes("w", AT, (change(GOOD), change(memory("11", state=State.PURGED)))),
        InvalidInput,
    ),
    "half a character": (Changes("w", AT, (change(GOOD), change(memory("11", "\ud800")))), InvalidInput),
    "an edge to nowhere": (
        Changes("w", AT, (change(GOOD),), (Edge("10", "01", "causes"), Edge("10", "9", "causes"))),
        NotFound,
    ),
    "an edge from nowhere": (Changes("w", AT, (change(GOOD),), (Edge("9", "01", "causes"),)), NotFound),
    "vectors of two sizes": (
        Changes("w", AT, (change(GOOD), Change(memory("11"), new_text("x", dimension=9)))),
        InvalidInput,
    ),
    "another size of vector": (Changes("w", AT, (Change(GOOD, new_text("x", dimension=9)),)), ModelMismatch),
    "half a number": (Changes("w", AT, (Change(GOOD, NewText(b"", b"123")),)), InvalidInput),
    "an empty vector": (Changes("w", AT, (Change(GOOD, NewText(b"", b"")),)), InvalidInput),
}


@pytest.mark.parametrize("case", BAD_TRANSACTIONS)
def test_a_transaction_that_fails_leaves_nothing(store: Store, case: str) -> None:
    changes, error = BAD_TRANSACTIONS[case]
    keep(store, memory("01"), memory("02"), edges=[Edge("01", "02", "causes")])
    before = everything(store)
    with pytest.raises(error):
        store.write("ada", replace(changes, model=MODEL))
    assert everything(store) == before
    content, version = store.high_water("ada")
    keep(store, GOOD)
    assert store.high_water("ada") == (content + 1, version + 1), "no number is lost"
    assert store.verify("ada") == []


@pytest.mark.parametrize("case", ["another model", "no model"])
def test_vectors_of_an_unknown_model_are_refused(store: Store, case: str) -> None:
    keep(store, memory("01"))
    error, model = (ModelMismatch, "other") if case == "another model" else (InvalidInput, None)
    with pytest.raises(error):
        store.write("ada", Changes("w", AT, (change(memory("02")),), model=model))
    assert store.get("ada", "02") is None


def test_a_failed_first_write_leaves_no_user_and_no_model(store: Store) -> None:
    with pytest.raises(NotFound):
        keep(store, memory("01"), edges=[Edge("01", "02", "causes")])
    assert store.users() == []
    assert store.model() is None
    assert store.high_water("ada") == (0, 0)


# relating


def test_an_edge_is_found_from_both_ends(store: Store) -> None:
    keep(store, memory("01"), memory("02"), memory("03"))
    link(store, Edge("01", "02", "causes", 0.5, reason="because"), Edge("03", "01", "mentions"))
    first, second = Edge("01", "02", "causes", 0.5, AT, "because"), Edge("03", "01", "mentions", 1.0, AT)
    assert store.edges("ada", ["01"]) == [first, second]
    assert store.edges("ada", ["02"]) == [first]
    assert store.edges("ada", ["02", "03", "03", "77"]) == [first, second]
    for end, own in (("source", first.source), ("target", first.target)):
        assert store.edges("ada", [own], ends=[end]) == [
            edge for edge in (first, second) if getattr(edge, end) == own
        ]
    assert list(store.all_edges("ada")) == [first, second]
    assert store.edges("ada", []) == []


def test_edges_are_chosen_by_type(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    link(store, Edge("01", "02", "causes"), Edge("01", "02", "mentions"), Edge("02", "01", "causes"))
    assert [e.type for e in store.edges("ada", ["01"], ["mentions"])] == ["mentions"]
    assert len(store.edges("ada", ["01"], ["causes", "mentions"])) == 3
    assert store.edges("ada", ["01"], ["a'; --"]) == store.edges("ada", ["01"], []) == []


def test_the_same_edge_again_only_raises_its_weight(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    for weight in (0.4, 0.7, 0.2):
        link(store, Edge("01", "02", "causes", weight, reason=f"{weight}"))
    assert store.edges("ada", ["01"]) == [Edge("01", "02", "causes", 0.7, AT, "0.4")]
    assert store.counts("ada")["edges"] == 1
    assert store.verify("ada") == []


def test_an_edge_keeps_the_time_it_brings(store: Store) -> None:
    keep(store, memory("01"), memory("02"), edges=[Edge("01", "02", "causes", recorded_at=LATER)])
    assert store.edges("ada", ["01"])[0].recorded_at == LATER


def test_edges_come_in_the_order_of_time(store: Store) -> None:
    keep(store, memory("01"), memory("02"), memory("03"))
    link(store, Edge("01", "02", "causes", recorded_at=LATER), Edge("01", "03", "causes", recorded_at=AT))
    assert [e.target for e in store.edges("ada", ["01"])] == ["03", "02"]


# counting


def test_touches_add_up_and_keep_the_latest_time(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    assert store.touch("ada", {"01": (2, LATER), "77": (1, AT)})
    assert store.touch("ada", {"01": (3, AT), "02": (1, AT)})
    assert store.counters("ada", ["01", "02", "77"]) == {"01": Counters(5, LATER), "02": Counters(1, AT)}
    assert store.counters("ada", []) == {}


def test_touching_is_no_part_of_the_history(store: Store) -> None:
    keep(store, memory("01"))
    before = (store.versions("ada", "01"), store.witness("ada"), store.high_water("ada"))
    store.touch("ada", {"01": (1, LATER)})
    assert (store.versions("ada", "01"), store.witness("ada"), store.high_water("ada")) == before


def test_counts_tell_lanes_states_channels_and_the_chain(store: Store) -> None:
    empty = store.counts("ada")
    assert empty["witness"] is None
    assert empty["channels"] == {}
    keep(
        *(
            store,
            memory("01"),
            memory("02", lane=Lane.LOG, channel="b"),
            memory("03", channel="b"),
            memory("04"),
        ),
        edges=[Edge("01", "02", "causes")],
    )
    revise(store, "03", state=State.DORMANT)
    store.purge("ada", ["04"], AT)
    counts = store.counts("ada")
    assert counts.keys() == empty.keys()
    assert {name: counts[name] for name in ("log", "memory", "dormant", "edges", "tombstones")} == {
        "log": 1,
        "memory": 1,
        "dormant": 1,
        "edges": 1,
        "tombstones": 1,
    }
    assert counts["channels"] == {"_global": 1, "b": 1}
    assert counts["versions"] == 5
    assert counts["witness"] == {"entries": 3, "hash": store.witness("ada")[-1].hash.hex()}


# purging


def test_a_purged_memory_is_gone_and_its_text_is_refused(store: Store) -> None:
    keep(store, memory("01", "My Secret"), memory("02"), edges=[Edge("01", "02", "causes")])
    revise(store, "01", text="second secret", tags=("t",))
    store.touch("ada", {"01": (1, AT)})
    numbers = [m.content for m in store.versions("ada", "01")]
    erased = store.purge("ada", ["01"], LATER)
    assert (erased.ids, erased.contents, erased.texts) == (
        ("01",),
        tuple(numbers),
        ("My Secret", "second secret"),
    )
    assert store.get("ada", "01") is store.get("ada", "01", AT) is None
    assert store.versions("ada", "01") == store.edges("ada", ["01", "02"]) == []
    assert store.counters("ada", ["01"]) == {}
    assert (
        ids(store.find("ada", EVERYTHING)) == ids(store.find("ada", replace(EVERYTHING, as_of=AT))) == ["02"]
    )
    assert len(store.documents("ada", 0, 10)) == 1
    assert len(store.vectors("ada", np.array(numbers))[0]) == 0
    assert len(store.tombstones("ada")) == 2
    for text in ("my  secret\n", "MY SECRET", "Second Secret"):
        assert keep(store, memory("03", text)) == [Written("03", "tombstone")]
    assert store.verify("ada") == []


def test_a_purge_tells_the_index_every_text_that_is_gone(store: Store) -> None:
    keep(store, memory("01", "one"))
    revise(store, "01", text="two")
    numbers = [m.content for m in store.versions("ada", "01")]
    before = store.high_water("ada")[1]
    store.purge("ada", ["01"], LATER)
    told = store.visibility("ada", before, 10)
    assert [(v.state, v.content, v.past_content) for v in told] == [(State.PURGED, 0, n) for n in numbers]
    assert store.visibility("ada", 0, 10) == told, "what was erased is not shown again"


def test_a_purged_id_stays_taken_and_dead(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    store.purge("ada", ["01"], AT)
    assert store.resolve("ada", "01") == ["01"]
    with pytest.raises(NotFound):
        store.purge("ada", ["01"], AT)
    with pytest.raises(Conflict):
        keep(store, memory("01", "new text"))
    for version in (2, 3):
        with pytest.raises(NotFound):
            store.write("ada", Changes("e", AT, (change(memory("01", "x", version=version)),), model=MODEL))
    with pytest.raises(NotFound):
        link(store, Edge("02", "01", "causes"))
    store.touch("ada", {"01": (1, AT)})
    assert store.counters("ada", ["01"]) == {}


def test_a_purge_of_an_unknown_memory_erases_nothing(store: Store) -> None:
    keep(store, memory("01"))
    before = everything(store)
    with pytest.raises(NotFound, match="77"):
        store.purge("ada", ["01", "77"], AT)
    assert everything(store) == before


def test_an_id_that_is_named_twice_is_purged_once(store: Store) -> None:
    keep(store, memory("01"))
    assert store.purge("ada", ["01", "01"], AT).ids == ("01",)


def test_another_memory_with_the_same_text_stays(store: Store) -> None:
    keep(store, memory("01", "same"), memory("02", "same"))
    store.purge("ada", ["01"], AT)
    assert text_of(store, "02") == "same"


# the chain


def test_every_transaction_is_witnessed(store: Store) -> None:
    keep(store, memory("01"), memory("02"), detail={"why": "test"})
    link(store, Edge("01", "02", "causes"))
    store.set_settings("ada", {"recall.k": 5}, LATER)
    store.purge("ada", ["01"], LATER)
    keep(store, memory("03", "text of 01"))
    entries = store.witness("ada")
    assert [(e.sequence, e.operation) for e in entries] == [
        (1, "remember"),
        (2, "link"),
        (3, "config"),
        (4, "purge"),
    ]
    assert entries[0].detail == {"why": "test"}
    assert entries[2].detail == {"recall.k": 5}
    assert entries[3].detail == {"ids": ["01"]}
    first = entries[0].versions[0]
    assert [(a - first, b - first) for a, b in (e.versions for e in entries)] == [
        (0, 1),
        (2, 1),
        (2, 1),
        (2, 2),
    ]
    assert store.witness("ada", 2, 1) == [entries[2]]
    assert len({e.hash for e in entries}) == 4
    assert store.verify("ada") == []


def test_verify_reports_its_progress(store: Store) -> None:
    for number in range(5):
        keep(store, memory(f"{number:02}"))
    seen: list[tuple[int, int]] = []
    assert store.verify("ada", lambda done, total: seen.append((done, total))) == []
    assert seen[-1] == (5, 5)


def test_changed_names_what_was_written_after_a_number(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    mark = store.high_water("ada")[1]
    assert store.changed("ada", mark) == []
    revise(store, "02", pinned=True)
    keep(store, memory("03"))
    assert store.changed("ada", mark) == ["02", "03"]
    assert store.changed("ada", 0) == ["01", "02", "03"]
    store.purge("ada", ["01"], AT)
    assert store.changed("ada", mark) == ["01", "02", "03"]


# settings


def test_settings_are_kept_in_their_types_and_taken_back_by_none(store: Store) -> None:
    values = {"a": "text", "b": 5, "c": 0.1, "d": True, "e": [1, {"x": "é"}], "f": '"quoted"'}
    store.set_settings("ada", values, AT)
    assert store.settings("ada") == values
    store.set_settings("ada", {"a": None, "b": 6, "never": None}, AT)
    assert store.settings("ada") == {**{name: values[name] for name in "cdef"}, "b": 6}


# reading


def test_reading_sees_one_moment(store: Store) -> None:
    keep(store, memory("01"))
    writer = threading.Thread(target=keep, args=(store, memory("02")))
    with store.reading():
        before = ids(store.find("ada", EVERYTHING))
        writer.start()
        writer.join(0.3)
        with store.reading():
            assert ids(store.find("ada", EVERYTHING)) == before == ["01"]
    writer.join()
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]


def test_resolve_finds_ids_by_their_beginning(store: Store) -> None:
    keep(store, *(memory(i) for i in ("abc", "abd", "ab\U0010ffffx", "ac", "b%", "b_", "é", "z")))
    assert store.resolve("ada", "abc") == ["abc"]
    assert store.resolve("ada", "ab") == ["abc", "abd", "ab\U0010ffffx"]
    assert store.resolve("ada", "b%") == ["b%"]
    assert store.resolve("ada", "b_") == ["b_"]
    assert store.resolve("ada", "é") == ["é"]
    assert store.resolve("ada", "q") == []
    assert len(store.resolve("ada", "")) == 8
    keep(store, *(memory(f"many{n:02}") for n in range(20)))
    assert len(store.resolve("ada", "many")) == 10


# the least likely texts, times and numbers

TEXTS = {
    "NUL": "before\0after\0",
    "emoji": "👩‍👩‍👧‍👦 family 🇹🇷",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U0010ffff",
    "right to left": "שלום \u202eعربى",
    "combining": "e\u0301 é \ufeff",
    "controls": "".join(map(chr, range(32))),
    "quotes": "'; DROP TABLE version; -- \" ` \\",
    "long": "ab\U0001f600" * 350_000,
}


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_comes_back_unchanged(store: Store, name: str) -> None:
    text = TEXTS[name]
    short = text[:100]
    keep(
        store,
        memory(
            "01",
            text,
            channel=short,
            kind=short,
            tags=(short,),
            session=short,
            reason=short,
            metadata={short: short},
        ),
        memory("02" + short[:5]),
        edges=[Edge("01", "02" + short[:5], "causes", reason=short)],
    )
    found = store.get("ada", "01")
    assert found is not None
    assert (found.text, found.channel, found.kind, found.tags) == (text, short, short, (short,))
    assert (found.origin.session, found.origin.reason, found.metadata) == (short, short, {short: short})
    wanted = Filter(channels=(short,), kinds=(short,), tags=(short,), session=short, event_type_prefix=None)
    assert ids(store.find("ada", wanted)) == ids(store.find("ada", replace(wanted, as_of=AT))) == ["01"]
    assert len(store.edges("ada", ["02" + short[:5]])) == 1
    assert store.verify("ada") == []


def test_names_of_users_may_be_any_text(store: Store) -> None:
    names = ["a", "A", "a\0", "é", "e\u0301", "' OR 1=1 --", "👩"]
    for name in names:
        keep(store, memory("01", f"of {name!r}"), user=name)
    assert store.users() == names
    assert [text_of(store, "01", name) for name in names] == [f"of {name!r}" for name in names]


@pytest.mark.parametrize("where", ["text", "channel", "tags", "session", "metadata"])
def test_half_a_character_is_refused(store: Store, where: str) -> None:
    half = "\ud83d"
    wrong: dict[str, Any] = {where: {"tags": (half,), "metadata": {"k": half}}.get(where, half)}
    with pytest.raises(InvalidInput, match="surrogate"):
        keep(store, memory("01", **wrong))


@pytest.mark.parametrize("year", [1, 1582, 1969, 2038, 9999])
def test_times_from_year_1_to_9999_are_kept_to_the_microsecond(store: Store, year: int) -> None:
    moment = (
        datetime(year, 12, 31, 23, 59, 59, 999999, tzinfo=UTC) if year > 1 else datetime(1, 1, 1, tzinfo=UTC)
    )
    keep(store, memory("01", at=moment, valid_until=moment))
    found = store.get("ada", "01", moment)
    assert found is not None
    assert (found.recorded_at, found.valid_from, found.valid_until) == (moment, moment, moment)
    assert ids(store.find("ada", Filter(since=moment))) == ["01"]
    assert ids(store.find("ada", Filter(until=moment))) == []
    assert store.verify("ada") == []


@pytest.mark.parametrize("number", [0.1 + 0.2, 1 / 3, 5e-324, 1.0 - 2**-53, 1, 0])
def test_numbers_are_kept_to_the_last_bit(store: Store, number: float) -> None:
    keep(store, memory("01", confidence=number, importance=number, metadata={"n": number}))
    link_weight = number or 1.0
    keep(store, memory("02"), edges=[Edge("01", "02", "causes", link_weight)])
    found = store.get("ada", "01")
    assert found is not None
    assert (found.confidence, found.importance, found.metadata["n"]) == (number, number, number)
    assert store.edges("ada", ["01"])[0].weight == link_weight
    assert ids(store.find("ada", Filter(min_confidence=number))) == ["01", "02"]
    assert store.verify("ada") == []


def test_an_error_of_a_store_is_always_ours(store: Store) -> None:
    keep(store, memory("01"))
    for call in (
        lambda: keep(store, memory("01")),
        lambda: store.purge("eve", ["01"], AT),
        lambda: revise(store, "01", content=99),
    ):
        with pytest.raises(RecollectError):
            call()
