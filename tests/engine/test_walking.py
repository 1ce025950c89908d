"""Typed edges are walked across episodes: those that are written, and those that trajectories imply."""

import pytest

from recollect.errors import InvalidInput, NotFound


def tidied(memory, things, *, success=True):
    run = memory.episode("tidy up", task_type="tidy")
    for thing in things:
        run.decide("the hall")
        run.step(f"put {thing} away")
    run.finish(success)
    return memory.trajectory(run.id)


def ends(edges, node):
    return {(edge.type, edge.target if edge.source == node else edge.source) for edge in edges}


def test_the_steps_before_and_after_are_neighbours(memory):
    one, two, three = tidied(memory, ["cup", "fork", "pen"])
    assert ends(memory.typed_neighbors(two.id, "temporal"), two.id) == {
        ("temporal", one.id),
        ("temporal", three.id),
    }
    assert ends(memory.typed_neighbors(one.id, "temporal"), one.id) == {("temporal", two.id)}


def test_steps_that_did_the_same_elsewhere_are_neighbours(memory):
    (one,), (two,) = tidied(memory, ["cup"]), tidied(memory, ["cup"])
    tidied(memory, ["cup"], success=False)
    assert ends(memory.typed_neighbors(one.id, "same_action"), one.id) == {("same_action", two.id)}


def test_what_led_to_success_is_reached_from_the_advice_over_the_episode(memory):
    (first,) = tidied(memory, ["cup"])
    tidied(memory, ["cup"])
    reached = memory.traverse(first.id, ["caused_success", "same_action"], max_hops=2)
    assert {one.path[0].type for one in reached} == {"caused_success", "same_action"}
    assert all(one.hops == len(one.path) for one in reached)


def test_weights_multiply_and_the_weightiest_way_counts(memory):
    a, b, c = (memory.remember(text).id for text in ("about tea", "about milk", "about rain"))
    memory.link(a, b, "causes", weight=0.5)
    memory.link(b, c, "causes", weight=0.5)
    memory.link(a, c, "causes", weight=0.1)
    found = {one.id: (one.hops, one.weight) for one in memory.traverse(a, "causes")}
    assert found == {b: (1, 0.5), c: (2, 0.25)}
    assert [one.id for one in memory.traverse(a, "causes", max_hops=1)] == [b, c]
    assert [one.id for one in memory.traverse(a, "causes", min_weight=0.3, max_hops=1)] == [b]
    assert memory.traverse(c, "causes") == []
    assert [one.id for one in memory.traverse(a, "causes", limit=1)] == [b]


def test_edges_without_a_direction_are_walked_both_ways(memory):
    a, b = (memory.remember(text).id for text in ("about tea", "about milk"))
    memory.link(a, b, "related_to")
    assert [one.id for one in memory.traverse(b, "related_to")] == [a]


def test_unknown_types_and_nodes_are_refused(memory):
    a = memory.remember("about tea").id
    with pytest.raises(InvalidInput, match="no edge type likes"):
        memory.typed_neighbors(a, "likes")
    with pytest.raises(NotFound):
        memory.traverse("nothing")
    with pytest.raises(InvalidInput, match="hops"):
        memory.traverse(a, max_hops=0)


def test_what_somebody_remembers_as_a_step_did_nothing(memory):
    (done,) = tidied(memory, ["cup"])
    note = memory.remember("put the cup away", kind="step").id
    memory.link(note, done.id, "related_to")
    assert ends(memory.typed_neighbors(note), note) == {("related_to", done.id)}
