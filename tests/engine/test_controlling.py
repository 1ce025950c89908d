"""Settings that are changed at run time count from the next call on, in every process, and the trace tells them."""

import json
import pickle
from contextlib import closing

import apsw
import pytest

from recollect import Recollect
from recollect.config import SETTINGS
from recollect.errors import InvalidInput, Refused
from recollect.recall.layers import LAYERS
from recollect.settings import Settings
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def other(on_file, clock):
    """Another engine on the same file, as another process has it."""
    with Recollect(
        on_file.store.location, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock
    ) as engine:
        yield engine


def test_what_is_switched_off_elsewhere_stops_at_once_here(on_file, other):
    on_file.remember("Deploys go through staging first")
    other.configure({"memory.enabled": False})
    assert on_file.remember("something new").action == "skip"
    assert on_file.observe(["something said"])[0].action == "skip"
    assert len(on_file.recall("deploys")) == 0
    assert on_file.context("deploys") == ""
    assert on_file.timeline() == on_file.timeline("deploys") == []
    other.configure({"memory.enabled": None})
    assert [hit.text for hit in on_file.recall("deploys")] == ["Deploys go through staging first"]


def test_a_recall_goes_by_what_was_set_elsewhere_before_it(on_file, other):
    for number in range(3):
        on_file.remember(f"Deploy number {number} goes through staging")
    for chosen, hits in (({"recall.k": 1}, 1), ({"memory.enabled": False}, 0), ({"memory.enabled": None}, 1)):
        other.configure(chosen)
        found = on_file.recall("deploys")
        assert len(found) == hits
        (name, value), *_ = chosen.items()
        assert found.trace.settings.get(name) == value


def test_learning_and_dreaming_go_by_what_was_set_elsewhere_before_them(on_file, other):
    for _ in range(2):
        with on_file.episode("fix the build") as run:
            run.step("read the log", state="the tests fail")
            run.finish(success=True)
    other.configure({"learning.neighbours": 1, "dream.curve": "fsrs6"})
    assert len(on_file.decide("the tests fail").precedents) == 1
    assert on_file.dream(dry_run=True).params["curve"] == "fsrs6"


def test_recording_and_recalling_can_be_stopped_by_themselves(memory):
    known = memory.remember("Deploys go through staging first").id
    memory.configure({"memory.recording": False})
    assert memory.remember("something new").action == "skip"
    assert memory.edit(known, "something else").action == "skip"
    with pytest.raises(Refused):
        memory.import_(memory.export())
    assert [hit.id for hit in memory.recall("deploys")] == [known]
    memory.configure({"memory.recording": None, "memory.recalling": False})
    assert memory.remember("something new").action == "create"
    assert len(memory.recall("deploys")) == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("llm.url", "http://localhost:11434/v1"),
        ("llm.model", "small"),
        ("redis.url", "localhost:6379"),
        ("redis.url", "redis://cache:port"),
    ],
)
def test_a_store_opens_whatever_it_keeps_of_services(on_file, caplog, name, value):
    kept = on_file.remember("Deploys go through staging first").id
    on_file.store.set_settings("ada", {name: json.dumps(value)}, on_file.now())
    with Recollect(on_file.store.location, user="ada", embedder=HashEmbedder()) as memory:
        assert "is not used" in caplog.text
        assert name.split(".")[0] in caplog.text
        assert [hit.id for hit in memory.recall("deploys")] == [kept]
        assert memory.observe(["I like tea"])[0].action == "create"
        memory.configure({name: None})
    caplog.clear()
    with Recollect(on_file.store.location, user="ada", embedder=HashEmbedder()):
        assert caplog.text == ""


@pytest.mark.parametrize(
    "settings", [{"llm.url": "http://[::1", "llm.model": "small"}, {"redis.url": "cache"}]
)
def test_a_service_that_the_caller_names_is_not_left_out_unasked(on_file, settings):
    with pytest.raises(InvalidInput):
        Recollect(on_file.store.location, user="ada", embedder=HashEmbedder(), settings=settings)


@pytest.mark.parametrize("value", ["9", "{", '"9', '"{"'])
def test_a_setting_that_somebody_has_broken_keeps_nobody_out(on_file, caplog, value):
    on_file.configure({"recall.k": 3})
    with closing(apsw.Connection(on_file.store.location)) as connection:
        connection.execute("UPDATE setting SET value = ?", (value,))
    with Recollect(on_file.store.location, user="ada", embedder=HashEmbedder()) as memory:
        assert memory.settings.recall.k == 10
        assert "recall.k cannot be read" in caplog.text
        assert [fault.subject for fault in memory.verify()] == ["setting recall.k"]
        memory.configure({"recall.k": None})
        assert memory.verify() == []


def test_an_address_that_is_none_of_a_server_is_not_kept(memory):
    with pytest.raises(InvalidInput, match=r"redis\.url is redis://.*not 'localhost:6379'"):
        memory.configure({"redis.url": "localhost:6379"})
    assert memory.store.settings("ada") == {}


def test_what_is_there_can_be_looked_at_while_memory_is_off(memory):
    known = memory.remember("Deploys go through staging first").id
    memory.configure({"memory.enabled": False})
    assert memory.get(known).id == known
    assert len(memory.list()) == 1


def test_the_next_trace_tells_what_was_changed(forming):
    memory = forming
    memory.remember("Deploys go through staging first")
    assert memory.recall("deploys").trace.settings == {}
    memory.configure({"recall.k": 3, "layers.diversity": True, "embedder.words": False})
    assert memory.recall("deploys").trace.settings == {"recall.k": 3, "layers.diversity": True}
    memory.configure({"memory.enabled": False})
    assert memory.recall("deploys").trace.settings["memory.enabled"] is False


def test_a_layer_is_switched_by_its_setting_and_a_caller_switches_it_back(memory):
    def stages(**options):
        return {step.stage for step in memory.recall("how do we deploy, and who?", **options).trace.steps}

    memory.remember("Deploys go through staging first")
    assert "expansion" not in stages()
    memory.configure({"layers.expansion": True})
    assert "expansion" in stages()
    assert "expansion" not in stages(ablate=["expansion"])
    assert "expansion" not in stages(ablate="expansion")


def test_every_layer_has_a_setting_of_its_own_default():
    named = {
        name.removeprefix("layers."): one.default
        for name, one in SETTINGS.items()
        if name.startswith("layers.")
    }
    assert named == {name: layer.on for name, layer in LAYERS.items()}


def test_a_window_leaves_out_what_is_older_unless_asked_otherwise(memory, clock):
    memory.remember("We deployed the old shop")
    clock.advance(days=10)
    memory.remember("We deployed the new shop")
    memory.configure({"recall.window_days": 7})
    assert [hit.text for hit in memory.recall("deployed shop")] == ["We deployed the new shop"]
    assert len(memory.recall("deployed shop", since="2020-01-01")) == 2


def test_the_index_follows_its_settings(memory):
    memory.remember("Deploys go through staging first")
    before = memory._index()
    memory.configure({"index.rescore": 50})
    assert memory._index() is not before
    assert memory._index().params.rescore == 50


def test_a_change_is_witnessed_and_a_wrong_one_changes_nothing(forming):
    memory = forming
    memory.configure({"recall.k": 3})
    entry = memory.store.witness("ada")[-1]
    assert (entry.operation, dict(entry.detail)) == ("config", {"recall.k": "3"})
    with pytest.raises(InvalidInput, match="between"):
        memory.configure({"recall.k": 0, "recall.window_days": 5})
    assert memory.recall("anything").trace.settings == {"recall.k": 3}
    assert memory.verify() == []


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -float("inf"), "nan", pytest.param(10**400, id="endless")]
)
@pytest.mark.parametrize("name", ["worker.decay", "learning.temperature", "dream.archive_days", "recall.k"])
def test_a_number_that_is_none_is_no_setting(memory, name, value):
    with pytest.raises(InvalidInput, match=f"{name} is a"):
        memory.configure({name: value})
    assert memory.store.settings("ada") == {}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "99999", '"many"'])
def test_a_stored_number_that_cannot_be_used_counts_as_its_default(on_file, other, caplog, value):
    on_file.remember("Deploys go through staging first")
    stored = {"recall.k": value, "recall.budget_tokens": "99"}
    on_file.store.set_settings("ada", stored, on_file.now())
    assert [hit.text for hit in other.recall("deploys")] == ["Deploys go through staging first"]
    assert (other.settings.recall.k, other.settings.recall.budget_tokens) == (10, 99)
    assert "recall.k" in caplog.text
    with Recollect(on_file.store, user="ada", embedder=HashEmbedder()) as fresh:
        assert fresh.settings.recall.k == 10


def test_a_stored_word_that_is_not_understood_is_not_passed_over(on_file):
    on_file.store.set_settings("ada", {"privacy.personal_data": '"burn"'}, on_file.now())
    with pytest.raises(InvalidInput, match="personal_data"):
        on_file.remember("something new")


def test_settings_travel_to_other_processes():
    assert pickle.loads(pickle.dumps(Settings())) == Settings()


def test_users_change_their_own_settings_alone(tmp_path):
    path = tmp_path / "agent.db"
    engines = [
        Recollect(path, user=user, channel="_global", embedder=HashEmbedder(), clock=FakeClock())
        for user in ("ada", "bob")
    ]
    ada, bob = engines
    ada.configure({"memory.enabled": False})
    assert bob.remember("mine").action == "create"
    for engine in engines:
        engine.close()
