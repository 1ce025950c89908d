"""Two stores of one user keep each other up to date: incremental, resumable, idempotent, signed, both ways."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from sync_peer import KEY, Beside, broken_off

from recollect import Recollect
from recollect.errors import Conflict, InvalidInput, Refused, StoreUnavailable
from recollect.exchange import syncing
from recollect.exchange.jsonl import EVERYTHING
from recollect.exchange.syncing import checked, place_value, secret_of, signed
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture(params=["two files", "reference"])
def stores(request, tmp_path):
    clock = FakeClock()
    first = ":memory:" if request.param == "reference" else tmp_path / "laptop.db"
    opened = [
        Recollect(path, user="ada", embedder=HashEmbedder(), clock=clock)
        for path in (first, tmp_path / "server.db")
    ]
    opened[0].clock = clock
    yield opened
    for one in opened:
        one.close()


def told(memory):
    """All that is known, but what conflicts were made into."""
    found = memory.store.find("ada", EVERYTHING)
    kept = [one for one in found if one.origin.write_source != "sync"]
    return {one.id: [v.text for v in memory.store.versions("ada", one.id)] for one in kept}


def edges(memory):
    return {(one.source, one.target, one.type) for one in memory.store.all_edges("ada")}


def test_both_have_everything_afterwards_with_its_history_and_edges(stores):
    laptop, server = stores
    first = laptop.remember("The office is in Porto").id
    second = laptop.remember("The office is in Lisbon", supersedes=first).id
    other = server.remember("Tea is in the kitchen", tags=["home"]).id
    server.observe([{"role": "user", "content": "Where is the tea?"}], session="s1")
    done = laptop.sync(Beside(server), key=KEY)
    assert other in done.created
    assert told(laptop) == told(server)
    assert {first, second, other} <= told(laptop).keys()
    assert edges(laptop) == edges(server) == {(second, first, "supersedes")}
    assert laptop.verify() == server.verify() == []
    assert laptop.recall("where is the tea?", lanes="memory")[0].id == other


def test_what_was_synced_is_not_sent_again_and_what_is_new_is(stores):
    laptop, server = stores
    for number in range(30):
        laptop.remember(f"Fact number {number}")
    laptop.sync(Beside(server), key=KEY)
    again = laptop.sync(Beside(server), key=KEY)
    assert (again.created, again.updated, again.conflicts) == ([], [], [])
    quiet = laptop.sync_page(place_value(server.sync_place(f"{laptop.store.identity}/")))
    assert quiet["memories"] == []
    edited = laptop.list(limit=1)[0].id
    laptop.edit(edited, "Another fact")
    server.forget(laptop.list(limit=2)[1].id)
    laptop.link(edited, laptop.list(limit=3)[2].id)
    laptop.clock.advance(minutes=1)
    laptop.sync(Beside(server), key=KEY)
    assert told(laptop) == told(server)
    assert edges(laptop) == edges(server)
    assert len(edges(server)) == 1


def test_only_chosen_channels_leave(stores):
    laptop, server = stores
    laptop.remember("The deploy window is Tuesday", channel="apollo")
    private = laptop.remember("I am tired").id
    laptop.link(private, laptop.list(limit=2)[1].id)
    server.remember("The server is private", channel="own")
    laptop.sync(Beside(server), key=KEY, channels=["apollo"])
    texts = {texts[-1] for texts in told(server).values()}
    assert texts == {"The deploy window is Tuesday", "The server is private"}
    page = laptop.sync_page({}, ["apollo"])
    assert private not in json.dumps([page["memories"], page["edges"]])
    assert private not in told(server)
    assert len(told(laptop)) == 2
    laptop.sync(Beside(server), key=KEY)
    assert told(laptop) == told(server)


def test_what_a_session_keeps_to_itself_stays(stores):
    laptop, server = stores
    laptop.remember("Only here", scope="session", session="s1")
    laptop.sync(Beside(server), key=KEY)
    assert told(server) == {}


@pytest.mark.parametrize("size", [1, 3])
def test_broken_off_at_any_call_the_next_goes_on_and_nothing_is_doubled_or_lost(stores, size, monkeypatch):
    monkeypatch.setattr(syncing, "MOST_MEMORIES", size)
    monkeypatch.setattr(syncing, "MOST_LINKS", 4)
    laptop, server = stores
    for number in range(5):
        laptop.remember(f"Fact of the laptop {number}")
        server.remember(f"Fact of the server {number}")
    for moment in range(1, 12):
        for breaks_at in (moment, -moment):
            broken_off(laptop, server, breaks_at)
        laptop.remember(f"Meanwhile {moment}")
    laptop.sync(Beside(server), key=KEY)
    assert told(laptop) == told(server)
    assert len(told(laptop)) == 21
    texts = [texts[-1] for texts in told(server).values()]
    assert len(texts) == len(set(texts))


def test_what_both_changed_is_kept_on_both_sides_with_an_edge(stores):
    laptop, server = stores
    one = laptop.remember("The deploy window is Monday").id
    laptop.sync(Beside(server), key=KEY)
    laptop.edit(one, "The deploy window is Tuesday")
    server.edit(one, "The deploy window is Friday")
    done = laptop.sync(Beside(server), key=KEY)
    assert done.conflicts == [one]
    for memory, own, theirs in ((laptop, "Tuesday", "Friday"), (server, "Friday", "Tuesday")):
        assert own in memory.get(one).text
        (edge,) = [e for e in memory.edges(one) if e.type == "contradicts"]
        other = edge.target if edge.source == one else edge.source
        assert theirs in memory.get(other).text
        assert "in store" in edge.reason
    laptop.sync(Beside(server), key=KEY)
    server.edit(one, "The deploy window is Friday at noon")
    laptop.sync(Beside(server), key=KEY)
    assert len(laptop.list()) == 3


def test_a_page_that_was_changed_or_is_of_another_key_is_refused(stores):
    laptop, server = stores
    laptop.remember("The office is in Porto")
    page = laptop.sync_page({})
    message = signed(page | {"sender": f"{laptop.store.identity}/"}, secret_of(KEY))
    changed = json.loads(json.dumps(message).replace("Porto", "Paris"))
    with pytest.raises(Refused, match="not signed"):
        checked(changed, secret_of(KEY))
    with pytest.raises(Refused, match="not signed"):
        checked(message, secret_of("another"))
    with pytest.raises(InvalidInput):
        checked({"signature": "x"}, secret_of(KEY))
    server.take_page(checked(message, secret_of(KEY)))
    assert len(told(server)) == 1
    with pytest.raises(Conflict, match="begins elsewhere"):
        server.take_page(checked(message, secret_of(KEY)))


def test_a_chain_that_was_changed_or_set_back_is_noticed_and_nothing_is_taken(stores, tmp_path):
    laptop, server = stores
    if laptop.store.location == ":memory:":
        pytest.skip("a store in memory has no past to be set back to")
    laptop.remember("The office is in Porto")
    old = laptop.snapshot(tmp_path / "old.db")
    laptop.remember("Tea is in the kitchen")
    laptop.sync(Beside(server), key=KEY)
    page = laptop.sync_page({}) | {"sender": f"{laptop.store.identity}/"}
    page["links"][0]["operation"] = "forged"
    fresh = Recollect(":memory:", user="ada", embedder=HashEmbedder(), clock=laptop.clock)
    with pytest.raises(Conflict, match="does not go on from link 0"):
        fresh.take_page(page)
    assert fresh.list() == []
    before = told(server)
    with Recollect(old, user="ada", embedder=HashEmbedder(), clock=laptop.clock) as back:
        back.store.identity_before = laptop.store.identity
        for number in range(40):
            back.remember(f"Another past {number}")
        place = server.sync_place(f"{laptop.store.identity}/")
        forged = back.sync_page(place_value(place)) | {
            "store": laptop.store.identity,
            "sender": f"{laptop.store.identity}/",
        }
        with pytest.raises(Conflict, match="does not go on"):
            server.take_page(forged)
    assert told(server) == before


def test_what_is_purged_on_one_side_is_erased_on_the_other_and_stays_away(stores):
    laptop, server = stores
    secret = laptop.remember("The safe's number is on the blue card").id
    other = server.remember("Tea is in the kitchen").id
    laptop.sync(Beside(server), key=KEY)
    laptop.purge(secret)
    server.purge(other)
    assert laptop.sync(Beside(server), key=KEY).purged == [other]
    assert told(laptop) == told(server) == {}
    assert not server.remember("The safe's number is on the blue card").id
    again = laptop.sync(Beside(server), key=KEY)
    assert (again.created, again.purged) == ([], [])
    assert laptop.verify() == server.verify() == []


def test_a_purge_is_not_carried_by_whoever_may_not_erase(stores):
    laptop, server = stores
    kept = laptop.remember("The office is in Lisbon").id
    laptop.sync(Beside(server), key=KEY)
    laptop.purge(kept)
    there = f"{laptop.store.identity}/"
    page = laptop.sync_page(place_value(server.sync_place(there)))
    report = server.take_page(page | {"sender": there}, purges=False)
    assert (report.purged, report.kept) == ([], [kept])
    assert kept in told(server)


def test_an_address_that_does_not_answer_is_told(stores):
    laptop, _ = stores
    laptop.remember("something")
    with pytest.raises(StoreUnavailable, match="does not answer"):
        laptop.sync("http://127.0.0.1:9")
    with pytest.raises(InvalidInput):
        laptop.sync("ftp://host")
    with pytest.raises(InvalidInput):
        laptop.sync("https://user:word@host")


def test_an_answer_that_makes_no_sense_is_told(stores):
    class Nonsense(BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Nonsense) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(StoreUnavailable):
            stores[0].sync(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
