"""The lens of questions: it learns by contrast, and holds what mattered."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.micro_lora import LoraParams, blank, consolidated, gradient, seen, trained

D = 16
PARAMS = LoraParams()


def unit(rng, count=None):
    some = rng.normal(size=(count or 1, D)).astype(np.float32)
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    return some if count else some[0]


def loss(weights, like, question, better, worse, temperature):
    half = len(weights) // 2
    moved = question + (weights[:half] @ question) @ weights[half:]
    logits = np.vstack([better, worse]) @ moved / temperature
    return float(np.mean(np.log(np.exp(logits).sum()) - logits[: len(better)]))


def learnt(lens, examples, params=PARAMS, times=40):
    slopes = []
    for _ in range(times):
        for one in examples:
            slopes.append(gradient(lens, *one, params.temperature))
            lens = trained(lens, slopes[-1], params)
    return consolidated(lens, slopes, params)


def margin(lens, question, better, worse):
    moved = seen(question, lens)
    return float((better @ moved).min() - (worse @ moved).max())


@given(st.integers(0, 1000))
def test_the_gradient_is_the_slope_of_the_loss(seed):
    rng = np.random.default_rng(seed)
    lens = blank(D, rng)
    lens = lens._replace(weights=lens.weights + rng.normal(0, 0.1, lens.weights.shape))
    question, better, worse = unit(rng), unit(rng, 2), unit(rng, 3)
    slope = gradient(lens, question, better, worse, 2.0)
    direction = rng.normal(size=slope.shape)
    ahead, behind = (
        loss(lens.weights + step * direction, lens, question, better, worse, 2.0) for step in (1e-5, -1e-5)
    )
    known = (slope * direction).sum()
    assert known == pytest.approx((ahead - behind) / 2e-5, rel=1e-3, abs=1e-5)


def test_a_slope_is_never_longer_than_one():
    rng = np.random.default_rng(1)
    lens = blank(D, rng)._replace(weights=rng.normal(0, 5, (4, D)))
    assert np.linalg.norm(gradient(lens, unit(rng), unit(rng, 1), unit(rng, 5), 0.01)) <= 1.0 + 1e-9


def test_what_is_adapted_stays_a_unit_vector():
    rng = np.random.default_rng(2)
    lens = blank(D, rng)._replace(weights=rng.normal(0, 1, (4, D)))
    many = seen(unit(rng, 5), lens)
    assert np.allclose(np.linalg.norm(many, axis=1), 1.0, atol=1e-6)


def test_examples_teach_it_and_a_blank_one_changes_nothing():
    rng = np.random.default_rng(3)
    question, better, worse = unit(rng), unit(rng, 1), unit(rng, 4)
    start = blank(D, rng)
    assert np.array_equal(seen(question, start), question)
    assert margin(learnt(start, [(question, better, worse)]), question, better, worse) > 0.1


def test_what_mattered_is_held_while_something_else_is_learnt():
    """The second question is nearly the first, and wants the opposite."""
    rng = np.random.default_rng(4)
    base, cue, one, two = np.linalg.qr(rng.normal(size=(D, 4)))[0].T.astype(np.float32)
    first, second = ((base + sign * 0.4 * cue) / np.sqrt(1.16) for sign in (1, -1))
    early, late = (first, one[None], two[None]), (second, two[None], one[None])
    falls = {}
    for held in (0.0, PARAMS.consolidation):
        params = LoraParams(consolidation=held)
        after_one = learnt(blank(D, np.random.default_rng(5)), [early], params)
        after_two = learnt(after_one, [late], params)
        assert margin(after_two, *late) > 0.0
        falls[held] = margin(after_one, *early) - margin(after_two, *early)
    assert falls[0.0] > 3 * falls[PARAMS.consolidation]
    assert falls[0.0] > 0.5


def test_only_so_many_directions_are_remembered():
    rng = np.random.default_rng(6)
    slopes = [rng.normal(size=(4, D)) for _ in range(60)]
    after = consolidated(blank(D, rng), slopes, LoraParams(directions=8))
    assert after.fisher.shape == (8, 4 * D)
    assert consolidated(after, [], PARAMS) is after
