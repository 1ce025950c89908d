"""The whole way from a set to its figures, through the engine, with the hash embedder."""

import json
from dataclasses import replace

import made_sets
import pytest

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.evals.asking import BASELINES, WARMING_UP, Method, Outcome, standing
from recollect.evals.measuring import evaluate, newer_above_older, quality
from recollect.evals.model import Corpus, EvalSet, Item, Question, Session
from recollect.evals.sets import load
from recollect.testing import FakeClock, HashEmbedder

KEYS = {
    *("set", "n", "unresolved", "recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10", "by_type"),
    *("items", "ingest_items_per_s", "recall_ms", "bytes_per_item", "profile", "ablated", "baseline"),
}


def outcome(type_="t", ranks=(1,), newer=(), older=()):
    return Outcome(type_, ranks, newer, older, 1.0)


def session(name, *texts):
    return Session(name, tuple(Item(f"{name}:{place}", text) for place, text in enumerate(texts)))


def one_set(*questions, sessions=None, **more):
    sessions = sessions or [session("s", "The kiln exploded", "Lisbon is sunny")]
    return [EvalSet("made", (Corpus("made", tuple(questions), tuple(sessions), **more),))]


@pytest.fixture
def calls(monkeypatch):
    """What recall was called with, besides the probes that have no question."""
    seen, recall = [], Recollect.recall

    def spied(self, question, **options):
        if question not in ("?", WARMING_UP):
            seen.append((question, options, self._clock.now()))
        return recall(self, question, **options)

    monkeypatch.setattr(Recollect, "recall", spied)
    return seen


def test_locomo_gives_every_figure(tmp_path):
    found = evaluate(load("locomo", made_sets.locomo(tmp_path)), HashEmbedder())
    assert found.keys() == KEYS
    assert (found["set"], found["n"], found["unresolved"], found["items"]) == ("locomo", 3, 1, 5)
    assert found["recall@5"] == found["recall_all@10"] == 1.0
    assert found["by_type"] == {
        "multi-hop": {"n": 1, "recall@10": 1.0},
        "single-hop": {"n": 2, "recall@10": 1.0},
    }
    assert (found["profile"], found["ablated"], found["baseline"]) == ("default", [], None)
    assert 0 < found["recall_ms"]["p50"] <= found["recall_ms"]["p95"]
    assert found["ingest_items_per_s"] > 0
    assert found["bytes_per_item"] > 0
    json.dumps(found, allow_nan=False)


def test_a_worse_ranking_has_worse_figures():
    texts = [f"The kiln number {n} exploded" for n in range(30)] + ["Something else entirely"]
    sets = one_set(Question("kiln exploded", ("s:30",), "t"), sessions=[session("s", *texts)])
    found = evaluate(sets, HashEmbedder())
    assert found["n"] == 1
    assert found["recall@10"] == found["ndcg@10"] == 0.0


def test_recall_never_sees_answer_evidence_or_type(tmp_path, calls):
    evaluate(load("locomo", made_sets.locomo(tmp_path)), HashEmbedder())
    assert len(calls) == 3
    assert {tuple(sorted(options)) for _, options, _ in calls} == {("k", "learn")}
    assert not any("SECRET" in question or "D1:" in question for question, _, _ in calls)


def test_recall_does_not_learn_from_the_evaluation(tmp_path, calls):
    evaluate(load("beam", made_sets.beam(tmp_path)), HashEmbedder())
    assert {options["learn"] for _, options, _ in calls} == {False}


def test_questions_are_asked_at_the_end_of_the_conversation(tmp_path, calls):
    sets = load("beam", made_sets.beam(tmp_path))
    evaluate(sets, HashEmbedder())
    last = sets[0].corpora[0].sessions[-1].at
    assert all(0 < (asked_at - last).total_seconds() < 60 for _, _, asked_at in calls)


def test_beam_tells_how_often_the_newer_stands_above_the_older(tmp_path):
    found = evaluate(load("beam", made_sets.beam(tmp_path)), HashEmbedder())
    told = found["newer_above_older"]
    assert told["n"] == 2
    assert told.keys() == {"n", "share", "neither_found", "knowledge_update", "contradiction_resolution"}
    assert found["unresolved"] == 1


def test_the_share_of_newer_above_older():
    some = [
        outcome("a", newer=(1,), older=(2,)),
        outcome("a", newer=(3,), older=(2, None)),
        outcome("b", newer=(5,), older=(None,)),
        outcome("b", newer=(None,), older=(None,)),
    ]
    assert newer_above_older(some) == {"n": 4, "share": 0.5, "neither_found": 1, "a": 0.5, "b": 0.5}


def test_realmem_ranks_sessions_and_never_sees_the_future(tmp_path, calls):
    sets = load("realmem", made_sets.realmem(tmp_path))
    found = evaluate(sets, HashEmbedder())
    # With the third session in sight, its repetition of the question would stand first.
    assert found["ndcg@10"] == 1.0
    ((_, options, asked_at),) = calls
    assert options["as_of"] == asked_at
    assert asked_at < sets[0].corpora[0].sessions[1].at


def test_without_its_moment_the_future_would_have_won(tmp_path):
    (whole,) = load("realmem", made_sets.realmem(tmp_path))
    (corpus,) = whole.corpora
    at_the_end = tuple(replace(question, before=None) for question in corpus.questions)
    found = evaluate([replace(whole, corpora=(replace(corpus, questions=at_the_end),))], HashEmbedder())
    assert found["ndcg@10"] < 1.0


def test_sessions_are_ranked_once_each_however_many_of_their_items_are_found():
    many = Session("a", tuple(Item("a", f"The kiln exploded {n} times") for n in range(30)))
    other = Session("b", (Item("b", "A kiln of clay"),))
    sets = one_set(Question("kiln exploded", ("b",), "t"), sessions=[many, other], grouped=True)
    assert evaluate(sets, HashEmbedder())["recall@5"] == 1.0


def test_several_sets_are_summed_up_by_question(tmp_path):
    found = evaluate(load("multihop", made_sets.multihop(tmp_path)), HashEmbedder())
    assert (found["set"], found["n"], found["items"]) == ("multihop", 2, 6)
    assert [one["set"] for one in found["sets"]] == ["hotpotqa", "musique"]
    assert found["by_type"].keys() == {"hotpotqa", "musique"}
    assert all(one.keys() == KEYS for one in found["sets"])


@pytest.mark.parametrize("name", ["realtalk", "locomo-plus"])
def test_the_other_sets_run_too(name, tmp_path):
    getattr(made_sets, name.replace("-", "_"))(tmp_path)
    found = evaluate(load(name, tmp_path), HashEmbedder())
    assert (found["set"], found["n"], found["recall@5"]) == (name, 2, 1.0)


@pytest.mark.parametrize("baseline", BASELINES)
def test_a_baseline_is_a_profile_in_the_same_harness(baseline, calls):
    found = evaluate(one_set(Question("the kiln?", ("s:0",), "t")), HashEmbedder(), Method(baseline=baseline))
    assert (found["baseline"], found["profile"]) == (baseline, BASELINES[baseline])
    assert [options["profile"] for _, options, _ in calls] == [BASELINES[baseline]]


def test_the_layers_to_leave_out_reach_recall(monkeypatch):
    seen, recall = [], Recollect.recall

    def spied(self, question, *, ablate=(), **options):
        seen.append(ablate)
        return recall(self, question, **options)

    monkeypatch.setattr(Recollect, "recall", spied)
    method = Method(ablate=("windows", "dates"))
    found = evaluate(one_set(Question("the kiln?", ("s:0",), "t")), HashEmbedder(), method)
    assert set(seen) == {("windows", "dates")}
    assert found["ablated"] == ["windows", "dates"]


@pytest.mark.parametrize("method", [Method(profile="nope"), Method(ablate=("no such layer",))])
def test_what_recall_does_not_know_is_told_before_a_store_is_filled(method, tmp_path):
    with pytest.raises(InvalidInput):
        evaluate(one_set(Question("?", ("s:0",), "t")), HashEmbedder(), method, stores=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_method_that_contradicts_itself_is_refused():
    with pytest.raises(InvalidInput, match="no baseline 'nope'; there are: bm25, dense, rrf"):
        Method(baseline="nope")
    with pytest.raises(InvalidInput, match="--baseline and --profile"):
        Method(baseline="bm25", profile="words")


def test_a_formed_memory_counts_for_its_sources():
    with Recollect(
        ":memory:", user="u", channel="_global", embedder=HashEmbedder(), clock=FakeClock()
    ) as memory:
        first, second = memory.observe(["The kiln exploded", "Lisbon is sunny"])
        formed = memory.remember("The kiln in Lisbon exploded", sources=[first.id, second.id])
        hits = memory.recall("kiln Lisbon exploded")
    told = dict(
        zip((hit.id for hit in hits), standing(hits, {first.id: ("a",), second.id: ("b",)}), strict=True)
    )
    assert told[formed.id] == ("a", "b")
    assert told[first.id] == ("a",)


def test_figures_are_means_over_the_questions():
    found = quality(
        [outcome(ranks=(1, None)), outcome(ranks=(6,)), outcome(ranks=(None,)), outcome(ranks=(1, 2))]
    )
    assert found["n"] == 4
    assert (found["recall@5"], found["recall@10"], found["recall_all@10"]) == (0.375, 0.625, 0.5)


def test_kept_stores_are_asked_again_with_the_same_answers(tmp_path):
    sets = load("locomo", made_sets.locomo(tmp_path))
    first, second = (evaluate(sets, HashEmbedder(), stores=tmp_path / "kept") for _ in range(2))
    timed = {"recall_ms"}
    assert {k: v for k, v in first.items() if k not in timed} == {
        k: v for k, v in second.items() if k not in timed
    }
    assert len(list((tmp_path / "kept").iterdir())) == 2
