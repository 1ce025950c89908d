"""A question's hits come with what lies around them; attention says how sure the answer is."""

import pytest

from recollect.errors import InvalidInput

QUESTION = "why did the nightly backup fail?"
FOUND = "The nightly backup did fail on Sunday"


@pytest.fixture
def chain(memory):
    """A hit, and memories one, two and three links away from it."""
    texts = (FOUND, "Volume seven was full", "Logs are never rotated", "Priya wrote the rotation")
    ids = [memory.remember(text).id for text in texts]
    for one, other in zip(ids[1:], ids, strict=False):
        memory.link(one, other, "causes")
    return ids


def away(found):
    return {one.memory.id: one.hops for one in found.neighbours}


@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_everything_so_many_links_around_a_hit_is_brought(memory, chain, hops):
    found = memory.neighbourhood(QUESTION, 1, hops=hops)
    assert [hit.text for hit in found.hits] == [FOUND]
    assert away(found) == {one: far for far, one in enumerate(chain[: hops + 1])}
    assert [(edge.source, edge.target) for edge in found.edges] == sorted(
        (chain[far + 1], chain[far]) for far in range(hops)
    )


def test_the_whole_run_of_a_fragment_is_brought(memory):
    for text in ("nightly backup did fail", "disk replaced", "all is well"):
        memory.observe([{"role": "tool", "content": f"{text} in the machine room"}], run="r1")
    memory.observe([{"role": "tool", "content": "lunch was served in the canteen"}], run="r2")
    found = memory.neighbourhood("nightly backup fail", 1, hops=1)
    assert len(found.neighbours) == 3
    assert {one.memory.origin.run for one in found.neighbours} == {"r1"}


def test_a_neighbourhood_shows_only_what_the_question_may_bring(memory, chain, clock):
    asleep, elsewhere = memory.remember("asleep").id, memory.remember("elsewhere", channel="secret").id
    for other in (asleep, elsewhere):
        memory.link(chain[0], other, "causes")
    memory.forget(asleep)
    then = clock.now()
    clock.advance(days=1)
    late = memory.remember("late").id
    memory.link(chain[0], late, "related_to")
    memory.link(chain[0], chain[3], "related_to")
    assert away(memory.neighbourhood(QUESTION, 1, hops=1)).keys() == {chain[0], chain[1], chain[3], late}
    assert away(memory.neighbourhood(QUESTION, 1, hops=1, as_of=then)).keys() == {chain[0], chain[1]}
    memory.link(chain[0], chain[2], "contradicts")
    only = memory.neighbourhood(QUESTION, 1, hops=3, ids=[chain[0], chain[2]])
    assert away(only) == {chain[0]: 0, chain[2]: 1}


def test_shares_of_attention_add_up_and_grow_with_the_cold(memory):
    for number in range(6):
        memory.remember(f"The nightly backup of machine {number} did fail")
    memory.remember("Priya owns the red boat")
    warm, cold = (memory.attention("who owns the red boat?", 7, temperature=t) for t in (1.0, 0.05))
    assert sum(one.share for one in warm) == pytest.approx(1.0)
    assert [one.hit.id for one in warm] == [one.hit.id for one in cold]
    assert cold[0].hit.text == "Priya owns the red boat"
    assert cold[0].share > 0.9
    assert warm[0].share < 0.5
    few = memory.attention("who owns the red boat?", 2, temperature=1.0)
    assert [one.share for one in few] == [one.share for one in warm[:2]]


def test_what_cannot_be_is_refused(memory):
    with pytest.raises(InvalidInput, match="hops"):
        memory.neighbourhood("what?", hops=6)
    with pytest.raises(InvalidInput, match="temperature"):
        memory.attention("what?", temperature=0.0)
