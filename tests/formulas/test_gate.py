"""The gate: contradiction first, other values never merged, then by likeness."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.gate import GateParams, decide
from recollect.model import Action

PARAMS = GateParams(reinforce=0.9, update=0.7, near=0.6)
likenesses = st.floats(min_value=-1, max_value=1)


def act(similarity, *, contradicts=False, same_key=True, important=False, adds=False):
    decision = decide(
        similarity, contradicts=contradicts, same_key=same_key, important=important, adds=adds, params=PARAMS
    )
    assert decision.reason
    return decision.action


@given(likenesses, st.booleans(), st.booleans(), st.booleans())
def test_a_contradiction_supersedes_however_alike_the_texts_are(similarity, same_key, important, adds):
    assert (
        act(similarity, contradicts=True, same_key=same_key, important=important, adds=adds)
        is Action.SUPERSEDE
    )


@pytest.mark.parametrize(
    ("similarity", "action"),
    [
        (1.0, Action.REINFORCE),
        (0.9, Action.REINFORCE),
        (0.8999, Action.UPDATE),
        (0.7, Action.UPDATE),
        (0.6999, Action.SKIP),
        (0.6, Action.SKIP),
        (0.5999, Action.CREATE),
        (-1.0, Action.CREATE),
    ],
)
def test_each_band_of_likeness_has_its_action(similarity, action):
    assert act(similarity) is action


def test_what_is_near_and_has_a_value_of_its_own_is_kept():
    near = {"contradicts": False, "same_key": True, "important": False, "params": PARAMS}
    assert decide(0.65, adds=True, **near).action is Action.CREATE
    assert decide(0.65, adds=False, **near).action is Action.SKIP


def test_what_is_near_and_important_is_kept():
    assert act(0.65, important=True) is Action.CREATE


@given(likenesses, st.booleans(), st.booleans())
def test_other_values_make_a_new_memory_however_alike_the_texts_are(similarity, important, adds):
    assert act(similarity, same_key=False, important=important, adds=adds) is Action.CREATE


def test_a_text_that_adds_a_value_is_merged_and_not_dropped():
    assert act(0.99, adds=True) is Action.UPDATE


@given(likenesses)
def test_the_prediction_error_is_what_likeness_leaves(similarity):
    decision = decide(similarity, contradicts=False, same_key=True, important=False)
    assert decision.prediction_error == pytest.approx(1 - similarity)


def test_a_similarity_past_one_is_one():
    assert decide(1.0000001, contradicts=False, same_key=True, important=False).prediction_error == 0.0


def test_a_similarity_that_is_no_number_is_refused():
    with pytest.raises(InvalidInput, match="not a number"):
        decide(math.nan, contradicts=False, same_key=True, important=False)


@pytest.mark.parametrize("params", [(0.7, 0.8, 0.6), (0.9, 0.7, 0.8), (1.1, 0.7, 0.6), (0.9, math.nan, 0.6)])
def test_thresholds_out_of_order_are_refused(params):
    with pytest.raises(InvalidInput, match="rise"):
        GateParams(*params)


def test_the_calibrated_thresholds_are_the_defaults():
    assert GateParams() == GateParams(reinforce=0.96, update=0.86, near=0.81)
