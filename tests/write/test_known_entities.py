"""Entities as memories tell of them: aliases, relations, salience."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.salience import salience
from recollect.language.entities import entities
from recollect.model import Memory
from recollect.relations import EDGE_TYPES
from recollect.write.entities import RELATIONS, Entities, merged

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def memory(number, text, days_ago=0.0, importance=0.5):
    at = NOW - timedelta(days=days_ago)
    named = {"entities": [one.id for one in entities(text)]}
    return Memory(f"m{number}", text, at, at, kind="fact", importance=importance, metadata=named)


def known(*texts):
    return Entities([memory(number, text) for number, text in enumerate(texts)], NOW)


def test_a_part_of_a_name_is_an_alias_of_the_only_one_who_has_it():
    [ada] = known("Ada Lovelace lives in Porto", "Ada likes tea", "Lovelace wrote a program").named("Ada")
    assert ada.id == "entity://person/ada-lovelace"
    assert {ada.name, *ada.aliases} >= {"Ada Lovelace", "Ada"}
    assert {one.id for one in ada.memories} >= {"m0", "m1"}


def test_where_two_have_a_name_its_part_is_nobodys_alias():
    everybody = known("Ada Lovelace lives in Porto", "Ada Byron lives in Rome", "Ada likes tea")
    assert [one.id for one in everybody.named("Ada")] == ["entity://person/ada"]
    assert len(everybody.named("Ada Byron")[0].memories) == 1


def test_spellings_of_a_known_thing_are_one():
    everything = known("We run Kubernetes in Frankfurt", "The k8s cluster is in Frankfurt")
    [cluster] = everything.named("kubernetes")
    assert len(cluster.memories) == 2
    assert {cluster.name.lower(), *(one.lower() for one in cluster.aliases)} == {"kubernetes", "k8s"}
    assert everything.named("k8s") == [cluster]


def test_claims_between_two_entities_are_typed_relations_that_name_their_memory():
    found = known("Ada works at Google", "Ada lives in Porto", "Ada's sister is Clara", "Ada likes tea")
    [ada] = found.named("Ada")
    told = sorted(
        ((one.type, one.attribute, one.target, one.memory) for one in ada.relations), key=lambda one: one[3]
    )
    assert told == [
        ("works_for", "employer", "entity://org/google", "m0"),
        ("located_in", "residence", "entity://place/porto", "m1"),
        ("knows", "sister", "entity://person/clara", "m2"),
    ]
    [porto] = found.named("Porto")
    assert [(one.source, one.type) for one in porto.relations] == [("entity://person/ada", "located_in")]


def test_what_is_denied_relates_nothing():
    [ada] = known("Ada doesn't work at Google").named("Ada")
    assert ada.relations == ()


def test_what_is_near_is_found_up_to_a_depth():
    found = known("Ada lives in Porto", "Bob lives in Porto", "Bob works at Google")
    [ada] = found.named("Ada", depth=1)
    assert dict(ada.near) == {"entity://place/porto": 1}
    [ada] = found.named("Ada", depth=3)
    assert dict(ada.near) == {"entity://place/porto": 1, "entity://person/bob": 2, "entity://org/google": 3}


def test_what_is_named_often_and_lately_stands_out():
    found = Entities(
        [
            memory(1, "Ada lives in Porto", days_ago=1),
            memory(2, "Ada works at Google", days_ago=2),
            memory(3, "Bob lives in Rome", days_ago=300),
        ],
        NOW,
    ).ranked()
    assert found[0].id == "entity://person/ada"
    assert {one.id for one in found[-2:]} == {"entity://person/bob", "entity://place/rome"}


def test_every_relation_is_one_of_the_registry():
    assert set(RELATIONS.values()) <= set(EDGE_TYPES)


SLUGS = st.from_regex(r"[a-c](-[a-c]){0,2}", fullmatch=True)
IDS = st.tuples(st.sampled_from(["person", "place", "name"]), SLUGS).map(
    lambda one: f"entity://{one[0]}/{one[1]}"
)


@given(st.dictionaries(IDS, st.integers(1, 9), max_size=8))
def test_merging_knows_every_id_and_ends_at_one_that_stands_for_itself(counts):
    found = merged(counts)
    assert found.keys() == counts.keys()
    assert all(found[one] == one for one in found.values())


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1e4)), max_size=20),
    st.floats(0.01, 1),
    st.floats(0, 100),
)
def test_salience_lies_between_nothing_and_all_and_rises_with_every_mention(mentions, importance, age):
    before = salience(mentions)
    assert 0.0 <= before <= 1.0
    assert salience([*mentions, (importance, age)]) >= before


def test_salience_falls_with_time():
    assert salience([(0.5, 1.0)]) > salience([(0.5, 2.0)]) > salience([(0.5, 200.0)])


@pytest.mark.parametrize("name", ["ADA", "ada", "entity://person/ada"])
def test_it_is_found_by_any_spelling_or_its_id(name):
    assert known("Ada lives in Porto").named(name)[0].id == "entity://person/ada"
