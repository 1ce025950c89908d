"""Influences between what memories name: learnt, kept, walked and asked; on both stores."""

from datetime import timedelta

import numpy as np
import pytest

from recollect.errors import InvalidInput, NotFound, Refused

ADA, TEA = "entity://person/ada", "tag:tea"


@pytest.fixture
def told(memory, clock):
    """Sixty days: whenever Ada is named, there is tea the day after."""
    pytest.importorskip("statsmodels")
    rng = np.random.default_rng(1)
    texts, before = [], 0
    for day in range(60):
        at, named = clock.now() - timedelta(days=60 - day), int(rng.poisson(0.7))
        visit = {"valid_from": at, "metadata": {"entities": [ADA]}}
        texts += [visit | {"text": f"Ada came, {day} {number}"} for number in range(named)]
        tea = {"valid_from": at, "tags": ["tea"]}
        made = int(rng.poisson(0.2 + 0.9 * before))
        texts += [tea | {"text": f"Tea was made, {day} {number}"} for number in range(made)]
        before = named
    memory.remember_many(texts)
    return memory


def test_a_pair_is_tested_by_name_or_id(told):
    found = told.influence("Ada", TEA)
    assert (found.cause, found.effect, found.period, found.lags) == (ADA, TEA, "day", 3)
    assert found.p_value < 0.001 < told.influence(TEA, ADA).p_value
    with pytest.raises(NotFound, match="no memory here names Bob"):
        told.influence("Bob", TEA)
    with pytest.raises(InvalidInput, match="the same"):
        told.influence("Ada", ADA)
    with pytest.raises(Refused, match="too little is known"):
        told.influence("Ada", TEA, period="week")


def test_what_is_learnt_is_kept_as_edges_that_are_walked_and_part_of_the_graph(told):
    assert told.influences() == []
    [learnt] = told.learn_influences()
    assert told.influences() == [learnt]
    [edge] = told.typed_neighbors(ADA, "granger_causal")
    assert (edge.source, edge.type, edge.target, edge.weight) == (ADA, "granger_causal", TEA, learnt.weight)
    assert told.typed_neighbors(ADA, "causes") == []
    assert [one.id for one in told.traverse(ADA, "granger_causal")] == [TEA]
    assert told.traverse(TEA, "granger_causal") == []
    [link] = told.why_related(ADA, TEA).links
    assert (link.type, link.source, link.target) == ("granger_causal", ADA, TEA)


def test_what_nobody_names_any_more_influences_nothing_and_is_not_learnt_again(told):
    told.learn_influences()
    told.purge(*(one.id for one in told.list(limit=None) if "Ada" in one.text))
    assert told.influences() == []
    assert told.typed_neighbors(TEA, "granger_causal") == []
    assert told.learn_influences() == []
    assert told.store.records(told.user, "influence") == []


def test_channels_and_users_have_their_own(told):
    told.learn_influences()
    assert told.influences(channel="project") == []
    other = told.beside("bob")
    assert other.influences() == []
    assert other.learn_influences() == []
