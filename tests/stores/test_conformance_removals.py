"""What every store keeps of an edge that was taken away: when, and whether it came back."""

from store_values import AT, LATER, keep, memory

from recollect.model import Edge
from recollect.ports import Changes, Store
from recollect.removals import REMOVAL, Removal, edge_key, removal_from, removal_of

EDGE = Edge("01", "02", "causes", 0.5, AT)


def link(store: Store, *edges: Edge, at=AT) -> None:
    store.write("ada", Changes("link", at, edges=edges))


def unlink(store: Store, *edges: Edge, at=LATER, **more) -> None:
    store.write("ada", Changes("unlink", at, unlinked=edges, **more))


def last(store: Store, edge: Edge = EDGE) -> Removal | None:
    found = store.record("ada", REMOVAL, edge_key(edge))
    return None if found is None else removal_from(found)


def test_an_edge_that_is_taken_away_leaves_when_that_was(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    link(store, EDGE, Edge("02", "01", "causes"))
    assert store.records("ada", REMOVAL) == []
    unlink(store, EDGE)
    assert last(store) == removal_of(EDGE, LATER, is_gone=True)
    assert [edge.source for edge in store.all_edges("ada")] == ["02"]
    assert [one.revision for one in store.records("ada", REMOVAL)] == [store.witness("ada")[-1].sequence]


def test_an_edge_that_is_related_again_leaves_that_it_came_back(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    link(store, EDGE)
    unlink(store, EDGE, at=AT)
    link(store, EDGE, at=LATER)
    assert last(store) == removal_of(EDGE, LATER, is_gone=False)
    link(store, EDGE, at=AT)  # it is there already: nothing happened to it
    assert last(store) == removal_of(EDGE, LATER, is_gone=False)
    unlink(store, EDGE)
    assert last(store) == removal_of(EDGE, LATER, is_gone=True)


def test_nobody_else_knows_of_it(store: Store) -> None:
    for user in ("ada", "bob"):
        keep(store, memory("01"), memory("02"), user=user)
    link(store, EDGE)
    unlink(store, EDGE)
    assert store.records("bob", REMOVAL) == []
    store.write("bob", Changes("link", LATER, edges=(EDGE,)))
    assert store.records("bob", REMOVAL) == []


def test_whoever_tells_it_themselves_is_not_corrected(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    link(store, EDGE)
    told = removal_of(EDGE, AT, is_gone=True)
    unlink(store, EDGE, records=(told.change,))
    assert last(store) == told


def test_edges_are_given_from_a_link_of_the_chain_on(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    link(store, EDGE)
    seen = store.witness("ada")[-1].edges[1]
    assert list(store.all_edges("ada", seen)) == []
    old = Edge("02", "01", "mentions", 1.0, AT)
    link(store, old, at=LATER)
    assert list(store.all_edges("ada", seen)) == [old]
    assert list(store.all_edges("ada")) == [EDGE, old]
    assert list(store.all_edges("nobody", seen)) == []
