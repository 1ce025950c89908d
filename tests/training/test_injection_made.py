"""Attacks and look-alikes made of templates: whole sentences, the same for a seed, in both languages."""

from random import Random

import pytest
from training.injection_made import made_attacks, made_benign


@pytest.mark.parametrize("made", [made_attacks, made_benign])
def test_every_place_of_a_template_is_filled_and_a_seed_makes_the_same(made):
    texts = list(made(Random(1), 400))
    assert texts == list(made(Random(1), 400))
    assert len(set(texts)) > 200
    assert not [text for text in texts if "{" in text or "}" in text]
    assert any("ı" in text or "ş" in text for text in texts)


def test_nothing_is_made_as_both():
    assert not set(made_attacks(Random(1), 2000)) & set(made_benign(Random(2), 2000))
