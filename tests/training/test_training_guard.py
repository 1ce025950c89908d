"""The guard's training in little, on a processor: from texts to the files that the package ships."""

import re

import numpy as np
import pytest
from training.injection_doubts import Learnt, export, odds_of, written

from recollect.evals.sets.made_attacks import made_attacks
from recollect.evals.sets.wishes import WISHES
from recollect.language import doubt
from recollect.language.doubt import Opinion
from recollect.language.stance import head_of, stances
from recollect.providers.convert import merge, read_safetensors

guard = pytest.importorskip("training.guard", reason="PyTorch is missing: `make test-training` installs it")
torch = guard.torch

pytestmark = [pytest.mark.model, pytest.mark.slow]
LAYERS, RANK = 1, 4


def shallow(weights):
    """The first layer alone."""
    return {name: value for name, value in weights.items() if not re.search(rf"layer\.[{LAYERS}-9]", name)}


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Attacks and wishes, one in three of them only judged; with the texts, and which are attacks."""
    attacks = [text for _, text in made_attacks(60, 1)]
    texts, attack = [*attacks, *WISHES], np.array([True] * len(attacks) + [False] * len(WISHES))
    rows = [row for row in range(len(texts)) if row % 3]
    file = tmp_path_factory.mktemp("guard") / "texts.npz"
    export(file, texts, attack, [Learnt(rows, np.ones(len(rows)))])
    return file, texts, attack


@pytest.fixture(scope="module")
def taught(exported):
    """A guard of one layer after a few epochs, and the odds of all texts."""
    torch.manual_seed(0)
    part = guard.part_of(exported[0], 0)
    made = guard.Guard(guard.Encoder(shallow(guard.read_weights(guard.WEIGHTS)), RANK))
    guard.trained(made, part, epochs=8, rate=3e-3, seed=0, device="cpu")
    return made, guard.judged(made, part.tokens, "cpu")


def test_a_part_has_every_text_and_says_which_of_them_are_learnt_from(exported):
    file, texts, attack = exported
    part = guard.part_of(file, 0)
    assert len(part.tokens) == len(texts)
    assert {(tokens[0], tokens[-1]) for tokens in part.tokens} == {(guard.START, guard.END)}
    assert part.attack.tolist() == attack.tolist()
    assert (part.weights > 0).nonzero()[0].tolist() == part.rows.tolist()


def test_texts_are_met_amid_others_and_stay_whole(exported):
    part = guard.part_of(exported[0], 0)
    found = guard.amid(part.tokens, part, np.random.default_rng(0))
    wrapped = [row for row in range(len(found)) if len(found[row]) != len(part.tokens[row])]
    assert set(wrapped) <= set(part.rows.tolist())
    assert 0.1 < len(wrapped) / len(part.rows) < 0.5
    for row in wrapped:
        own, whole = part.tokens[row][1:-1], found[row]
        assert any(np.array_equal(whole[at : at + len(own)], own) for at in range(len(whole) - len(own) + 1))


def test_it_tells_attacks_that_it_was_not_shown_from_what_people_wish(exported, taught):
    _, texts, attack = exported
    unseen = np.arange(len(texts)) % 3 == 0
    odds = taught[1]
    better = odds[unseen & attack][:, None] > odds[unseen & ~attack]
    assert better.mean() > 0.9


def test_what_is_shipped_says_what_was_learnt(taught, tmp_path):
    made, odds = taught
    np.savez(tmp_path / "guard-0.npz", odds=odds, **made.learnt())
    assert np.array_equal(odds_of(tmp_path, 1)[0], odds)
    opinion = Opinion(*range(1, len(Opinion._fields) + 1))
    written(opinion, tmp_path / "guard-0.npz", tmp_path, tmp_path)
    with np.load(tmp_path / doubt.WEIGHTS) as file:
        head, told = head_of(file), Opinion(*file["opinion"].tolist())
    assert told == opinion
    with np.load(tmp_path / "adapter-guard-1.npz") as file:
        layers = {name.rpartition(".")[0] for name in file.files}
        pairs = {one: tuple(file[f"{one}.{part}"].astype(np.float32) for part in "ab") for one in layers}
    np.savez(tmp_path / "merged.npz", **merge(shallow(read_safetensors(guard.WEIGHTS)), pairs))
    merged = guard.Encoder(guard.read_weights(tmp_path / "merged.npz"), RANK).eval()
    ids = torch.tensor([[guard.START, 3000, 4000, guard.END]])
    with torch.no_grad():
        vectors = merged(ids, torch.ones(1, 4), adapted=False)[1].numpy()
        own = made(ids, torch.ones(1, 4)).numpy()
    assert np.allclose(stances(vectors, head), own, atol=0.02)
