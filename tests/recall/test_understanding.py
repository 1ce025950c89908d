"""What a question's own words change about its recall, end to end, in English and in Turkish."""

from datetime import UTC, datetime

import numpy as np
import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.index.partition import Partition
from recollect.recall.layers import LAYERS
from recollect.testing import HashEmbedder


class Heard(HashEmbedder):
    """An embedder that remembers what it was asked to embed."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def encode(self, texts, progress=None):
        self.asked.append(list(texts))
        return super().encode(texts, progress)


@pytest.fixture
def embedder():
    return Heard()


@pytest.fixture
def heard(embedder, clock):
    with Recollect(":memory:", user="ada", channel="_global", embedder=embedder, clock=clock) as engine:
        yield engine


def texts(found):
    return [hit.text for hit in found]


def detail(found, stage):
    return next(dict(step.detail) for step in found.trace.steps if step.stage == stage)


def stages(found):
    return [step.stage for step in found.trace.steps]


# The gate.


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("hi", "greeting"),
        ("Merhaba!", "greeting"),
        ("ok", "acknowledgement"),
        ("tamam, teşekkürler", "acknowledgement"),
        ("/clear", "slash command"),
        ("👍", "no words"),
    ],
)
def test_small_talk_costs_no_embedding_and_no_search(heard, embedder, monkeypatch, message, reason):
    heard.remember("hi ok clear merhaba tamam")
    embedder.asked.clear()
    monkeypatch.setattr(Partition, "search", lambda *_: pytest.fail("searched"))
    found = heard.recall(message)
    assert len(found) == 0
    assert embedder.asked == []
    assert stages(found) == ["gate"]
    assert detail(found, "gate") == {"refused": reason}
    assert heard.context(message) == ""


@pytest.mark.parametrize("question", ["hi, where did I park?", "selam, arabam nerede?", "ok google password"])
def test_what_asks_something_passes_the_gate(memory, question):
    memory.remember("I park where arabam nerede google password")
    found = memory.recall(question)
    assert len(found) == 1
    assert detail(found, "gate") == {}


def test_without_the_gate_small_talk_is_looked_up(memory):
    memory.remember("hi there")
    found = memory.recall("hi", ablate=["gate"])
    assert texts(found) == ["hi there"]
    assert "gate" not in stages(found)


def test_small_talk_still_names_what_is_wrong_with_its_options(memory):
    with pytest.raises(InvalidInput, match="no profile"):
        memory.recall("hi", profile="nonsense")


# History.


@pytest.fixture
def moved(memory, clock):
    old = memory.remember("My office is in Porto. Ofisim Porto'da.")
    clock.advance(days=1)
    new = memory.remember("My office is in Lisbon. Ofisim Lizbon'da.", supersedes=old.id)
    clock.advance(days=1)
    return memory, old.id, new.id


@pytest.mark.parametrize("question", ["Where was my office before?", "Ofisim eskiden neredeydi?"])
def test_a_question_about_the_past_brings_what_was_superseded(moved, question):
    memory, old, new = moved
    found = memory.recall(question)
    assert {hit.id for hit in found} == {old, new}
    assert detail(found, "history") == {"about_the_past": True}
    assert [hit.id for hit in memory.recall(question, ablate=["history"])] == [new]


@pytest.mark.parametrize("question", ["Where is my office?", "Ofisim nerede?"])
def test_any_other_question_brings_what_is_current(moved, question):
    memory, _, new = moved
    found = memory.recall(question)
    assert [hit.id for hit in found] == [new]
    assert detail(found, "history") == {}


def test_a_moment_that_was_asked_for_decides_over_the_past_tense(moved):
    memory, old, _ = moved
    found = memory.recall("Where was my office before?", valid_at="2026-01-01T12:00:00Z")
    assert [hit.id for hit in found] == [old]


def test_a_hit_says_since_when_it_holds_until_when_and_what_replaced_it(moved):
    memory, old, new = moved
    first, second = sorted(memory.recall("Where was my office before?"), key=lambda hit: hit.since)
    day, next_day = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    assert (first.since, first.until, first.replaces, first.replaced_by) == (day, next_day, None, new)
    assert (second.since, second.until, second.replaces, second.replaced_by) == (next_day, None, old, None)
    told = memory.context("Where was my office before?")
    assert f'(since 2026-01-02, replaces "{first.text}")' in told
    assert f'(since 2026-01-01, until 2026-01-02, no longer true: replaced by "{second.text}")' in told
    assert first.holds == f"since 2026-01-01, until 2026-01-02, no longer true: replaced by {new}"


def test_a_turn_that_was_superseded_says_so(memory, clock):
    (turn,) = memory.observe([{"role": "user", "name": "Ada", "content": "My office is in Porto"}])
    clock.advance(days=1)
    new = memory.remember("The office is in Lisbon", supersedes=turn.id)
    told = memory.context("Where was my office before?")
    assert f'(2026-01-01, Ada said, until 2026-01-02, no longer true: replaced by "{new.text}")' in told


# The period.


@pytest.fixture
def eaten(memory, clock):
    """The same words in three weeks; 15 January 2026 is a Thursday."""
    for name, day in (("before", 1), ("last", 7), ("this", 14)):
        clock.set(datetime(2026, 1, day, 12, tzinfo=UTC))
        memory.observe([{"role": "user", "content": "We ate soup with Omar, yemek yedik"}], session=name)
    clock.set(datetime(2026, 1, 15, 12, tzinfo=UTC))
    return memory


def sessions(found):
    return [hit.memory.origin.session for hit in found]


@pytest.mark.parametrize(
    ("question", "phrase"), [("Who ate soup last week?", "last week"), ("Geçen hafta yemek?", "Geçen hafta")]
)
def test_a_time_that_the_question_names_prefers_what_is_of_it(eaten, question, phrase):
    found = eaten.recall(question)
    assert sessions(found)[0] == "last"
    assert {hit.memory.origin.session: hit.values["period"] for hit in found} == {
        "before": 0.0,
        "last": 1.0,
        "this": 0.0,
    }
    assert detail(found, "period") == {
        "phrase": phrase,
        "since": "2026-01-05T00:00:00+00:00",
        "until": "2026-01-12T00:00:00+00:00",
        "is_ahead": False,
        "is_filter": False,
    }


def test_without_the_layer_or_without_a_time_no_time_is_preferred(eaten):
    switched = eaten.recall("Who ate soup last week?", ablate=["period"])
    assert "period" not in stages(switched)
    assert {hit.values["period"] for hit in switched} == {0.0}
    assert sessions(switched)[0] == "this"
    assert detail(eaten.recall("Who ate soup?"), "period") == {}


def test_a_time_is_seen_from_when_the_question_is_asked(eaten):
    found = eaten.recall("Who ate soup last week?", as_of="2026-01-08T12:00:00Z")
    assert sessions(found)[0] == "before"
    assert detail(found, "period")["since"] == "2025-12-29T00:00:00+00:00"


@pytest.mark.parametrize("question", ["Who ate soup last week?", "Geçen hafta yemek?"])
def test_as_a_filter_a_time_leaves_out_every_other(eaten, question):
    found = eaten.recall(question, only_period=True, ablate=["period"])
    assert sessions(found) == ["last"]
    assert detail(found, "period")["is_filter"] is True


def test_a_time_ahead_filters_nothing(eaten):
    found = eaten.recall("Who will eat soup next week?", only_period=True)
    assert len(found) == 3
    assert detail(found, "period")["is_ahead"] is True


def test_a_time_and_the_callers_own_bounds_both_hold(eaten):
    assert len(eaten.recall("Who ate soup last week?", only_period=True, since="2026-01-08T00:00:00Z")) == 0
    bounds = {"since": "2026-01-02T00:00:00Z", "until": "2026-01-14T00:00:00Z"}
    assert sessions(eaten.recall("Who ate soup in January 2026?", only_period=True, **bounds)) == ["last"]


# The router.


def test_the_router_weighs_by_what_the_question_is_after(moved):
    memory, old, new = moved
    found = memory.recall("When did my office move to Lisbon?", ablate=["router"])
    assert detail(found, "router") == {"intent": "temporal"}
    assert {hit.id for hit in found} == {old, new}
    usual = memory.recall("When did my office move to Lisbon?")
    assert [hit.id for hit in usual] == [new]
    assert found.trace.weights["words_nearby"] > usual.trace.weights["words_nearby"]
    for hit in found:
        assert sum(hit.signals.values()) == pytest.approx(hit.score)


@pytest.mark.parametrize("question", ["What coffee do I prefer?", "Hangi kahveyi tercih ederim?"])
def test_a_question_about_preferences_prefers_preferences(memory, question):
    memory.remember("Coffee, kahve: strong", kind="preference")
    memory.remember("Coffee, kahve: sold out", kind="note")
    found = memory.recall(question, ablate=["router"])
    assert detail(found, "router") == {"intent": "preference"}
    assert {hit.memory.kind: hit.values["category"] for hit in found} == {"preference": 1.0, "note": 0.0}


# Parts and expansion.


@pytest.fixture
def people(heard):
    for text in (
        "Ada lives in Lisbon near the river",
        "Omar plays the cello every evening",
        "Priya keeps bees on the roof",
        "The river in Lisbon is wide",
    ):
        heard.remember(text)
    return heard


WHOLE = "Where does Ada live and what does Omar play?"


def test_a_compound_question_scores_by_the_part_that_a_memory_answers_best(people):
    found = people.recall(WHOLE, ablate=["parts"])
    parts = detail(found, "parts")["parts"]
    assert len(parts) == 2
    alone = [{h.id: h.score for h in people.recall(text)} for text in (WHOLE, *parts)]
    assert len({hit.id for hit in found}) == len(found) == 4
    for hit in found:
        assert hit.score == pytest.approx(max(scores.get(hit.id, -1.0) for scores in alone))
        assert sum(hit.signals.values()) == pytest.approx(hit.score)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert detail(found, "fuse")["parts"] == 2


def test_the_parts_are_embedded_with_the_whole_and_only_where_there_are_any(people, embedder):
    embedder.asked.clear()
    people.recall(WHOLE, ablate=["parts"])
    people.recall("Ayşe nerede oturuyor ve ne iş yapıyor?", ablate=["parts"])
    people.recall("Where does Ada live?", ablate=["parts"])
    people.recall("Where does Ada swim and what does Omar eat?")
    assert [len(asked) for asked in embedder.asked] == [3, 3, 1, 1]


@pytest.mark.parametrize("question", ["Why did Ada move to Lisbon?", "Ada neden Lizbon'a taşındı?"])
def test_expansion_searches_by_the_centre_of_the_question_and_possible_answers(people, embedder, question):
    embedder.asked.clear()
    found = people.recall(question, profile="meaning", ablate=["expansion"])
    (asked,) = embedder.asked
    assert asked == [question, *detail(found, "expansion")["variants"]]
    assert len(asked) > 2
    centre = HashEmbedder().embed(asked).mean(axis=0)
    for hit in found:
        cosine = float(HashEmbedder().embed([hit.text])[0] @ centre / np.linalg.norm(centre))
        assert hit.values["similarity"] == pytest.approx(max(cosine, 0.0), abs=2e-3)


def test_what_asks_nothing_is_not_expanded(people, embedder):
    embedder.asked.clear()
    people.recall("Ada Lisbon", ablate=["expansion"])
    assert [len(asked) for asked in embedder.asked] == [1]


def test_only_the_layers_that_are_on_take_steps(people):
    usual = people.recall(WHOLE)
    assert not {"router", "parts", "expansion", "diversity"} & set(stages(usual))
    every = people.recall(WHOLE, ablate=[name for name, layer in LAYERS.items() if not layer.on])
    assert {"router", "parts", "expansion", "diversity"} <= set(stages(every))
