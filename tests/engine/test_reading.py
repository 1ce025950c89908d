"""The verbs that bring it back, on both stores."""

import subprocess
import sys

import pytest

from recollect.errors import InvalidInput, NotFound
from recollect.recall.layers import LAYERS, active
from recollect.recall.pipeline import ANSWERING, ASKING
from recollect.recall.profiles import PROFILES


def texts(found):
    return [hit.text for hit in found]


@pytest.fixture
def filled(memory, clock):
    memory.remember("Deploys go through staging first", tags=["ops"], kind="procedure")
    clock.advance(days=1)
    memory.remember("The office cat is called Pixel")
    clock.advance(days=1)
    memory.observe(
        [{"role": "user", "content": "Please deploy the staging branch tonight"}],
        session="s1",
        run="r1",
        actor="planner",
    )
    clock.advance(days=1)
    return memory


def test_a_recall_can_be_of_chosen_memories_alone(filled):
    found = filled.recall("deploy staging")
    assert len(found) > 1
    chosen = found[-1].id
    assert [hit.id for hit in filled.recall("deploy staging", ids=[chosen])] == [chosen]
    assert not filled.recall("deploy staging", ids=[])


def test_a_recall_can_be_of_chosen_channels_alone(memory):
    for channel in ("_global", "atlas", "boreas"):
        memory.remember(f"the {channel} harbour opens at dawn", channel=channel)
    found = memory.recall("when does the harbour open?", channel="atlas", channels=["boreas", "nowhere"])
    assert [hit.memory.channel for hit in found] == ["boreas"]


@pytest.mark.parametrize("ablate", [(), ("parts",)])
def test_every_hit_says_how_alike_it_is_whatever_the_profile(filled, ablate):
    question = "Deploys go through staging first, and who is the office cat?"
    exact = filled.recall("Deploys go through staging first", ablate=ablate)[0]
    assert exact.similarity == pytest.approx(1.0, abs=1e-3)
    for hit in filled.recall(question, ablate=ablate):
        alone = {one.id: one for one in filled.recall(hit.text)}
        assert 0.0 <= hit.similarity <= alone[hit.id].similarity


@pytest.mark.parametrize("profile", PROFILES)
def test_contributions_add_up_to_the_score_in_every_profile(filled, profile):
    found = filled.recall("deploy staging", profile=profile)
    assert found
    for hit in found:
        assert sum(hit.signals.values()) == pytest.approx(hit.score)
        assert hit.signals.keys() == found.trace.weights.keys() == hit.values.keys()
        assert PROFILES[profile].weights.keys() <= hit.signals.keys()
        assert all(0.0 <= value <= 1.0 + 1e-9 for value in hit.values.values())


def test_hits_come_best_first_and_at_most_k(filled):
    found = filled.recall("deploy staging", k=2)
    assert len(found) == 2
    assert found[0].score >= found[1].score


def test_the_same_question_twice_gives_the_same_answer(filled):
    first, second = filled.recall("deploy staging"), filled.recall("deploy staging")
    assert [(h.id, h.score) for h in first] == [(h.id, h.score) for h in second]


def test_the_trace_tells_every_stage_with_its_time(filled):
    trace = filled.recall("deploy staging").trace
    stages = [stage.__name__ for stage in (*ASKING, *ANSWERING)]
    off = LAYERS.keys() - active(())
    assert [step.stage for step in trace.steps] == [name for name in stages if name not in off]
    assert {"read", "search", "weigh", "rank", "load"} < {step.stage for step in trace.steps}
    assert all(step.elapsed_ms >= 0 for step in trace.steps)
    assert trace.weights == PROFILES["default"].weights


def test_a_recall_as_of_a_moment_gives_that_moments_answer(memory, clock):
    kept = memory.remember("The launch is in March")
    clock.advance(days=1)
    then = clock.now()
    clock.advance(days=1)
    memory.edit(kept.id, "The launch is in April")
    other = memory.remember("The launch party is in May")
    clock.advance(days=1)
    memory.forget(other.id)
    assert texts(memory.recall("launch", as_of=then)) == ["The launch is in March"]
    assert texts(memory.recall("launch")) == ["The launch is in April"]
    assert set(texts(memory.recall("launch", as_of=clock.now().replace(microsecond=0).isoformat()))) == {
        "The launch is in April"
    }


def test_valid_at_asks_what_was_true_then_as_we_know_it_now(memory, clock):
    old = memory.remember("The office is in Porto", valid_from="2025-01-01T00:00:00Z")
    memory.remember("The office is in Lisbon", valid_from="2025-06-01T00:00:00Z", supersedes=old.id)
    assert texts(memory.recall("office", valid_at="2025-03-01T00:00:00Z")) == ["The office is in Porto"]
    assert texts(memory.recall("office", valid_at="2025-07-01T00:00:00Z")) == ["The office is in Lisbon"]
    assert texts(memory.recall("office", valid_at="2024-07-01T00:00:00Z")) == []


def test_what_has_expired_is_not_current(memory, clock):
    memory.remember("The build is red until Friday", valid_until="2026-01-03T00:00:00Z")
    assert texts(memory.recall("build red")) == ["The build is red until Friday"]
    clock.advance(days=5)
    assert texts(memory.recall("build red")) == []
    assert texts(memory.recall("build red", include_superseded=True)) == ["The build is red until Friday"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"lanes": ["log"]}, {"Please deploy the staging branch tonight"}),
        ({"lanes": "memory"}, {"Deploys go through staging first", "The office cat is called Pixel"}),
        ({"kinds": ["procedure"]}, {"Deploys go through staging first"}),
        ({"tags": "ops"}, {"Deploys go through staging first"}),
        ({"only_session": "s1"}, {"Please deploy the staging branch tonight"}),
        ({"run": "r1"}, {"Please deploy the staging branch tonight"}),
        ({"actor": "planner"}, {"Please deploy the staging branch tonight"}),
        ({"event_type_prefix": "chat."}, {"Please deploy the staging branch tonight"}),
        (
            {"since": "2026-01-02T00:00:00Z", "until": "2026-01-03T00:00:00Z"},
            {"The office cat is called Pixel"},
        ),
        ({"tags": ["ops"], "lanes": ["log"]}, set()),
    ],
)
def test_filters_are_exact(filled, options, expected):
    assert set(texts(filled.recall("deploy staging cat office", **options))) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"k": 5000},
        {"profile": "nonsense"},
        {"since": "yesterdayish"},
        {"nonsense": 1},
        {"lanes": ["x"]},
    ],
)
def test_a_wrong_option_is_named(filled, wrong):
    with pytest.raises(InvalidInput):
        filled.recall("deploy", **wrong)


@pytest.mark.parametrize("question", ["", "  ", "\n"])
def test_an_empty_question_is_refused(filled, question):
    with pytest.raises(InvalidInput, match="empty"):
        filled.recall(question)


@pytest.mark.parametrize(
    "question",
    [
        '" OR 1=1 --',
        "NEAR(a b)",
        "the of and",
        "🧠🧠",
        "\x00",
        "x" * 100_000,
        "İSTANBUL ısı",
        "*",
        "a:b",
        "\ud800",
    ],
)
def test_odd_questions_get_an_answer(filled, question):
    assert len(filled.recall(question)) <= 10


def test_context_fits_its_budget_and_dates_every_line(filled):
    text = filled.context("deploy staging", budget_tokens=60)
    assert len(text) <= 60 * 4
    assert "since 2026-01-01" in text
    assert filled.context("deploy staging", budget_tokens=1) == ""


def test_a_recall_counts_what_it_brought_unless_told_not_to(filled):
    hit = filled.recall("office cat", k=1, learn=False)[0]
    filled._accesses.flush()
    assert filled.store.counters("ada", [hit.id]) == {}
    filled.recall("office cat", k=1)
    filled._accesses.flush()
    assert filled.store.counters("ada", [hit.id])[hit.id].access_count == 1


def test_often_used_memories_rise_in_the_cognitive_profile(memory):
    memory.remember("The deploy script lives in tools")
    kept = memory.remember("The deploy script lives in bin")
    memory.store.touch("ada", {kept.id: (50, memory._clock.now())})
    assert memory.recall("deploy script lives", profile="cognitive")[0].id == kept.id


def test_a_doubtful_memory_stands_behind_a_trusted_one(memory):
    doubtful = memory.remember("The deploy takes ten minutes", confidence=0.2)
    trusted = memory.remember("The deploy takes six minutes", confidence=0.9)
    # Signals reach from the least of the candidates to the best: others must be there for two to be alike.
    memory.remember("The office cat is called Pixel")
    found = memory.recall("what does the deploy need?")
    assert [h.id for h in found[:2]] == [trusted.id, doubtful.id]
    assert [h.signals["doubt"] for h in found] == [0, -0.2, 0]


def test_the_timeline_shows_past_and_present_in_order(memory, clock):
    old = memory.remember("The office is in Porto")
    clock.advance(days=1)
    memory.remember("The office is in Lisbon", supersedes=old.id)
    assert [m.text for m in memory.timeline("office")] == [
        "The office is in Porto",
        "The office is in Lisbon",
    ]
    assert [m.text for m in memory.timeline()] == ["The office is in Porto", "The office is in Lisbon"]


def test_history_follows_what_was_replaced(memory, clock):
    old = memory.remember("The office is in Porto")
    clock.advance(days=1)
    new = memory.remember("The office is in Lisbon", supersedes=old.id)
    assert [m.text for m in memory.history(new.id)] == [
        "The office is in Porto",
        "The office is in Porto",
        "The office is in Lisbon",
    ]


def test_a_clock_that_jumped_ahead_and_back_loses_nothing(memory, clock):
    clock.advance(days=365 * 50)
    future = memory.remember("Written in the far future")
    clock.set(clock.now().replace(year=2026))
    now = memory.remember("Written after the clock was mended")
    assert {h.id for h in memory.recall("written")} == {future.id, now.id}
    memory.edit(future.id, "Written in the far future, edited")
    assert memory.get(future.id).text == "Written in the far future, edited"
    assert memory.verify() == []


def test_get_as_of_tells_what_was_believed(memory, clock):
    kept = memory.remember("The launch is in March")
    with pytest.raises(NotFound):
        memory.get(kept.id, as_of="2020-01-01T00:00:00Z")


def test_a_question_about_a_person_finds_what_that_person_said(memory):
    memory.observe(
        [
            {"role": "user", "name": "Priya", "content": "I moved to the coast"},
            {"role": "user", "name": "Omar", "content": "I moved to the hills"},
        ]
    )
    assert memory.recall("where did Omar go?")[0].memory.origin.speaker == "Omar"


def test_the_first_recall_of_a_process_imports_nothing_more():
    script = (
        "import sys; from recollect import Recollect; from recollect.testing import HashEmbedder\n"
        "memory = Recollect(':memory:', embedder=HashEmbedder()); memory.remember('Tea is in the kitchen.')\n"
        "before = set(sys.modules); memory.recall('where is tea?'); print(set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
