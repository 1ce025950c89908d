"""Keeping the store well: verify, purge, models, settings, the index on disk."""

import logging
import os
import subprocess
import sys

import apsw
import numpy as np
import pytest

from recollect import Action, Recollect
from recollect.errors import InvalidInput, ModelMismatch, NotFound
from recollect.index import IndexParams, Partition
from recollect.testing import HashEmbedder

NEEDLE = "zqxwvkjp-7731-bluebird"


def files_with(folder, needle: bytes):
    return [p.name for p in folder.rglob("*") if p.is_file() and needle in p.read_bytes()]


def test_verify_names_the_memory_whose_text_was_changed_by_one_byte(on_file, tmp_path):
    kept = on_file.remember("The limit is 100 requests")
    on_file.remember("Something else")
    assert on_file.verify() == []
    behind = apsw.Connection(str(tmp_path / "agent.db"))
    behind.execute("UPDATE content SET text = 'The limit is 900 requests' WHERE text LIKE '%100%'")
    assert [fault.subject for fault in on_file.verify()] == [kept.id]


def test_verify_finds_a_deleted_witness_row(on_file, tmp_path):
    for number in range(5):
        on_file.remember(f"Memory number {number}")
    apsw.Connection(str(tmp_path / "agent.db")).execute("DELETE FROM witness WHERE sequence = 3")
    assert "witness 3" in {fault.subject for fault in on_file.verify()}


def test_a_purge_leaves_no_byte_behind_anywhere(on_file, tmp_path, clock):
    text = f"The vault code is {NEEDLE} and nothing else"
    for number in range(300):
        on_file.remember(f"Ordinary memory number {number} about vaults")
    kept = on_file.remember(text)
    on_file.edit(kept.id, text + ", really")
    on_file.configure({"audit.level": "verbose"})
    on_file.recall(f"vault code {NEEDLE}")
    on_file.compact()
    on_file.recall("vault code")
    copy = on_file.snapshot(tmp_path / "copy.db")
    branch = on_file.branch(tmp_path / "branch.db")
    vector = HashEmbedder().embed([text])[0].astype(np.float16).tobytes()
    assert files_with(tmp_path, NEEDLE.encode()), "the test looks in the right places"
    assert files_with(tmp_path, vector)

    on_file.purge(kept.id)

    assert files_with(tmp_path, NEEDLE.encode()) == []
    assert files_with(tmp_path, vector) == []
    assert files_with(tmp_path, vector[64:128]) == []
    for path in (tmp_path / "agent.db", copy, branch):
        with Recollect(path, user="ada", embedder=HashEmbedder(), clock=clock) as engine:
            assert all(NEEDLE not in hit.text for hit in engine.recall(f"vault code {NEEDLE}", k=50))
            assert engine.verify() == []
            with pytest.raises(NotFound):
                engine.get(kept.id)
    again = on_file.remember(text.upper())
    assert (again.action, again.id) == (Action.SKIP, None)
    assert files_with(tmp_path, NEEDLE.upper().encode()) == []


def test_a_purge_reaches_files_of_the_time_when_users_shared_a_folder(on_file, tmp_path):
    kept = on_file.remember(f"The vault code is {NEEDLE}")
    shared = tmp_path / "agent.db.index"
    shared.mkdir(exist_ok=True)
    for name in ("0001.segment", "visible.columns", "0002.segment.tmp"):
        (shared / name).write_bytes(NEEDLE.encode())
    on_file.purge(kept.id)
    assert files_with(tmp_path, NEEDLE.encode()) == []


def test_a_purge_tells_what_was_formed_from_it(memory):
    [turn] = memory.observe("I moved to Lisbon in February")
    fact = memory.remember("The user lives in Lisbon", sources=[turn.id])
    assert memory.purge(turn.id) == [fact.id]
    with pytest.raises(NotFound):
        memory.purge(turn.id)


def test_a_purge_may_take_with_it_what_was_formed_from_it(memory):
    [turn] = memory.observe("I moved to Lisbon in February")
    fact = memory.remember("The user lives in Lisbon", sources=[turn.id])
    summary = memory.remember("Lisbon is where the user lives since February", sources=[fact.id])
    apart = memory.remember("Lisbon lies at the sea")
    assert memory.derived(turn.id) == sorted([fact.id, summary.id])
    assert memory.purge(turn.id, *memory.derived(turn.id)) == []
    assert [one.id for one in memory.list()] == [apart.id]


def test_an_open_index_forgets_a_purge_by_another_process(tmp_path, clock):
    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as one:
        kept = one.remember(f"The code is {NEEDLE}")
        with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as other:
            assert other.recall(NEEDLE)
            one.purge(kept.id)
            assert list(other.recall(NEEDLE)) == []


def test_a_damaged_index_is_built_again_without_a_word(on_file, tmp_path, clock):
    for number in range(300):
        on_file.remember(f"Memory number {number} about topic {number % 7}")
    on_file.compact()
    expected = [(h.id, h.score) for h in on_file.recall("memory about topic 3")]
    files = [p for p in (tmp_path / "agent.db.index").rglob("*") if p.is_file()]
    assert files
    for damage in (
        lambda p: os.truncate(p, p.stat().st_size // 2),
        lambda p: p.write_bytes(b""),
        lambda p: p.write_bytes(b"junk" * 999),
        lambda p: p.unlink(),
    ):
        for path in files:
            if path.exists():
                damage(path)
        with Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(), clock=clock) as reopened:
            assert [(h.id, h.score) for h in reopened.recall("memory about topic 3")] == expected
            reopened.compact()
        files = [p for p in (tmp_path / "agent.db.index").rglob("*") if p.is_file()]


def test_another_model_is_told_at_opening_and_refused_until_reembedded(on_file, tmp_path, clock, caplog):
    kept = on_file.remember("Deploys go through staging first")
    forgotten = on_file.remember("Nobody needs this any more")
    on_file.forget(forgotten.id)
    with (
        caplog.at_level(logging.WARNING, "recollect"),
        Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(64), clock=clock) as other,
    ):
        assert "reembed" in caplog.text
        for use in (
            lambda: other.recall("deploys"),
            lambda: other.remember("more"),
            lambda: other.observe("more"),
        ):
            with pytest.raises(ModelMismatch, match="reembed"):
                use()
        assert other.get(kept.id).text == "Deploys go through staging first"
        seen = []
        assert other.reembed(lambda done, total: seen.append((done, total))) == 2
        assert seen == [(2, 2)]
        assert other.recall("how do we deploy to staging")[0].id == kept.id
        other.restore(forgotten.id)
        assert {h.id for h in other.recall("nobody needs this deploy")} == {kept.id, forgotten.id}
        assert other.verify() == []
    with pytest.raises(ModelMismatch):
        on_file.recall("deploys")


def test_another_model_of_the_same_name_is_told_and_what_is_said_to_do_helps(tmp_path, clock):
    def opened(embedder):
        return Recollect(tmp_path / "agent.db", user="ada", embedder=embedder, clock=clock)

    small, large = HashEmbedder(8), HashEmbedder(16)
    small.name = large.name = "hash"
    with opened(small) as before:
        kept = before.remember("Deploys go through staging first")
    with opened(large) as other:
        for use in (lambda: other.remember("more"), lambda: other.observe("more"), other.reembed):
            with pytest.raises(ModelMismatch, match="made vectors of 8 numbers before and makes them of 16"):
                use()
    with opened(HashEmbedder()) as between:
        assert between.reembed() == 1
    with opened(large) as after:
        assert after.reembed() == 1
        assert after.recall("how do we deploy to staging")[0].id == kept.id


def test_who_waits_for_another_model_recalls_by_it_as_soon_as_another_process_has_made_it_the_stores(
    on_file, clock
):
    kept = on_file.remember("Deploys go through staging first")

    def opened():
        return Recollect(
            on_file.store.location, user="ada", channel="_global", embedder=HashEmbedder(64), clock=clock
        )

    with opened() as waiting, opened() as other:
        with pytest.raises(ModelMismatch):
            waiting.recall("deploys")
        other.reembed()
        assert [hit.id for hit in waiting.recall("deploys")] == [kept.id]


def test_a_reembedding_that_was_killed_goes_on(on_file, tmp_path, clock):
    for number in range(600):
        on_file.remember(f"Memory number {number}")

    class Stops(HashEmbedder):
        calls = 0

        def embed(self, texts, progress=None):
            Stops.calls += 1
            if Stops.calls == 2:
                raise KeyboardInterrupt
            return super().embed(texts, progress)

    with (
        Recollect(tmp_path / "agent.db", user="ada", embedder=Stops(64), clock=clock) as other,
        pytest.raises(KeyboardInterrupt),
    ):
        other.reembed()
    assert on_file.recall("memory number 5"), "the old model serves until the new one is complete"
    with Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(64), clock=clock) as other:
        assert other.reembed() == 600 - 256
        assert other.recall("memory number 599")[0].text == "Memory number 599"


def test_an_embedder_that_changes_its_size_is_refused(tmp_path, clock):
    class Wrong(HashEmbedder):
        name = "hash-384"

    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        engine.remember("Deploys go through staging first")
    wrong = HashEmbedder(64)
    wrong.name = "hash-384"
    with Recollect(tmp_path / "a.db", user="ada", embedder=wrong, clock=clock) as engine:
        for use in (lambda: engine.remember("more of it"), lambda: engine.recall("deploys")):
            with pytest.raises(ModelMismatch):
                use()
        assert len(engine.list()) == 1


def test_settings_are_validated_stored_for_the_user_and_taken_back(tmp_path, clock, monkeypatch):
    monkeypatch.delenv("RECOLLECT_RECALL_K", raising=False)
    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        engine.configure({"recall.k": 3})
        with pytest.raises(InvalidInput, match=r"recall\.k.*nonsense|nonsense.*recall\.k"):
            engine.configure({"recall.k": 0, "nonsense": 1})
        assert engine.settings.recall.k == 3
    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        assert engine.settings.recall.k == 3
        monkeypatch.setenv("RECOLLECT_RECALL_K", "4")
    with Recollect(
        tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock, settings={"recall.k": 5}
    ) as engine:
        assert engine.settings.recall.k == 5
    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        assert engine.settings.recall.k == 4
        engine.configure({"recall.k": None})
    monkeypatch.delenv("RECOLLECT_RECALL_K")
    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        assert engine.settings.recall.k == 10
    with Recollect(tmp_path / "a.db", user="bob", embedder=HashEmbedder(), clock=clock) as engine:
        assert engine.settings.recall.k == 10


def test_statistics_count_what_is_there(memory):
    memory.remember("One"), memory.remember("Two", channel="atlas")
    memory.observe("Three is said")
    memory.forget(memory.remember("Four").id)
    stats = memory.stats()
    assert {name: stats[name] for name in ("memory", "log", "dormant")} == {
        "memory": 2,
        "log": 1,
        "dormant": 1,
    }
    assert stats["channels"] == {"_global": 2, "atlas": 1}
    assert stats["index"]["documents"] == 4


def test_compacting_keeps_every_answer(memory):
    for number in range(50):
        memory.remember(f"Memory number {number} about topic {number % 7}")
    before = [(h.id, h.score) for h in memory.recall("topic 3")]
    memory.compact()
    assert [(h.id, h.score) for h in memory.recall("topic 3")] == before


def test_remembering_and_recalling_leaves_the_heavy_parts_for_when_they_are_used():
    heavy = ("onnxruntime", "onnx", "tokenizers", "typer", "rich", "detect_secrets")
    others = ("urllib.request", "http.client", "recollect.dream.steps")
    code = (
        "import sys; from recollect import Recollect; from recollect.testing import HashEmbedder\n"
        "memory = Recollect(':memory:', embedder=HashEmbedder()); memory.remember('Tea is in the kitchen.')\n"
        f"memory.recall('where is tea?'); print([m for m in {heavy + others} if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_the_stores_own_name_is_nobodys_user():
    with pytest.raises(InvalidInput, match="choose another user"):
        Recollect(":memory:", user="_system", embedder=HashEmbedder())


def test_users_of_one_store_keep_their_indexes_apart(on_file):
    def sealed(user):
        store = on_file.store
        found = Partition(store, user, *store.model(), store.index_folder(user), IndexParams(seal_at=4))
        found.refresh(maintain=True)
        return found.status()

    for user in ("ada", "bob"):
        memory = on_file.beside(user)
        for number in range(6):
            memory.remember(f"{user} has seen {number} ships")
    first = sealed("ada")
    assert first.segments == 1
    assert sealed("bob").segments == 1
    assert sealed("ada") == first, "the other's upkeep has left it alone"


def test_another_user_beside_this_one_is_embedded_by_the_same_model(on_file):
    beside = on_file.beside("bob")
    assert beside.embedder.name == on_file.embedder.name
    beside.remember("Deploys go through staging first")
    assert on_file.store.model() == (on_file.embedder.name, on_file.embedder.dimension)
