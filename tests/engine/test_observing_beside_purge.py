"""Reading what was said holds a view of the store and a purge holds the index: neither waits for the other's."""

import threading

from recollect.write.known import Known

SECONDS = 10


def test_a_purge_that_begins_while_a_message_is_read_stops_neither(forming, monkeypatch):
    doomed = forming.remember("Deploys go through staging first")
    looking, purging = threading.Event(), threading.Event()
    look_up, purge = Known.look_up, forming.store.purge

    def looked_up(known, wanted):
        looking.set()
        assert purging.wait(SECONDS)
        return look_up(known, wanted)

    def purged(*asked):
        purging.set()
        return purge(*asked)

    monkeypatch.setattr(forming.store, "purge", purged)
    monkeypatch.setattr(Known, "look_up", looked_up)
    observing = threading.Thread(target=forming.observe, args=["I live in Porto."], daemon=True)
    observing.start()
    assert looking.wait(SECONDS)
    erasing = threading.Thread(target=forming.purge, args=[doomed.id], daemon=True)
    erasing.start()
    for one in (observing, erasing):
        one.join(SECONDS)
        assert not one.is_alive()
    assert forming.find(doomed.id) is None
    assert "lives in Porto" in forming.recall("Where do I live?", lanes=["memory"])[0].text
