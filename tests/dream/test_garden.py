"""The garden: contradictions, links, tags, weak and crowded ones are put in order, and every step can be undone."""

from datetime import timedelta

import numpy as np
import pytest
from dream_values import keep, learnt, only, rule, sleeps, teach, view

from recollect import Filter
from recollect.dream.steps import (
    contradictions,
    embedding_backfill,
    fact_verification,
    global_promotion,
    link_discovery,
    relation_pruning,
    tag_cleanup,
    weak_pruning,
)
from recollect.errors import InvalidInput
from recollect.model import GLOBAL_CHANNEL, Memory
from recollect.ports import Change, Changes, NewText


def undone(memory, run, before):
    """Takes the dream back, and says whether everything is as it was."""
    assert memory.undo_dream(run.id).conflicts == ()
    return view(memory) == before


def test_another_value_of_the_same_thing_replaces_the_older_one(memory, clock):
    older = keep(memory, "Ada lives in Lisbon")
    clock.advance(days=3)
    newer = keep(memory, "Ada lives in Porto")
    before = view(memory)
    done = only(memory, contradictions, close=0.2)
    ended = memory.get(older)
    assert (ended.superseded_by, ended.valid_until) == (newer, memory.get(newer).valid_from)
    assert memory.get(newer).supersedes == older
    assert [hit.id for hit in memory.recall("where does Ada live?", learn=False)] == [newer]
    assert memory.history(newer)[0].id == older
    [edge] = [edge for edge in memory.edges(newer) if edge.type == "supersedes"]
    assert edge.reason == "residence of ada: lisbon → porto"
    assert undone(memory, done, before)


@pytest.mark.parametrize("why", ["pinned", "immutable", "doubtful", "same moment", "denied"])
def test_what_is_not_clear_waits_for_a_review(memory, clock, why):
    anchors = {why: True} if why in {"pinned", "immutable"} else {}
    older = keep(memory, "Ada lives in Lisbon", **anchors)
    if why != "same moment":
        clock.advance(days=3)
    text = "Ada does not live in Lisbon" if why == "denied" else "Ada lives in Porto"
    newer = keep(memory, text, confidence=0.7 if why == "doubtful" else 1.0)
    before = view(memory)
    done = only(memory, contradictions, close=0.2)
    assert memory.get(older).superseded_by is None
    waits = memory.reviews()
    assert [(one.memory.id in (older, newer), len(one.against)) for one in waits] == [(True, 1)]
    assert [set(doubt.ids) for doubt in done.doubts] == [{older, newer}]
    assert only(memory, contradictions, close=0.2).changed == 0, "it is asked once"
    assert undone(memory, done, before)


@pytest.mark.parametrize(
    ("first", "second", "who"),
    [
        ("Ada lives in Lisbon, where Ada works as a nurse", "Ada lives in Porto", (None, None)),
        ("Ada moved to Lisbon", "Ada moved to Porto in 2019", (None, None)),
        ("We live in Lisbon", "We live in Porto", ("Ann", "Bob")),
    ],
)
def test_what_holds_beside_what_contradicts_it_is_left(memory, clock, first, second, who):
    for text, we in zip((first, second), who, strict=True):
        keep(memory, text, metadata={} if we is None else {"we": we})
        clock.advance(days=3)
    assert only(memory, contradictions, close=0.2).changed == 0


def test_what_belongs_to_two_channels_does_not_contradict(memory, clock):
    keep(memory, "Ada lives in Lisbon", channel="one")
    clock.advance(days=3)
    keep(memory, "Ada lives in Porto", channel="two")
    assert only(memory, contradictions, close=0.2).changed == 0


def test_close_memories_are_related_sooner_if_they_name_the_same(memory):
    named = {"metadata": {"entities": ["entity://tech/printer"]}}
    one = keep(memory, "The old printer on the third floor jams on Mondays", **named)
    other = keep(memory, "The old printer on the third floor jams often", **named)
    stranger = keep(memory, "The old printer on the third floor jams always")
    before = view(memory)
    similar = memory.similarity(memory.get(one).text, memory.get(other).text)
    assert 0.7 < similar < 0.85
    done = only(memory, link_discovery, linked_by_entity=similar - 0.01)
    assert [(edge.type, {edge.source, edge.target}) for edge in memory.edges(one)] == [
        ("related_to", {one, other})
    ]
    assert memory.edges(stranger) == []
    assert undone(memory, done, before)
    assert only(memory, link_discovery, linked_by_entity=similar + 0.01).changed == 0


def test_at_most_three_new_relations_a_memory_and_none_twice(memory):
    ids = [keep(memory, f"The old printer on the third floor jams on day {n}") for n in range(8)]
    only(memory, link_discovery, linked=0.5, close=0.5)
    assert max(len(memory.edges(one)) for one in ids) == 3
    count = len(list(memory.store.all_edges("ada")))
    only(memory, link_discovery, linked=0.5, close=0.5)
    edges = [(edge.source, edge.target) for edge in memory.store.all_edges("ada")]
    assert len(edges) == len(set(edges)) >= count


def test_what_somebody_took_apart_is_not_related_again(memory):
    one = keep(memory, "The old printer on the third floor jams on Mondays")
    other = keep(memory, "The old printer on the third floor jams often")
    only(memory, link_discovery, linked=0.5, close=0.5)
    memory.unlink(one, other)
    assert only(memory, link_discovery, linked=0.5, close=0.5).changed == 0
    assert memory.edges(one) == []


def test_a_crowded_memory_keeps_its_strongest_relations(memory):
    hub = keep(memory, "Ada")
    others = [keep(memory, f"Note {n} on subject {n * n + 1000}") for n in range(6)]
    for place, one in enumerate(others):
        memory.link(hub, one, weight=(place + 1) / 10)
    memory.link(hub, others[0], "causes", weight=0.01)
    memory.link(hub, others[1], "elaborates", weight=0.02, reason="Ada said so")
    before = view(memory)
    done = only(memory, relation_pruning, relations=4)
    assert [(edge.type, edge.weight) for edge in sorted(memory.edges(hub), key=lambda e: e.weight)] == [
        ("causes", 0.01),
        ("elaborates", 0.02),
        ("related_to", 0.3),
        ("related_to", 0.4),
        ("related_to", 0.5),
        ("related_to", 0.6),
    ]
    assert done.steps["relation_pruning"].changed == {"related_to edges pruned": 2}
    assert undone(memory, done, before)
    assert only(memory, relation_pruning, relations=6).changed == 0


def test_one_tag_gets_the_spelling_that_most_have(memory):
    ids = [
        keep(memory, f"Note {n}", tags=[tag]) for n, tag in enumerate(["Release Notes", "ops", "OPS", "ops"])
    ]
    both = keep(memory, "Note 5", tags=["release_notes", "Release Notes", "claim:1", "CLAIM"])
    pinned = keep(memory, "Note 6", tags=["OPS"], pinned=True)
    before = view(memory)
    done = only(memory, tag_cleanup)
    assert [memory.get(one).tags for one in ids] == [("Release Notes",), ("ops",), ("ops",), ("ops",)]
    assert memory.get(both).tags == ("Release Notes", "claim:1", "CLAIM")
    assert memory.get(pinned).tags == ("OPS",)
    assert undone(memory, done, before)


def test_a_tag_is_spelt_as_an_application_spells_its_key(memory):
    items = [
        keep(memory, f"Item {key}", kind="item", tags=[key]) for key in ("key:a_b", "key:a-b", "key:A B")
    ]
    noted = keep(memory, "Note 1", tags=["key:a b"])
    before = view(memory)
    assert only(memory, tag_cleanup).steps["tag_cleanup"].changed == {}
    assert view(memory) == before
    assert memory.get(noted).tags == ("key:a b",)
    assert [memory.get(one).tags for one in items] == [("key:a_b",), ("key:a-b",), ("key:A B",)]


def test_weak_pruning_needs_a_faded_confidence_and_no_strength(memory, clock):
    weak = keep(memory, "The port is 8080", kind="fact", confidence=0.5)
    strong = keep(memory, "Rain on Monday", kind="fact", confidence=0.5)
    trusted = keep(memory, "The office is in Porto", kind="fact", confidence=0.55)
    preferred = keep(memory, "Ada likes tea", kind="preference", confidence=0.01)
    teach(memory, strong, strength=1.1)
    clock.advance(days=30 * 3.4)  # 0.5 · 0.5^3.4 = 0.047, 0.55 · 0.5^3.4 = 0.052
    before = view(memory)
    done = only(memory, weak_pruning)
    assert [sleeps(memory, one) for one in (weak, strong, trusted, preferred)] == [True, False, False, False]
    assert rule(memory, weak) == "weak"
    assert undone(memory, done, before)


def test_use_keeps_a_confidence_up(memory, clock):
    unused, used = (keep(memory, f"The port is {n}", kind="fact", confidence=0.5) for n in (8080, 9090))
    teach(memory, used, accesses=3, strength=1.0)
    clock.advance(days=30 * 3.4)
    only(memory, weak_pruning)
    assert (sleeps(memory, unused), sleeps(memory, used)) == (True, False)


def told_in(memory, *sessions, **values):
    turns = [memory.observe(["We deploy on Fridays"], session=one, channel="web")[0].id for one in sessions]
    return keep(memory, "The web team deploys on Fridays", channel="web", sources=turns, **values)


def test_what_proved_itself_in_two_conversations_is_everybodys(memory):
    one = told_in(memory, "s1", "s2", kind="fact", tags=["ops"])
    teach(memory, one, accesses=5)
    before = view(memory)
    done = only(memory, global_promotion)
    [copy] = memory.list(Filter(channels=(GLOBAL_CHANNEL,)))
    assert (copy.text, copy.kind, copy.tags) == (memory.get(one).text, "fact", ("ops",))
    assert copy.valid_from == memory.get(one).valid_from
    assert sleeps(memory, one)
    assert memory.why_asleep(one).value["instead"] == copy.id
    assert [(e.source, e.target) for e in memory.edges(one) if e.type == "promoted_from"] == [(copy.id, one)]
    assert (done.params["global_confidence"], done.params["global_accesses"]) == (0.85, 5)
    hits = memory.recall("when does the web team deploy?", channel="shop", lanes="memory")
    assert [hit.id for hit in hits] == [copy.id]
    assert undone(memory, done, before)


@pytest.mark.parametrize(
    ("sessions", "accesses", "values"),
    [
        (("s1",), 5, {}),
        (("s1", "s2"), 4, {}),
        (("s1", "s2"), 5, {"confidence": 0.84}),
        (("s1", "s2"), 5, {"pinned": True}),
        (("s1", "s2"), 5, {"scope": "session", "session": "s1"}),
    ],
)
def test_what_has_not_proved_itself_stays_in_its_project(memory, sessions, accesses, values):
    one = told_in(memory, *sessions, **values)
    teach(memory, one, accesses=accesses)
    assert only(memory, global_promotion).changed == 0


@pytest.fixture
def folder(tmp_path):
    project = tmp_path / "project"
    (project / "src" / "app").mkdir(parents=True)
    (project / "src" / "app" / "gate.py").write_text("")
    (project / "Makefile").write_text("check: lint\n\ttrue\nlint:\n\ttrue\nX := 1\n")
    (project / "package.json").write_text('{"scripts": {"build": "true"}}')
    return project


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("The gate is in src/app/gate.py", True),
        ("The gate is in app/gate.py", True),
        ("gate.py has the thresholds", True),
        ("The gate is in src/app/door.py", False),
        ("The code lies in src/app/ and lib/", True),
        ("The code lies in lib/", False),
        ("Run `make check` before a merge", True),
        ("Run `make deploy` before a merge", False),
        ("Run `npm run build`", True),
        ("Run `npm run watch`", False),
        ("The gate is in src/app/door.py, it was src/app/gate.py", True),
        ("Its page is https://example.org/door.py", None),
        ("The key is in /etc/app.conf", None),
        ("Run `ls`, then ask Ada", None),
    ],
)
def test_facts_that_name_files_or_commands_are_held_against_a_folder(memory, folder, text, there):
    one = keep(memory, text, confidence=0.8)
    before = view(memory)
    done = memory.dream(folder=folder)
    assert memory.get(one).confidence == (0.4 if there is False else 0.8)
    assert [doubt.ids for doubt in done.doubts] == ([(one,)] if there is False else [])
    assert undone(memory, done, before)


def test_what_is_back_in_the_folder_is_believed_again(memory, clock, folder):
    one = keep(memory, "The gate is in src/app/door.py", confidence=0.8)
    pinned = keep(memory, "The gate was in src/app/old.py", confidence=0.8, pinned=True)
    for _ in range(3):
        memory.dream(folder=folder)
        clock.advance(days=1)
    assert (memory.get(one).confidence, memory.get(pinned).confidence) == (0.4, 0.8)
    (folder / "src" / "app" / "door.py").write_text("")
    memory.dream(folder=folder)
    assert memory.get(one).confidence == 0.8


def test_without_a_folder_nothing_is_verified_and_a_wrong_one_is_an_error(memory, tmp_path):
    one = keep(memory, "The gate is in src/app/door.py", confidence=0.8)
    memory.dream()
    assert memory.get(one).confidence == 0.8
    with pytest.raises(InvalidInput, match="no folder"):
        memory.dream(folder=tmp_path / "nowhere")


def test_what_has_no_vector_gets_one(memory, clock):
    keep(memory, "Ada likes tea")
    bare = Memory("01J0000000000000000000BARE", "The printer jams", clock.now(), clock.now())
    memory.store.write("ada", Changes("import", clock.now(), (Change(bare, NewText(b"", None)),)))
    content = memory.get(bare.id).content
    assert memory.dream(dry_run=True).steps["embedding_backfill"].noted == {}
    done = memory.dream()
    assert done.steps["embedding_backfill"].noted == {"embedded": 1}
    found, _ = memory.store.vectors("ada", np.array([content]))
    assert found.tolist() == [content]


def test_a_worker_gives_vectors_too(memory, clock):
    keep(memory, "Ada likes tea")
    bare = Memory("01J0000000000000000000BARE", "The printer jams", clock.now(), clock.now())
    memory.store.write("ada", Changes("import", clock.now(), (Change(bare, NewText(b"", None)),)))
    assert memory.work("worker")["cleanup"].steps["embedding_backfill"].noted == {"embedded": 1}


def test_what_somebody_changed_meanwhile_is_left_to_them(memory, clock):
    ids = [keep(memory, f"Note {n}", tags=[tag]) for n, tag in enumerate(["ops", "OPS", "ops"])]
    get, changed = memory.store.counters, []

    def counters(user, wanted):
        if ids[1] in wanted and not changed:
            changed.append(memory.tag(ids[1], "mine"))
        return get(user, wanted)

    memory.store.counters = counters
    only(memory, tag_cleanup)
    assert memory.get(ids[1]).tags == ("OPS", "mine")
    assert learnt(memory, ids[1]).utility == 0.5


def test_the_garden_of_a_night_without_news_changes_nothing(memory, clock):
    for n in range(10):
        keep(memory, f"Ada said that the printer jams {n}", tags=["Ops" if n else "ops"])
    memory.dream()
    clock.set(clock.now() + timedelta(minutes=1))
    again = memory.dream()
    garden = (
        contradictions,
        link_discovery,
        relation_pruning,
        tag_cleanup,
        embedding_backfill,
        fact_verification,
    )
    assert {step.__name__: again.steps[step.__name__].changed for step in garden} == {
        step.__name__: {} for step in garden
    }


def test_the_thresholds_of_the_garden_are_the_documented_ones(memory):
    params = memory._dream_params()
    assert (params.close, params.linked, params.linked_by_entity, params.relations) == (0.6, 0.85, 0.75, 50)
    assert (params.weak_confidence, params.weak_strength, params.backfilled) == (0.05, 1.0, 2000)
    assert (params.global_confidence, params.global_accesses, params.global_conversations) == (0.85, 5, 2)


@pytest.mark.parametrize(("batch", "replaced"), [(1, 1), (3, 1), (4, 2), (100, 5)])
def test_a_night_ends_no_more_contradictions_than_a_batch_holds(memory, clock, batch, replaced):
    people = ("Ada", "Tom", "Eve", "Cem", "Kim")
    for city in ("Lisbon", "Porto"):
        for one in people:
            keep(memory, f"{one} lives in {city}", channel=one)
        clock.advance(days=1)
    only(memory, contradictions, close=0.2, batch=batch)
    assert sum(one.superseded_by is not None for one in memory.list(limit=None)) == replaced
