"""What is formed from what is observed, on both stores, in English and in Turkish."""

import pytest

from recollect import Action, Filter, Lane, Recollect
from recollect.testing import HashEmbedder

MEMORIES = Filter(lanes=(Lane.MEMORY,), any_session=True)


@pytest.fixture(params=["reference", "sqlite"])
def learning(request, tmp_path, clock):
    """An empty memory that forms memories from what it observes."""
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with opened(path, clock) as engine:
        yield engine


def opened(path, clock, **settings):
    chosen = {"formation.enabled": True} | {f"formation.{name}": value for name, value in settings.items()}
    return Recollect(
        path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock, settings=chosen
    )


def said(text, at="2026-03-02T09:00:00Z", role="user", name="Ada"):
    return {"role": role, "name": name, "content": text, "timestamp": at}


def known(memory):
    """The texts of the memories that hold, oldest first."""
    found = memory.list(MEMORIES, newest_first=False, limit=None)
    return [m.text for m in found if m.superseded_by is None]


def formed(results):
    return [one for result in results for one in result.formed]


def test_a_statement_becomes_a_memory_that_points_at_its_turn(learning):
    [turn] = learning.observe(said("I live in Porto."), session="s1")
    [one] = turn.formed
    assert (one.action, one.text, one.kind) == (Action.CREATE, "Ada lives in Porto", "fact")
    memory = learning.get(one.id)
    assert memory.lane is Lane.MEMORY
    assert memory.origin.sources == (turn.id,)
    assert memory.origin.session == "s1"
    assert [(e.source, e.type, e.target) for e in learning.edges(one.id)] == [
        (one.id, "derived_from", turn.id)
    ]


def test_nothing_is_formed_unless_it_is_switched_on(memory):
    [turn] = memory.observe(said("I live in Porto."))
    assert turn.formed == ()
    assert memory.list(MEMORIES) == []


def test_the_turn_is_kept_word_for_word_whatever_is_formed(learning):
    text = "  Well, I live in Porto.\nWhat about you? "
    learning.observe(said(text))
    [turn] = learning.list(Filter(lanes=(Lane.LOG,)))
    assert turn.text == text


def test_the_same_statement_again_reinforces_it(learning, clock):
    [first] = formed(learning.observe(said("I live in Porto.")))
    clock.advance(days=1)
    [again] = formed(learning.observe(said("I live in Porto!", "2026-03-03T09:00:00Z")))
    assert (again.action, again.id) == (Action.REINFORCE, first.id)
    assert known(learning) == ["Ada lives in Porto"]
    assert learning.counters(first.id).access_count == 1


def test_a_dry_run_decides_the_same_and_writes_nothing(learning):
    talk = [
        said("I live in Porto. I work at Acme."),
        said("You live in Porto, noted.", "2026-03-02T09:01:00Z", "assistant", None),
        said("I moved to Lisbon.", "2026-03-02T09:02:00Z"),
        said("Do you like it?", "2026-03-02T09:03:00Z"),
    ]
    dry = learning.observe(talk, session="s", dry_run=True)
    assert learning.list() == []
    assert learning.store.witness("ada") == []
    done = learning.observe(talk, session="s")
    assert [(f.action, f.stage, f.text, f.reason) for f in formed(dry)] == [
        (f.action, f.stage, f.text, f.reason) for f in formed(done)
    ]
    assert Action.SUPERSEDE in {f.action for f in formed(done)}
