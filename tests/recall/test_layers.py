"""The layers of the read path: each can be switched, and switches its own part and nothing else."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.recall.layers import LAYERS, active
from recollect.recall.profiles import PROFILES
from recollect.testing import FakeClock, HashEmbedder

DEFAULT = PROFILES["default"]
WITHOUT_WORDS = DEFAULT.without("matched_words", "matched_nearby")
QUESTION = "Where did I say the deploy of Atlas runs?"


@pytest.fixture
def talked(memory, clock):
    """Two sessions and titled notes, so that every layer has something to do."""
    memory.observe(
        [
            {"role": "user", "content": "Tell me where the deploy of Atlas runs"},
            {"role": "assistant", "content": "The deploy of Atlas runs in Porto, says Project Heron"},
            {"role": "user", "content": "I moved it to the machines in Lisbon"},
        ],
        session="s1",
    )
    clock.advance(days=1)
    memory.observe(
        [
            {"role": "user", "content": "My sister runs a bakery"},
            {"role": "assistant", "content": "What does she say about bread?"},
        ],
        session="s2",
    )
    memory.remember("A migration of old machines", metadata={"title": "Project Heron"})
    memory.remember("The office cat is called Pixel")
    clock.advance(days=1)
    return memory


def values(found):
    return {hit.id: dict(hit.values) for hit in found}


@pytest.mark.parametrize("name", LAYERS)
def test_switching_a_layer_switches_no_other(name):
    assert active((name,)) ^ active(()) == {name}
    assert (name in active(())) is LAYERS[name].on
    assert active((name, name)) == active((name,))


def test_all_layers_may_be_switched_at_once():
    assert active(LAYERS) == LAYERS.keys() - active(())


@pytest.mark.parametrize("ablate", [["hops"], "hops", ["context", "hops"]])
def test_an_unknown_layer_is_named_with_those_that_there_are(talked, ablate):
    with pytest.raises(InvalidInput, match=r"no layer hops; there are: .*context.*hop"):
        talked.recall(QUESTION, ablate=ablate)


@pytest.mark.parametrize(
    ("layer", "signals"),
    [
        ("context", {"words_nearby", "matched_nearby"}),
        ("sessions", {"session_words"}),
        ("own_words", {"own_words"}),
        ("hop", {"linked"}),
    ],
)
def test_a_layer_that_is_off_changes_its_own_signals_and_no_other(talked, layer, signals):
    # A hop gives on the score that led to it, which every layer may change.
    rest = () if layer == "hop" else ("hop",)
    on, off = (values(talked.recall(QUESTION, ablate=ablate)) for ablate in (rest, (layer, *rest)))
    assert on.keys() == off.keys()
    changed = {name for hit, own in on.items() for name in own if own[name] != off[hit][name]}
    assert changed == signals
    if layer != "context":
        assert all(off[hit][name] == 0 for hit in off for name in signals)


def test_without_late_interaction_words_and_meaning_take_its_weight(talked):
    on, off = (
        talked.recall(QUESTION, ablate="hop"),
        talked.recall(QUESTION, ablate=("late_interaction", "hop")),
    )
    assert off.trace.weights == WITHOUT_WORDS.weights
    for hit in off:
        assert dict(hit.values) == {name: values(on)[hit.id][name] for name in WITHOUT_WORDS.weights}


def test_what_was_said_around_an_answer_is_read_only_with_context(memory):
    for run in ("r1", "r2", "r3"):
        memory.observe(f"The deploy of Atlas is step {run}", session="s1", run=run)

    def texts_read(**options):
        steps = memory.recall(QUESTION, run="r2", **options).trace.steps
        return next(step.detail["texts_read"] for step in steps if step.stage == "weigh")

    assert texts_read() == 3
    assert texts_read(ablate="context") == 1
    assert texts_read(ablate="late_interaction") == 0


@pytest.mark.parametrize("ablate", [(), *((name,) for name in LAYERS), tuple(LAYERS)])
def test_contributions_add_up_and_answers_repeat_whatever_is_switched(talked, ablate):
    found, again = talked.recall(QUESTION, ablate=ablate), talked.recall(QUESTION, ablate=ablate)
    assert found
    assert [(h.id, h.score, h.signals) for h in found] == [(h.id, h.score, h.signals) for h in again]
    for hit in found:
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-12)
        assert {n: found.trace.weights[n] * v for n, v in hit.values.items()} == dict(hit.signals)


def test_what_scores_the_same_stands_newest_first(memory):
    ids = [memory.remember("The build is green", channel=channel).id for channel in ("a", "b", "c", "d")]
    for _ in range(2):
        found = memory.recall("is the build green?", every_channel=True)
        assert [h.id for h in found] == ids[::-1]
        assert len({h.score for h in found}) == 1


class TestProfileWithout:
    def test_the_weights_that_are_left_sum_to_the_same(self):
        assert sum(WITHOUT_WORDS.weights.values()) == pytest.approx(sum(DEFAULT.weights.values()))
        lost = DEFAULT.weights["matched_words"] + DEFAULT.weights["matched_nearby"]
        assert WITHOUT_WORDS.weights["words_nearby"] == pytest.approx(0.15 + 0.8 * lost)
        assert WITHOUT_WORDS.weights["meaning"] == pytest.approx(0.35 + 0.2 * lost)
        assert WITHOUT_WORDS.weights.keys() == DEFAULT.weights.keys() - {"matched_words", "matched_nearby"}

    def test_other_weights_stay(self):
        for name in WITHOUT_WORDS.weights.keys() - {"words_nearby", "meaning"}:
            assert WITHOUT_WORDS.weights[name] == DEFAULT.weights[name]

    def test_a_profile_that_has_none_of_them_stays_as_it_is(self):
        for name in ("words", "meaning", "ranks", "cognitive"):
            without = PROFILES[name].without("matched_words", "matched_nearby")
            assert without.weights == PROFILES[name].weights
        assert WITHOUT_WORDS.without("matched_words", "matched_nearby") == WITHOUT_WORDS


class TestWithoutWordVectors:
    """A store that keeps no vectors of words answers, by the weights of `Profile.without`."""

    class Plain:
        name, dimension = "hash-384", 384

        def embed(self, texts, progress=None):
            return HashEmbedder().embed(texts, progress)

    def opened(self, path, embedder, **settings):
        return Recollect(
            path, user="ada", channel="_global", embedder=embedder, clock=FakeClock(), settings=settings
        )

    def fill(self, engine):
        engine.remember("Deploys go through staging first")
        engine.remember("The office cat is called Pixel")
        engine.remember("The roadmap is reviewed every Monday")

    def check(self, found):
        assert found[0].text == "The office cat is called Pixel"
        assert found.trace.weights == WITHOUT_WORDS.weights
        for hit in found:
            assert hit.signals.keys() == WITHOUT_WORDS.weights.keys()
            assert sum(hit.signals.values()) == pytest.approx(hit.score)

    @pytest.mark.parametrize("kind", ["switched off", "an embedder without words"])
    def test_it_still_answers(self, tmp_path, kind):
        embedder = HashEmbedder() if kind == "switched off" else self.Plain()
        settings = {"embedder.words": "off"} if kind == "switched off" else {}
        with self.opened(tmp_path / "agent.db", embedder, **settings) as engine:
            self.fill(engine)
            self.check(engine.recall("what is the cat called?"))

    def test_a_store_that_was_filled_without_them_answers_an_embedder_that_gives_them(self, tmp_path):
        with self.opened(tmp_path / "agent.db", self.Plain()) as engine:
            self.fill(engine)
        with self.opened(tmp_path / "agent.db", HashEmbedder()) as engine:
            self.check(engine.recall("what is the cat called?"))
            engine.remember("Pixel is the name of the cat next door")
            found = engine.recall("what is the cat called?")
            assert found.trace.weights == DEFAULT.weights, "as soon as one has them"
            assert len(found) == 4

    def test_a_question_without_words_of_its_own_is_weighed_without_them(self, tmp_path):
        with self.opened(tmp_path / "agent.db", HashEmbedder()) as engine:
            self.fill(engine)
            assert engine.recall("who is who?").trace.weights == WITHOUT_WORDS.weights
