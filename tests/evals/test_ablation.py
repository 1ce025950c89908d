"""The ablation: every method once a set, over stores that are filled once."""

import made_sets
import pytest

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.evals.ablation import KEPT, Layer, ablation, methods
from recollect.evals.sets import load, present
from recollect.testing import HashEmbedder

LAYERS = (Layer("windows"), Layer("hop", on=False))
ROWS = ["default", "without windows", "with hop", "bm25", "dense", "rrf"]


@pytest.fixture
def switchable(monkeypatch):
    """Recall as if it had the layers; what it was asked to ablate is kept."""
    seen, recall = [], Recollect.recall

    def switched(self, question, *, ablate=(), **options):
        seen.append((ablate, options.get("profile")))
        return recall(self, question, **options)

    monkeypatch.setattr(Recollect, "recall", switched)
    return seen


def test_each_layer_is_switched_alone():
    assert [name for name, _ in methods(LAYERS)] == ROWS
    assert [method.ablate for _, method in methods(LAYERS)] == [(), ("windows",), ("hop",), (), (), ()]


def test_every_set_has_a_row_for_every_method(tmp_path, switchable):
    made_sets.locomo(tmp_path)
    made_sets.beam(tmp_path)
    assert present(tmp_path) == ["locomo", "beam"]
    sets = [one for name in present(tmp_path) for one in load(name, tmp_path)]
    rows = ablation(sets, LAYERS, HashEmbedder())
    assert [(row["set"], row["method"]) for row in rows] == [(s, r) for s in ("locomo", "beam") for r in ROWS]
    assert all(row.keys() == {"set", "method", *KEPT} for row in rows)
    assert set(switchable) == {
        ((), None),
        (("windows",), None),
        (("hop",), None),
        ((), "words"),
        ((), "meaning"),
        ((), "ranks"),
    }


def test_the_stores_are_filled_once_and_once_more_for_the_plain_methods(tmp_path, switchable, monkeypatch):
    filled, observe = [], Recollect.observe

    def counted(self, messages, **options):
        filled.append(options["session"])
        return observe(self, messages, **options)

    monkeypatch.setattr(Recollect, "observe", counted)
    ablation(load("beam", made_sets.beam(tmp_path)), LAYERS, HashEmbedder())
    assert filled == ["batch_1", "batch_2"] * 2


def test_a_layer_that_is_not_there_is_told_before_anything_is_filled(tmp_path):
    sets = load("beam", made_sets.beam(tmp_path))
    with pytest.raises(InvalidInput):
        ablation(sets, [Layer("no such layer")], HashEmbedder(), stores=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
