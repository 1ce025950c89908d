"""The documents' formulas, against their own arithmetic."""

import math

import pytest

from recollect.recall.profiles import PROFILES


@pytest.fixture
def kinds(memory):
    memory.observe([{"role": "user", "content": "deploy said"}])
    for kind in ("fact", "procedure", "strategy", "entity"):
        memory.remember(f"deploy {kind}", kind=kind)
    return memory


def test_agentx_weighs_similarity_by_the_type_of_memory(kinds):
    weight = {"message": 0.30, "fact": 0.25, "entity": 0.20, "procedure": 0.15, "strategy": 0.15}
    similar = {hit.id: hit.score for hit in kinds.recall("deploy", profile="meaning")}
    found = kinds.recall("deploy", profile="agentx")
    assert {hit.memory.kind for hit in found} == weight.keys()
    for hit in found:
        assert hit.score == pytest.approx(weight[hit.memory.kind] * similar[hit.id] + 0.10)


def test_bayesian_is_similarity_an_age_that_fades_slowly_and_what_outcomes_say(memory, clock):
    kept = memory.remember("deploy on Friday")
    clock.advance(days=50)
    similar = memory.recall("deploy", profile="meaning", learn=False)[0].score
    (hit,) = memory.recall("deploy", profile="bayesian", learn=False)
    assert hit.id == kept.id
    assert hit.score == pytest.approx(similar + 0.3 * math.exp(-0.5) + 0.5 * 1.0 + 0.4 * 0.5)
    assert {name for name in hit.values if not hit.values[name]} == {"same_region", "same_task"}


def test_choir_is_similarity_and_recency(memory, clock):
    memory.remember("deploy on Friday")
    clock.advance(days=30)
    similar = memory.recall("deploy", profile="meaning", learn=False)[0].score
    (hit,) = memory.recall("deploy", profile="choir", learn=False)
    assert hit.score == pytest.approx(0.7 * similar + 0.1 * 0.5)


def test_jcode_multiplies_similarity_boost_and_decayed_confidence(memory, clock):
    kept = memory.remember("deploy on Friday", confidence=0.8)
    clock.advance(days=30)
    memory.store.touch("ada", {kept.id: (5, clock.now())})
    clock.advance(days=1)
    similar = memory.recall("deploy", profile="meaning", learn=False)[0].score
    (hit,) = memory.recall("deploy", profile="jcode", learn=False)
    trust = 0.8 * 0.5 ** (31 / 30) * (1 + 0.1 * math.log(6))
    assert hit.score == pytest.approx(similar * (1 + 0.5 * math.exp(-1)) / 1.5 * trust)


def test_the_documents_weights_stand_as_they_are_written():
    told = {
        name: tuple(PROFILES[name].weights.values())
        for name in ("bayesian", "choir", "causal", "agentx", "jcode")
    }
    assert told == {
        "bayesian": (1.0, 0.3, 0.5, 0.2, 0.2, 0.4),
        "choir": (0.7, 0.2, 0.1),
        "causal": (0.7, 0.2, -0.1),
        "agentx": (0.30, 0.25, 0.20, 0.15, 0.10),
        "jcode": (1.0,),
    }
