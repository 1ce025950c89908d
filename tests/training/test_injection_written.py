"""The texts that were written for the models of attacks: what is trained on, and what is only measured with."""

from random import Random

import pytest
from training.injection_written import FIELDS, HELD_OUT, attacks_of, ordinary_of


@pytest.mark.parametrize("field", [*FIELDS, HELD_OUT])
def test_every_field_has_as_many_ordinary_texts_as_attacks_and_none_is_both(field, tmp_path):
    attacks = set(attacks_of(field)(tmp_path, Random(0)))
    ordinary = set(ordinary_of(field)(tmp_path, tmp_path, Random(0)))
    assert len(ordinary) >= len(attacks) > 100
    assert not attacks & ordinary


def test_nothing_that_is_held_out_is_trained_on(tmp_path):
    held_out, *others = (set(attacks_of(one)(tmp_path, Random(0))) for one in (HELD_OUT, *FIELDS))
    assert held_out.isdisjoint(set().union(*others))
    assert HELD_OUT not in FIELDS
