"""What sort of memory something is within its tier, in both languages."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recollect.language.sub_tiers import BOOSTS, SubTier, sub_tier
from recollect.model import Lane, Memory, Origin

DAY = datetime(2026, 3, 2, tzinfo=UTC)


def memory(text, **fields):
    return Memory("m", text, DAY, DAY, **fields)


@pytest.mark.parametrize(
    ("role", "expected"), [("user", "personal"), ("assistant", "observed"), ("tool", "observed")]
)
def test_what_was_said_is_personal_where_the_user_said_it(role, expected):
    turn = memory("We always deploy by hand", lane=Lane.LOG, origin=Origin(role=role))
    assert sub_tier(turn) == expected


def test_what_others_shared_is_vicarious_whatever_it_is():
    shared = memory("Never deploy on a Friday", origin=Origin(data_source="federation"))
    assert sub_tier(shared) == "vicarious"
    assert sub_tier(replace(shared, lane=Lane.LOG)) == "vicarious"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Always run the tests first", "schematic"),
        ("Never push to main", "schematic"),
        ("The first rule is to keep it small", "schematic"),
        ("Testleri her zaman önce çalıştır", "schematic"),
        ("Ana dala asla itme", "schematic"),
        ("Kuralımız: küçük tut", "schematic"),
        ("How to deploy: build, then push", "procedural"),
        ("Nasıl kurulur: önce indir", "procedural"),
        ("The office is in Porto", "factual"),
        ("Nevertheless the ruler is long", "factual"),
        ("Ofis Porto'da", "factual"),
    ],
)
def test_what_is_known_is_a_rule_a_procedure_or_a_fact(text, expected):
    assert sub_tier(memory(text)) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("pattern", "schematic"),
        ("warning", "schematic"),
        ("procedure", "procedural"),
        ("skill", "procedural"),
    ],
)
def test_the_kind_tells_it_too(kind, expected):
    assert sub_tier(memory("build, then push", kind=kind)) == expected


def test_the_boosts_are_those_of_the_document():
    assert {str(name): boost for name, boost in BOOSTS.items()} == {
        "personal": 1.1,
        "observed": 1.0,
        "vicarious": 0.9,
        "schematic": 1.1,
        "procedural": 1.05,
        "factual": 1.0,
    }
    assert set(BOOSTS) == set(SubTier)
