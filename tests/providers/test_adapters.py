"""What the model learnt about memory questions: shipped whole, merged in, and never mixed up with another."""

import logging

import numpy as np
import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.providers import adapters
from recollect.providers.convert import merge, read_safetensors
from recollect.providers.files import WEIGHTS
from recollect.providers.minilm import MiniLM, named

RANKS = {"memory-1": 16, "memory-2": 24, "memory-3": 24, "guard-1": 24}
QUESTION = "What pets does Vera have?"
ANSWER = "Vera: You should see our place, the old beagle runs the whole house!"
OTHERS = (
    "Vera: Have you thought about what you want to do next year?",
    "Vera: I have to go, what does the time say?",
    "Vera: What do pets cost these days, I wonder?",
)


@pytest.mark.parametrize("name", RANKS)
def test_a_shipped_adapter_changes_every_linear_layer_a_little(name):
    changes = adapters.read(name)
    assert len(changes) == 6 * 6
    for a, b in changes.values():
        assert a.shape[0] == b.shape[1] == RANKS[name]
        assert 0 < np.abs(b @ a).max() < 1


def test_every_adapter_that_a_store_can_be_filled_with_is_one_and_the_guard_is_none():
    assert {*adapters.SHA256, adapters.GUARD} == set(RANKS)
    with pytest.raises(InvalidInput, match=r"embedder\.adapter"):
        Recollect(settings={"embedder.adapter": adapters.GUARD})


def test_no_adapter_changes_nothing():
    assert adapters.read(adapters.NONE) == {}


@pytest.mark.parametrize("use", [adapters.read, adapters.projection, lambda name: MiniLM(adapter=name)])
def test_an_adapter_that_there_is_not_is_refused_by_name(use):
    with pytest.raises(
        InvalidInput, match="no adapter 'memory-0'; there are: none, memory-1, memory-2, memory-3"
    ):
        use("memory-0")


def test_a_damaged_file_is_found(monkeypatch):
    monkeypatch.setattr(adapters, "SHA256", {adapters.NEWEST: "0" * 64})
    with pytest.raises(InvalidInput, match="install recollect again"):
        adapters.read(adapters.NEWEST)


@pytest.mark.model
class TestRealModel:
    def test_it_fits_the_model(self, model):
        weights = read_safetensors(model._weights / WEIGHTS)
        merged = merge(weights, adapters.read(adapters.NEWEST))
        assert sum(not np.array_equal(merged[name], weights[name]) for name in weights) == 36

    def test_both_models_lie_side_by_side(self, model, plain):
        assert model.folder != plain.folder
        assert model.folder.parent == plain.folder.parent
        assert (model.embed(["a"]) * plain.embed(["a"])).sum() < 0.9999

    def test_a_question_is_nearer_to_its_answer_than_it_was(self, model, plain):
        """Against turns with more of its words, on the mean of all of them."""
        gains = []
        for one in (model, plain):
            question, answer, *others = one.embed([QUESTION, ANSWER, *OTHERS])
            gains.append(question @ answer - np.mean([question @ other for other in others]))
        assert gains[0] > gains[1] + 0.02

    @pytest.mark.parametrize("older", ["none", "memory-1", "memory-2"])
    def test_a_store_that_was_filled_without_it_goes_on_without_it_until_it_is_reembedded(
        self, older, tmp_path, caplog
    ):
        path = tmp_path / "a.db"
        with Recollect(path, user="ada", settings={"embedder.adapter": older}) as memory:
            memory.remember(ANSWER)
        with caplog.at_level(logging.WARNING), Recollect(path, user="ada") as memory:
            assert memory.stats()["embedder"] == named(older)
            assert memory.recall(QUESTION)[0].text == ANSWER
            memory.remember("Something else")
            assert memory.reembed() == 2
            assert memory.stats()["embedder"] == memory.stats()["model"]["name"] == named(adapters.NEWEST)
            assert memory.recall(QUESTION)[0].text == ANSWER
        assert caplog.records == []
        with Recollect(path, user="ada") as memory:
            assert memory.stats()["embedder"] == named(adapters.NEWEST)
            assert memory.recall(QUESTION)[0].text == ANSWER
