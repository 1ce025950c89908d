"""What was recalled together again and again lifts the lower of two hits, in the document's profile or on demand."""

import pytest

from recollect.model import Edge
from recollect.ports import Changes

FIRST, SECOND, OTHER = (
    "The nightly backup runs at two",
    "The nightly backup writes to disk seven",
    "The nightly backup is checked by Priya on Mondays",
)
QUESTION = "when does the nightly backup run at night?"


@pytest.fixture
def related(memory, clock):
    """Three memories, of which the first two came together three times."""
    ids = {text: memory.remember(text).id for text in (FIRST, SECOND, OTHER)}
    edge = Edge(*sorted((ids[FIRST], ids[SECOND])), "recalled_with", 0.875)
    clock.advance(hours=1)
    memory.store.write(memory.user, Changes("relate", clock.now(), edges=(edge,)))
    return memory


def signals(memory, **options):
    return {hit.text: hit.signals.get("co_recall") for hit in memory.recall(QUESTION, **options)}


@pytest.mark.parametrize("options", [{"profile": "cognitive"}, {"ablate": "co_recall"}])
def test_the_lower_of_two_gains_a_little(related, options):
    found = related.recall(QUESTION, **options)
    gained = {hit.text: hit.signals["co_recall"] for hit in found}
    assert sorted(gained.values()) == pytest.approx([0, 0, 0.05])
    assert gained[OTHER] == 0
    assert all(sum(hit.signals.values()) == pytest.approx(hit.score) for hit in found)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_the_default_leaves_them_alone(related):
    assert set(signals(related).values()) == {None}


def test_as_of_an_earlier_time_they_had_not_come_together_yet(related, clock):
    before = clock.now().replace(minute=0)
    clock.advance(days=1)
    then = related.get(related.list()[0].id).recorded_at
    assert then <= before
    assert set(signals(related, ablate="co_recall", as_of=then).values()) == {0.0}


def test_a_pair_that_is_not_among_the_hits_lifts_nothing(related):
    forgotten = next(one.id for one in related.list() if one.text == SECOND)
    related.forget(forgotten)
    assert set(signals(related, ablate="co_recall").values()) == {0.0}
