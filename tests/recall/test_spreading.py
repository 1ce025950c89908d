"""What the graph leads to is brought too, says how much it got from where, and is off unless it is asked for."""

import pytest

from recollect.errors import InvalidInput
from recollect.model import Edge
from recollect.ports import Changes

QUESTION = "why did the nightly backup fail?"
FOUND = "The nightly backup did fail on Sunday"
FAR = "Rotating logs fills volume seven"
FARTHER = "Volume seven belongs to Priya"


@pytest.fixture
def crowd(memory):
    """Something that answers, and much that is like the question, so that what is not stands far behind."""
    for number in range(60):
        memory.remember(f"The nightly backup of machine {number} did not fail")
    return memory


def place(found, text):
    texts = [hit.text for hit in found]
    return texts.index(text) if text in texts else None


def given(found, text, signal):
    """What a signal gave it; 0 where it was not found at all."""
    return next((one.values[signal] for one in found if one.text == text), 0.0)


def hit(found, text):
    return next(one for one in found if one.text == text)


def test_a_cascade_follows_edges_two_steps_far(crowd):
    first, second, third = (crowd.remember(text).id for text in (FOUND, FAR, FARTHER))
    crowd.link(first, second, "causes")
    crowd.link(third, second, "elaborates")
    without = crowd.recall(QUESTION, k=100)
    found = crowd.recall(QUESTION, k=100, ablate="cascade")
    assert hit(found, FAR).score > hit(without, FAR).score + 0.04
    score = min(hit(without, FOUND).score, 1.0)
    assert hit(found, FAR).values["cascade"] == pytest.approx(score * 0.3 * 0.7)
    assert hit(found, FARTHER).values["cascade"] == pytest.approx(score * 0.3 * 0.7 * 0.3 * 0.7)
    assert sum(hit(found, FAR).signals.values()) == pytest.approx(hit(found, FAR).score)


def test_a_cascade_goes_through_tags_both_ways(crowd):
    crowd.remember(FOUND, tags=["storage"])
    crowd.remember(FAR, tags=["storage"])
    found = crowd.recall(QUESTION, k=100, ablate="cascade")
    score = min(hit(found, FOUND).score, 1.0)
    assert hit(found, FAR).values["cascade"] == pytest.approx(score * (0.8 * 0.7) ** 2)


def test_what_no_arm_found_is_brought(crowd):
    for number in range(200):
        crowd.remember(f"Item {number} on the roadmap is reviewed every Monday")
    first, second = crowd.remember(FOUND).id, crowd.remember(FAR).id
    crowd.link(first, second, "related_to")
    crowd.configure({"recall.candidates": 1})
    assert place(crowd.recall(QUESTION, k=5), FAR) is None
    crowd.configure({"layers.cascade": True})
    reached = crowd.recall(QUESTION, k=100)
    assert given(reached, FAR, "cascade") > 0


def test_what_is_not_like_the_question_starts_no_cascade(memory):
    first, second = (memory.remember(text).id for text in (FAR, FARTHER))
    memory.link(first, second, "causes")
    found = memory.recall("how tall is the oldest lighthouse?", ablate="cascade")
    assert not any(one.values["cascade"] for one in found)


def test_a_cascade_sees_what_its_asker_may_see(crowd):
    first = crowd.remember(FOUND).id
    elsewhere = crowd.remember(FAR, channel="secret").id
    asleep = crowd.remember(FARTHER).id
    for other in (elsewhere, asleep):
        crowd.link(first, other, "causes")
    crowd.forget(asleep)
    found = crowd.recall(QUESTION, k=100, ablate="cascade")
    assert place(found, FAR) is place(found, FARTHER) is None
    only = crowd.recall(QUESTION, k=100, ablate="cascade", ids=[first])
    assert [one.id for one in only] == [first]


def test_a_cascade_of_the_past_knows_the_edges_of_then(crowd, clock):
    first, second = crowd.remember(FOUND).id, crowd.remember(FAR).id
    clock.advance(days=1)
    then = clock.now()
    clock.advance(days=1)
    crowd.link(first, second, "causes")
    assert given(crowd.recall(QUESTION, k=100, ablate="cascade"), FAR, "cascade") > 0
    assert given(crowd.recall(QUESTION, k=100, ablate="cascade", as_of=then), FAR, "cascade") == 0


def test_edges_of_a_chosen_type_are_boosted_by_as_much_as_is_said(crowd, clock):
    first, second, third = (crowd.remember(text).id for text in (FOUND, FAR, FARTHER))
    edges = (Edge(first, second, "caused_success", 0.5), Edge(first, third, "caused_failure", 1.0))
    crowd.store.write("ada", Changes("test", clock.now(), edges=edges))
    found = crowd.recall(QUESTION, k=100, edge_boost={"caused_success": 0.3})
    score = min(hit(found, FOUND).score, 1.0)
    assert hit(found, FAR).signals["edge_boost"] == pytest.approx(score * 0.3 * 0.5 * 0.7)
    assert given(found, FARTHER, "edge_boost") == 0
    assert "edge_boost" not in crowd.recall(QUESTION)[0].values


@pytest.mark.parametrize("boost", [{"nonsense": 0.3}, {"causes": 0.0}, {"causes": 1.5}])
def test_a_boost_is_of_a_known_type_and_between_0_and_1(memory, boost):
    with pytest.raises(InvalidInput):
        memory.recall(QUESTION, edge_boost=boost)


def test_a_hub_brings_whatever_mentions_who_the_question_names(crowd):
    crowd.remember("Priya Raman owns a boat")
    crowd.remember("Priya likes tea")
    question = "did the nightly backup that Priya Raman set up fail?"
    found = crowd.recall(question, k=100, ablate="hub")
    assert hit(found, "Priya Raman owns a boat").values["hub"] == pytest.approx(1.0)
    assert {one.text for one in found if one.values["hub"]} == {"Priya Raman owns a boat"}


def test_pagerank_prefers_what_shares_names_with_the_best(crowd):
    crowd.remember("The nightly backup did fail, as Priya Raman says")
    crowd.remember("Priya Raman wrote to Nadia Okoro")
    crowd.remember("Wim Duisen wrote to Ella Bloom")
    found = crowd.recall(QUESTION, k=100, ablate=["pagerank"], include_superseded=True)
    assert max(one.values["pagerank"] for one in found) == pytest.approx(1.0)
    known = {one.text: one.values["pagerank"] for one in found}
    assert known["The nightly backup did fail, as Priya Raman says"] > 0


def test_a_title_that_is_named_is_reached_by_pagerank(crowd):
    crowd.remember("The nightly backup did fail since Wilma Okonkwo left")
    crowd.remember("She was born near Enugu", metadata={"title": "Wilma Okonkwo"})
    found = crowd.recall(QUESTION, k=100, ablate=["pagerank", "hop"])
    assert hit(found, "She was born near Enugu").values["pagerank"] > 0


@pytest.mark.parametrize("layer", ["cascade", "pagerank", "hub"])
def test_an_empty_memory_leads_nowhere(memory, layer):
    assert list(memory.recall(QUESTION, ablate=layer)) == []


def test_parts_of_a_question_are_fused_with_what_the_graph_brought(crowd):
    first, second = crowd.remember(FOUND).id, crowd.remember(FAR).id
    crowd.link(first, second, "causes")
    question = "why did the nightly backup fail and who owns the boat?"
    found = crowd.recall(question, k=100, ablate=["cascade", "parts"])
    assert given(found, FAR, "cascade") > 0
