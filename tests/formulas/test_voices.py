"""One voice an account, those who always agree as one, and noise on all that is told."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.voices import VOICES, VoiceParams, alike, release, together, weights

EXACT = VoiceParams(epsilon=1e9, count_epsilon=1e9)


def rng():
    return np.random.default_rng(7)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200), st.integers(1, 10_000))
def test_being_together_lies_between_0_and_1_and_grows_with_what_is_shared(both, mine, theirs, items):
    here = together(both, mine, theirs, items)
    assert 0.0 <= here <= 1.0
    assert together(both + 1, mine, theirs, items) >= here


@given(st.lists(st.floats(0, 1), min_size=5, max_size=40), st.floats(0, 1))
def test_one_account_moves_the_sum_by_no_more_than_its_noise_allows_for(outcomes, other):
    heard = [1.0] * len(outcomes)
    one = release(outcomes, heard, rng(), EXACT)
    two = release([other, *outcomes[1:]], heard, rng(), EXACT)
    moved = abs(one.score - two.score) * (len(outcomes) + EXACT.prior)
    assert moved <= 1.0 + 1e-6


def test_the_noise_has_the_scale_that_epsilon_says():
    dice = rng()
    outcomes, heard = [0.5] * 100, [1.0] * 100
    exact_count = VoiceParams(count_epsilon=1e9)
    found = [release(outcomes, heard, dice, exact_count).score - 0.5 for _ in range(4_000)]
    spread = float(np.mean(np.abs(found))) * (100 + VOICES.prior)
    assert abs(spread - 1.0 / VOICES.epsilon) < 0.03


def test_fewer_than_the_group_are_never_told_of():
    assert release([1.0] * 4, [1.0] * 4, rng()) is None
    assert release([1.0] * 50, [0.02] * 50, rng(), EXACT) is None
    assert release([1.0] * 5, [1.0] * 5, rng(), EXACT).voices == 5


def test_the_score_is_shrunk_towards_a_half():
    few = release([1.0] * 5, [1.0] * 5, rng(), EXACT).score
    many = release([1.0] * 500, [1.0] * 500, rng(), EXACT).score
    assert 0.5 < few < many < 1.0


def test_those_who_tell_of_the_same_items_share_a_voice_and_strangers_do_not():
    same = {str(n): (1 << 40) - 1 for n in range(50)}
    assert sum(weights(list(same), same, 10_000, rng())) < 1.3
    apart = {str(n): 1 | (1 << (n + 1)) for n in range(50)}
    assert sum(weights(list(apart), apart, 10_000, rng())) > 49.9


@given(st.lists(st.integers(1, 1_000), min_size=1, max_size=200))
def test_items_told_of_alike_are_never_more_than_there_are_nor_far_fewer(tellers):
    assert len(tellers) / VOICES.skew <= alike(tellers) <= len(tellers) * (1 + 1e-9)


def test_who_uses_what_everybody_uses_keeps_most_of_a_voice():
    dice, items, each = rng(), 2_000, 60
    chances = 1.0 / np.arange(1, items + 1)
    told, tellers = {}, np.zeros(items, int)
    for account in range(60):
        used = dice.choice(items, each, replace=False, p=chances / chances.sum())
        tellers[used] += 1
        told[str(account)] = sum(1 << int(place) for place in {0, *used})
    kept = sum(weights(list(told), told, alike(tellers[tellers > 0]), rng()))
    assert kept > 20 > 4 * sum(weights(list(told), told, items, rng()))


def test_a_group_that_tells_more_than_all_others_does_not_make_its_items_everybodys():
    praised = (1 << 100) - 1
    group = {str(n): praised for n in range(50)}
    tellers = [50] * 100 + [1] * 9_900
    assert sum(weights(list(group), group, alike(tellers), rng())) < 2


def test_of_very_many_only_some_are_compared():
    same = {str(n): (1 << 40) - 1 for n in range(500)}
    assert 0.8 < sum(weights(list(same), same, 10_000, rng())) < 1.3
