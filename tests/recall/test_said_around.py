"""What was said around a turn helps it to be found, and only what the asker may see does."""

import pytest

from recollect import Recollect
from recollect.candidates import Asked
from recollect.language.terms import term_hashes
from recollect.recall.profiles import profile
from recollect.recall.query import Query
from recollect.testing import HashEmbedder

ASKED = "Which restaurant suits our anniversary?"
ANSWER = "The one by the river, a table at eight"


def say(engine, session, *turns, **options):
    """Turns that the user and the assistant take; their ids."""
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": turn} for place, turn in enumerate(turns)]
    return [one.id for one in engine.observe(messages, session=session, **options)]


def nearby(found, text):
    """How far the words of the neighbours speak for a turn."""
    hit = next(hit for hit in found if hit.text == text)
    return hit.values["words_nearby"], hit.values["matched_nearby"]


@pytest.fixture
def talked(memory, clock):
    """The question's words stand in one turn, its answer in the next; as good an answer stands elsewhere."""
    say(memory, "s1", ASKED, ANSWER)
    clock.advance(days=1)
    say(memory, "s2", "Which desk is mine?", "The one by the window, a table at nine")
    memory.remember("The office cat is called Pixel")
    clock.advance(days=1)
    return memory


def test_words_in_the_neighbouring_turn_bring_the_turn(talked):
    found = [hit.text for hit in talked.recall("restaurant for the anniversary")]
    assert found[:2] == [ASKED, ANSWER]
    # Without what was said around them nothing tells one table from the other.
    alone = talked.recall("restaurant for the anniversary", ablate=("context", "sessions"))
    assert nearby(alone, ANSWER) == nearby(alone, "The one by the window, a table at nine")


def test_the_words_of_a_turn_itself_count_more_than_those_beside_it(talked):
    found = talked.recall("restaurant for the anniversary")
    assert nearby(found, ASKED) == (1, 1)
    assert 0.5 < nearby(found, ANSWER)[0] < 1
    assert 0.5 < nearby(found, ANSWER)[1] < 1
    assert nearby(found, "The office cat is called Pixel") == (0, 0)


def test_a_turn_that_no_arm_found_is_brought_by_the_one_beside_it(memory):
    for number in range(40):
        memory.remember(f"Anniversary number {number} has a restaurant")
    question = "restaurant anniversary"
    say(memory, "s1", question, "By the river, eight sharp")
    where = Query(question).filter(memory._clock.now())
    found = memory._index().search(
        Asked(HashEmbedder().embed([question])[0], term_hashes(question)), where, limit=1
    )
    texts = [m.text for m in memory.store.shown("ada", found.contents.tolist(), where)]
    # The arms bring the best of each lane.
    assert {"By the river, eight sharp", question} < set(texts)
    assert [(arm.name, arm.found) for arm in found.arms] == [("text", 2), ("vector", 2), ("context", 1)]


def test_memories_have_no_neighbours(memory):
    for text in (ASKED, ANSWER, "The office cat is called Pixel"):
        memory.remember(text, session="s1")
    assert nearby(memory.recall("restaurant for the anniversary"), ANSWER) == (0, 0)


class TestIsolation:
    """A turn whose neighbour may not be seen is as if the neighbour had not been said."""

    QUESTION = "restaurant for the anniversary"

    @pytest.fixture
    def beside(self, memory, clock):
        """The turn's text, and the id of the turn beside it that has the question's words."""
        first, _ = say(memory, "s1", ASKED, ANSWER)
        memory.remember("The office cat is called Pixel")
        assert min(nearby(memory.recall(self.QUESTION), ANSWER)) > 0.5, "it is seen at first"
        return first

    def test_a_forgotten_turn_is_not_around_until_it_is_restored(self, memory, beside):
        memory.forget(beside)
        assert nearby(memory.recall(self.QUESTION), ANSWER) == (0, 0)
        memory.restore(beside)
        assert min(nearby(memory.recall(self.QUESTION), ANSWER)) > 0.5

    def test_a_forgotten_turn_is_around_for_who_asks_for_the_dormant(self, memory, beside):
        memory.forget(beside)
        assert min(nearby(memory.recall(self.QUESTION, include_dormant=True), ANSWER)) > 0.5

    def test_a_purged_turn_is_not_around(self, memory, beside):
        memory.purge(beside)
        assert nearby(memory.recall(self.QUESTION), ANSWER) == (0, 0)

    def test_what_was_said_later_is_not_around_as_of_before(self, memory, clock):
        say(memory, "s1", ANSWER)
        memory.remember("The office cat is called Pixel")
        clock.advance(hours=1)
        then = clock.now()
        clock.advance(hours=1)
        say(memory, "s1", ASKED)
        clock.advance(hours=1)
        assert min(nearby(memory.recall(self.QUESTION), ANSWER)) > 0.5
        assert nearby(memory.recall(self.QUESTION, as_of=then), ANSWER) == (0, 0)

    def test_another_sessions_turn_is_not_around(self, memory):
        say(memory, "s1", ANSWER)
        say(memory, "s2", ASKED)
        memory.remember("The office cat is called Pixel")
        assert nearby(memory.recall(self.QUESTION), ANSWER) == (0, 0)

    def test_a_turn_without_a_session_has_nothing_around(self, memory):
        say(memory, None, ASKED, ANSWER)
        memory.remember("The office cat is called Pixel")
        assert nearby(memory.recall(self.QUESTION), ANSWER) == (0, 0)

    def test_another_channels_turn_is_not_around(self, memory):
        say(memory, "s1", ANSWER)
        say(memory, "s1", ASKED, channel="work")
        memory.remember("The office cat is called Pixel")
        assert nearby(memory.recall(self.QUESTION), ANSWER) == (0, 0)
        assert nearby(memory.recall(self.QUESTION, channel="play"), ANSWER) == (0, 0)
        assert min(nearby(memory.recall(self.QUESTION, channel="work"), ANSWER)) > 0.5

    def test_another_users_turn_is_not_around(self, tmp_path, clock):
        def opened(user):
            return Recollect(
                tmp_path / "agent.db", user=user, channel="_global", embedder=HashEmbedder(), clock=clock
            )

        with opened("ada") as ada, opened("bob") as bob:
            say(ada, "s1", ANSWER)
            say(bob, "s1", ASKED)
            ada.remember("The office cat is called Pixel")
            assert nearby(ada.recall(self.QUESTION), ANSWER) == (0, 0)
            assert [hit.text for hit in bob.recall(self.QUESTION)] == [ASKED]


class TestOwnWords:
    """A short question about the asker prefers what they said, or had remembered, to what others said."""

    @pytest.fixture
    def parked(self, memory):
        say(memory, "s1", "Parked at the north gate today", "So parked at the north gate today")
        say(memory, "s2", "My sister runs a bakery", "What bread does she bake?")
        memory.remember("Parked cars are towed on Mondays")
        return memory

    def own(self, found):
        return {hit.text for hit in found if hit.values["own_words"]}

    def test_their_own_turn_comes_first_and_what_they_had_remembered_counts_alike(self, parked):
        found = parked.recall("Where have I parked today?")
        assert found[0].text == "Parked at the north gate today"
        said = {"Parked at the north gate today", "My sister runs a bakery"}
        assert self.own(found) == {*said, "Parked cars are towed on Mondays"}
        assert found[0].signals["own_words"] == pytest.approx(profile("default").weights["own_words"])

    @pytest.mark.parametrize(
        "question",
        [
            "Where has Omar parked today?",
            "Where have I parked today? " + "It was near the gate and then " * 7,
            "Where have I parked " + "x" * 1_000,
        ],
    )
    def test_a_question_about_another_or_a_long_one_prefers_nobody(self, parked, question):
        assert self.own(parked.recall(question)) == set()

    def test_the_layer_switches_it_off(self, parked):
        assert self.own(parked.recall("Where have I parked today?", ablate="own_words")) == set()
