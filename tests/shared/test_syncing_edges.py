"""Edges that were taken away: the other side's go too, in both directions, once, and whatever happens on the way."""

import json

import pytest
from sync_peer import KEY, Beside, broken_off

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.exchange import syncing
from recollect.exchange.syncing import place_value
from recollect.model import Edge
from recollect.ports import Changes
from recollect.removals import REMOVAL
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture(params=["files", "reference", pytest.param("postgres", marks=pytest.mark.server)])
def team(request, tmp_path):
    """Three stores of one user with one clock; the first of the kind that the test runs on."""
    clock = FakeClock()
    first = {"files": lambda: tmp_path / "laptop.db", "reference": lambda: ":memory:"}.get(
        request.param, lambda: request.getfixturevalue("postgres_address")
    )()
    paths = (first, tmp_path / "server.db", tmp_path / "phone.db")
    opened = [Recollect(path, user="ada", embedder=HashEmbedder(), clock=clock) for path in paths]
    for one in opened:
        one.clock = clock
    yield opened
    for one in opened:
        one.close()


@pytest.fixture
def pair(team):
    """Two stores that have the same two memories and an edge between them."""
    laptop, server, _ = team
    first, second = (laptop.remember(text).id for text in ("The build is slow", "The cache is cold"))
    laptop.link(first, second, "causes")
    synced(laptop, server)
    assert edges(server) == {(first, second, "causes")}
    return laptop, server, Edge(first, second, "causes")


def synced(one, other):
    one.clock.advance(minutes=1)
    return one.sync(Beside(other), key=KEY)


def edges(memory):
    return {(one.source, one.target, one.type) for one in memory.store.all_edges("ada")}


def unlink(memory, *gone):
    memory.clock.advance(minutes=1)
    for edge in gone:
        memory.unlink(edge.source, edge.target, edge.type)


def relate(memory, edge, recorded_at=None):
    memory.clock.advance(minutes=1)
    made = Edge(edge.source, edge.target, edge.type, recorded_at=recorded_at)
    memory.store.write("ada", Changes("link", memory.now(), edges=(made,)))


def links(memory):
    return memory.store.counts("ada")["witness"]["entries"]


@pytest.mark.parametrize("which", [0, 1])
def test_what_one_side_took_away_goes_on_the_other_and_stays_away(pair, which):
    laptop, server, edge = pair
    unlink(pair[which], edge)
    told = synced(laptop, server)
    assert told.unlinked == which  # what went here; the other side tells its own
    assert edges(laptop) == edges(server) == set()
    for _ in range(2):
        before = links(laptop), links(server)
        assert synced(laptop, server).unlinked == 0
        # The place that was reached is all that a sync without news writes.
        assert (links(laptop) - before[0], links(server) - before[1]) == (1, 1)
    assert edges(laptop) == edges(server) == set()
    assert laptop.verify() == server.verify() == []


def test_an_end_that_changes_elsewhere_does_not_bring_it_back(pair):
    laptop, server, edge = pair
    unlink(laptop, edge)
    server.edit(edge.source, "The build is very slow")
    synced(laptop, server)
    assert edges(laptop) == edges(server) == set()


def test_the_later_of_taking_away_and_relating_holds(pair):
    laptop, server, edge = pair
    unlink(laptop, edge)
    unlink(server, edge)
    relate(server, edge)
    synced(laptop, server)
    assert edges(laptop) == edges(server) == {(edge.source, edge.target, edge.type)}
    unlink(server, edge)
    relate(server, edge)
    unlink(laptop, edge)
    synced(laptop, server)
    assert edges(laptop) == edges(server) == set()


def test_what_is_related_for_the_first_time_is_not_taken_for_what_went_before(pair):
    laptop, server, edge = pair
    made = Edge(edge.target, edge.source, "causes")
    relate(laptop, made)
    unlink(laptop, made)
    relate(server, made)
    synced(server, laptop)  # whoever begins takes first
    assert (made.source, made.target, made.type) in edges(laptop) & edges(server)


def test_what_is_put_back_as_it_was_comes_back_everywhere(pair):
    laptop, server, edge = pair
    (as_it_was,) = laptop.store.all_edges("ada")
    unlink(laptop, edge)
    synced(laptop, server)
    relate(laptop, edge, as_it_was.recorded_at)  # as the undoing of a dream does
    for _ in range(2):
        synced(laptop, server)
        assert edges(laptop) == edges(server) == {(edge.source, edge.target, edge.type)}


def test_a_third_store_learns_of_it_and_cannot_bring_it_back(team, pair):
    laptop, server, edge = pair
    phone = team[2]
    synced(server, phone)
    assert edges(phone) == edges(server)
    unlink(laptop, edge)
    synced(laptop, server)
    phone.edit(edge.target, "The cache is ice cold")
    synced(phone, server)
    synced(laptop, server)
    assert edges(laptop) == edges(server) == edges(phone) == set()


def test_an_edge_that_came_from_elsewhere_is_handed_on_however_old_it_is(team):
    laptop, server, phone = team
    first, second = (laptop.remember(text).id for text in ("The build is slow", "The cache is cold"))
    synced(laptop, server)
    synced(server, phone)
    laptop.link(first, second, "causes")
    synced(server, phone)
    synced(laptop, server)
    synced(server, phone)
    assert edges(phone) == {(first, second, "causes")}


@pytest.mark.parametrize("size", [1, 2])
def test_broken_off_at_any_call_the_next_takes_away_what_is_left(pair, size, monkeypatch):
    monkeypatch.setattr(syncing, "MOST_MEMORIES", size)
    monkeypatch.setattr(syncing, "MOST_LINKS", 3)
    laptop, server, edge = pair
    other = server.remember("The tests are slow").id
    for moment in range(1, 9):
        for breaks_at in (moment, -moment):
            relate(server, Edge(other, edge.target, "causes"))
            unlink(laptop, edge)
            broken_off(laptop, server, breaks_at)
            unlink(server, Edge(other, edge.target, "causes"))
            relate(laptop, edge)
    unlink(laptop, edge)
    synced(laptop, server)
    assert edges(laptop) == edges(server) == set()
    assert synced(laptop, server).unlinked == 0


def test_an_edge_of_what_does_not_leave_is_not_told_of(pair):
    laptop, _, edge = pair
    private = laptop.remember("I am tired", channel="own").id
    laptop.link(edge.source, private, "causes")
    unlink(laptop, Edge(edge.source, private, "causes"), edge)
    page = laptop.sync_page({}, ["_global"])
    assert [(one["source"], one["target"]) for one in page["removals"]] == [(edge.source, edge.target)]
    assert private not in json.dumps([page["memories"], page["edges"], page["removals"]])


def test_a_removal_that_makes_no_sense_is_refused_and_nothing_goes(pair):
    laptop, server, edge = pair
    unlink(laptop, edge)
    sender = f"{laptop.store.identity}/"
    page = laptop.sync_page(place_value(server.sync_place(sender))) | {"sender": sender}
    (told,) = page["removals"]
    for wrong in ({"source": edge.source}, told | {"at": "soon"}, 7):
        with pytest.raises(InvalidInput, match="not a removal"):
            server.take_page(page | {"removals": [wrong]})
    assert edges(server) == {(edge.source, edge.target, edge.type)}
    assert server.store.records("ada", REMOVAL) == []
