"""Which of the ranked are shown: diverse, and not too many of one session."""

import pytest

from recollect.errors import InvalidInput


def texts(found):
    return [hit.text for hit in found]


def detail(found, stage):
    return next(dict(step.detail) for step in found.trace.steps if step.stage == stage)


@pytest.fixture
def repeated(memory):
    for text in (
        "deploy to staging on Friday",
        "deploy to staging on Fridays",
        "deploy to staging needs approvals",
        "Bees sleep",
        "Kuşlar uçar",
    ):
        memory.remember(text)
    return memory


def test_what_repeats_a_better_hit_stands_back(repeated):
    question = "deploy to staging"
    usual = repeated.recall(question, k=2, profile="meaning")
    assert all("Friday" in text for text in texts(usual))
    diverse = repeated.recall(question, k=2, profile="meaning", ablate=["diversity"])
    assert diverse[0].id == usual[0].id
    assert diverse[1].text == "deploy to staging needs approvals"
    assert detail(diverse, "diversity") == {"brought_in": 1}


def test_diversity_changes_the_order_and_not_what_is_there(repeated):
    usual = repeated.recall("deploy staging")
    diverse = repeated.recall("deploy staging", ablate=["diversity"])
    assert {hit.id: hit.score for hit in usual} == {hit.id: hit.score for hit in diverse}


def test_diversity_of_nothing_and_of_one(memory):
    assert texts(memory.recall("deploy", ablate=["diversity"])) == []
    memory.remember("The deploy is on Friday")
    assert len(memory.recall("deploy", ablate=["diversity"])) == 1


@pytest.fixture
def talks(memory):
    for session in ("a", "b"):
        memory.observe(
            [
                {"role": "user", "content": f"{word} deploy {session}"}
                for word in ("first", "second", "third")
            ],
            session=session,
        )
    memory.remember("deploy on Friday")
    memory.remember("deploy with care")
    return memory


@pytest.mark.parametrize("most", [1, 2])
def test_no_session_gives_more_than_its_share(talks, most):
    found = talks.recall("deploy", per_session=most)
    sessions = [hit.memory.origin.session for hit in found]
    assert sessions.count("a") == sessions.count("b") == most
    assert sessions.count(None) == 2
    assert detail(found, "cap") == {"per_session": most, "passed_over": 6 - 2 * most}
    usual = [hit.id for hit in talks.recall("deploy")]
    assert [hit.id for hit in found] == [one for one in usual if one in {hit.id for hit in found}]


def test_the_share_is_filled_up_from_further_down(talks):
    found = talks.recall("deploy a", k=3, per_session=1, lanes="log")
    assert {hit.memory.origin.session for hit in found} == {"a", "b"}


@pytest.mark.parametrize("wrong", [0, -1])
def test_a_share_is_at_least_one(memory, wrong):
    with pytest.raises(InvalidInput, match="per_session"):
        memory.recall("deploy", per_session=wrong)
