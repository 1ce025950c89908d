"""PrecisionMemBench's rules, on beliefs made here."""

from dataclasses import replace

import made_sets
import pytest

from recollect.errors import InvalidInput, NotFound
from recollect.evals.asking import Method
from recollect.evals.precision import Answer, Beliefs, in_order, precision, problems
from recollect.evals.sets.precision import Expected, read
from recollect.testing import HashEmbedder


def belief(key, text, **more):
    return {
        "_id": key,
        "user_id": "test-user",
        "type": "preference",
        "canonical_name": f"name_{key}",
        "aliases": [],
        "content": text,
        "scope": ["domain:code"],
        "pinned": False,
        "confidence": 0.9,
        "created_at": "2026-09-01T00:00:00Z",
        "resolved_at": None,
        "superseded_by": None,
        **more,
    }


BELIEFS = [
    belief("new", "Linting is done by Biome", pinned=True),
    belief("middle", "Linting is done by ESLint", superseded_by="new"),
    belief("old", "Linting is done by TSLint", superseded_by="middle"),
    belief("novel", "The linting of prose in the novel", scope=["domain:writing"]),
    belief("universal", "Prefers direct answers", scope=["user:universal"]),
    belief("open", "Which linting for Python?", type="open_question"),
    belief("closed", "Which linting for Go?", type="open_question", resolved_at="2026-08-01T00:00:00Z"),
    belief("theirs", "Linting is for others", user_id="other", pinned=True),
    belief("cache", "Redis is the cache", aliases=["key-value store"]),
]


def case(key, query="Which linting do we use?", scope=("domain:code",), expect=None, **more):
    return {
        "caseId": key,
        "category": "c",
        "scope": list(scope),
        "query": query,
        "expect": expect or {},
        **more,
    }


@pytest.fixture
def folder(tmp_path):
    def make(*cases, beliefs=BELIEFS):
        made_sets.written(tmp_path / "precisionmembench" / "beliefs.seed.json", beliefs)
        made_sets.written(tmp_path / "precisionmembench" / "retrieval.cases.json", list(cases))
        return tmp_path

    return make


@pytest.fixture
def answered(folder, tmp_path):
    def ask(one):
        beliefs, cases = read(folder(one))
        store = Beliefs(tmp_path / "p.db", HashEmbedder())
        store.keep(beliefs)
        store.clock.follow(None)
        return store.answer(cases[0], Method())

    return ask


def brought(answer):
    return set().union(*answer.sections.values())


def test_what_was_replaced_resolved_elsewhere_or_anothers_is_never_brought(answered):
    answer = answered(case("a"))
    assert brought(answer).isdisjoint({"old", "middle", "closed", "novel", "theirs"})
    assert answer.sections["pinnedFacts"] == {"new"}
    assert answer.sections["openQuestions"] == {"open"}
    assert answer.sections["relevantBeliefs"] == {"cache"}
    assert "direct answers" in answer.prelude


def test_an_alias_finds_its_belief_and_several_scopes_are_joined(answered):
    answer = answered(case("a", "key-value store", scope=("domain:code", "domain:writing")))
    assert answer.sections["relevantBeliefs"] == {"cache", "novel"}


def test_an_empty_question_brings_what_is_pinned_alone(answered):
    answer = answered(case("a", "  "))
    assert answer.sections["relevantBeliefs"] == frozenset()
    assert answer.sections["pinnedFacts"] == {"new"}


def test_a_newcomer_has_nothing(answered):
    answer = answered(case("a", userId="nobody"))
    assert brought(answer) == set()
    assert answer.prelude == ""


def test_a_budget_holds_what_is_pinned_first(answered):
    answer = answered(case("a", "Redis cache", budget={"maxBeliefs": 1}))
    assert answer.sections["pinnedFacts"] == {"new"}
    assert answer.sections["relevantBeliefs"] == frozenset()


def test_the_share_counts_cases_in_which_every_rule_holds(folder):
    beliefs, cases = read(
        folder(
            case("good", expect={"pinnedFacts": {"mustInclude": ["new"], "mustExclude": ["open", "old"]}}),
            case("missing", expect={"pinnedFacts": {"mustInclude": ["cache"]}}),
            case("leaking", expect={"openQuestions": {"mustExclude": ["open"]}}),
            case("only", expect={"relevantBeliefs": {"shouldOnlyInclude": []}}),
        )
    )
    found = precision(beliefs, cases, HashEmbedder())
    assert (found["n"], found["held"], found["failed"]) == (4, 0.5, ["missing", "leaking"])
    assert found["should_only_include"] == {"n": 1, "held": 0.0, "precision": 0.0, "recall": 0.0}


def test_each_broken_rule_is_a_problem(folder):
    (one,) = read(folder(case("a")))[1]
    answer = Answer({"pinnedFacts": frozenset({"x"})}, "direct")
    rules = {"pinnedFacts": Expected(frozenset({"y"}), frozenset({"x"}))}
    assert problems(replace(one, expected=rules), answer) == ["pinnedFacts: no y", "pinnedFacts: x"]
    words = Expected(frozenset({"terse"}), frozenset({"direct"}))
    assert problems(replace(one, words=words), answer) == ["prelude: no terse", "prelude: direct"]
    assert problems(replace(one, prelude=False), answer) == ["prelude: there is one"]
    assert problems(replace(one, prelude=True), Answer({}, "")) == ["prelude: none"]
    assert problems(one, answer) == []


def test_what_was_replaced_comes_before_what_replaced_it(folder):
    beliefs, _ = read(folder(case("a")))
    keys = [one.key for one in in_order(beliefs)]
    assert keys.index("old") < keys.index("middle") < keys.index("new")


def test_files_that_are_not_there_or_of_another_shape_are_told(folder, tmp_path):
    with pytest.raises(NotFound, match=r"beliefs\.seed\.json"):
        read(tmp_path)
    with pytest.raises(InvalidInput, match=r"beliefs\.seed\.json is not a file of beliefs"):
        read(folder(beliefs=[{}]))
    with pytest.raises(InvalidInput, match=r"retrieval\.cases\.json is not a file of retrieval cases"):
        read(folder({"caseId": "a"}))
