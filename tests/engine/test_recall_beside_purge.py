"""A recall holds a view of the store and a purge holds the index: neither waits for the other's."""

import threading

SECONDS = 10


def test_a_purge_that_begins_inside_of_a_recall_stops_neither(memory, monkeypatch):
    doomed = memory.remember("Deploys go through staging first")
    memory.remember("Ada lives in Porto")
    memory.recall("Where does Ada live?")
    looking, purging = threading.Event(), threading.Event()
    settings, purge = memory.store.settings, memory.store.purge

    def settings_seen(user):
        looking.set()
        assert purging.wait(SECONDS)
        return settings(user)

    def purged(*asked):
        purging.set()
        return purge(*asked)

    monkeypatch.setattr(memory.store, "purge", purged)
    monkeypatch.setattr(memory.store, "settings", settings_seen)
    found = []
    recalling = threading.Thread(target=lambda: found.append(memory.recall("Ada Porto")), daemon=True)
    recalling.start()
    assert looking.wait(SECONDS)
    erasing = threading.Thread(target=memory.purge, args=[doomed.id], daemon=True)
    erasing.start()
    for one in (recalling, erasing):
        one.join(SECONDS)
        assert not one.is_alive()
    assert found[0][0].text == "Ada lives in Porto"
    assert memory.find(doomed.id) is None
