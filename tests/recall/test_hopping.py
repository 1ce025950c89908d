"""What the best hits name by its title is brought too, and says so."""

import numpy as np
import pytest

from recollect.index.partition import Partition
from recollect.index.text_arm import TextArm
from recollect.language.searched import TITLED, title_term
from recollect.model import Filter
from recollect.recall import hopping

QUESTION = "Where was the director of that calf film born?"
BORN = "She was born near Enugu"
FILM = "The calf film was directed by Wilma Okonkwo"


@pytest.fixture
def films(memory):
    """A film, its director under her own name, other films, and much else."""
    memory.remember(FILM, metadata={"title": "The Golden Calf"})
    for number in range(12):
        text = f"Where the director of that film number {number} was"
        memory.remember(text, metadata={"title": f"Film {number}"})
    for number in range(20):
        memory.remember(f"Item {number} on the roadmap is reviewed every Monday")
    memory.remember(BORN, metadata={"title": "Wilma Okonkwo (1901)"})
    for place in ("Abuja", "Lagos", "Kano", "Jos", "Owerri"):
        memory.remember(f"She was born near {place}")
    return memory


def linked(found):
    return {hit.text: hit.values["linked"] for hit in found if hit.values["linked"]}


def test_a_title_that_the_best_hit_names_is_brought_and_says_so(films):
    found = films.recall(QUESTION, k=40)
    without = films.recall(QUESTION, k=40, ablate="hop")
    assert linked(found) == {BORN: pytest.approx(min(lead(without), 1.0))}
    places = [[hit.text for hit in one].index(BORN) for one in (found, without)]
    assert places[0] < 5
    assert places[1] > 10
    hit = found[places[0]]
    assert hit.signals["linked"] == pytest.approx(found.trace.weights["linked"] * hit.values["linked"])
    assert sum(hit.signals.values()) == pytest.approx(hit.score)
    assert linked(without) == {}


def lead(found):
    return next(hit.score for hit in found if hit.text == FILM)


def test_it_is_brought_even_where_no_arm_found_it(films, monkeypatch):
    films.configure({"recall.candidates": 1})
    search, seen = Partition.search, []

    def spied(partition, asked, where, limit):
        seen.append(search(partition, asked, where, limit))
        return seen[-1]

    monkeypatch.setattr(Partition, "search", spied)
    films.recall(QUESTION, k=3)
    born = next(m.content for m in films.list(limit=None) if m.text == BORN)
    assert [born in one.contents for one in seen] == [False, True]


def test_the_words_of_the_question_are_looked_up_once(films, monkeypatch):
    looked_up, init = [], TextArm.__init__

    def counted(arm, *given):
        looked_up.append(arm)
        init(arm, *given)

    monkeypatch.setattr(TextArm, "__init__", counted)
    found = films.recall(QUESTION, k=40)
    assert linked(found).keys() == {BORN}
    assert len(looked_up) == 1


def test_not_where_the_question_names_it_itself(films):
    found = films.recall("Where was Wilma Okonkwo, the director of that calf film, born?", k=40)
    assert linked(found) == {}


def test_the_trace_says_how_many_were_linked(films):
    def step(**options):
        steps = films.recall(QUESTION, **options).trace.steps
        return [step.detail["linked"] for step in steps if step.stage == "hop"]

    assert step() == [1]
    assert step(ablate="hop") == []
    assert step(profile="words") == [0]


def test_a_title_that_may_not_be_seen_leads_nowhere(films, clock):
    target = next(hit.id for hit in films.recall(QUESTION, k=40) if hit.values["linked"])
    films.forget(target)
    assert linked(films.recall(QUESTION, k=40)) == {}
    films.restore(target)
    assert len(linked(films.recall(QUESTION, k=40))) == 1
    films.purge(target)
    assert linked(films.recall(QUESTION, k=40)) == {}


def test_a_title_in_another_channel_leads_nowhere(memory):
    memory.remember(FILM)
    memory.remember("The roadmap is reviewed every Monday")
    memory.remember(BORN, channel="films", metadata={"title": "Wilma Okonkwo"})
    assert linked(memory.recall(QUESTION)) == {}
    assert BORN in linked(memory.recall(QUESTION, channel="films"))


def test_only_titles_count_and_not_texts_that_name_the_same(memory):
    memory.remember(FILM)
    memory.remember("Wilma Okonkwo grew up near Enugu")
    memory.remember("The roadmap is reviewed every Monday", metadata={"title": "Roadmap"})
    assert linked(memory.recall(QUESTION)) == {}


def test_only_the_best_hits_lead_on(memory):
    for number in range(hopping.FROM):
        memory.remember(f"The director of the calf film was born in town {number}")
    memory.remember("Born in the same year: Wilma Okonkwo")
    memory.remember(BORN, metadata={"title": "Wilma Okonkwo"})
    found = memory.recall("Where was the director of the calf film born?")
    assert [hit.text for hit in found].index("Born in the same year: Wilma Okonkwo") >= hopping.FROM
    assert linked(found) == {}


def test_a_memory_does_not_lead_to_itself(memory):
    memory.remember("Wilma Okonkwo directed the calf film", metadata={"title": "Wilma Okonkwo"})
    memory.remember("The roadmap is reviewed every Monday")
    assert linked(memory.recall(QUESTION)) == {}
    other = "Of the calf film's director: see Wilma Okonkwo"
    memory.remember(other)
    found = linked(memory.recall(QUESTION))
    assert found.keys() == {"Wilma Okonkwo directed the calf film", other}, "each leads to the other"


def test_titles_are_looked_up_among_what_the_filter_lets_through(films, clock):
    index, where = films._index(), Filter()
    titled = {hit.content for hit in films.list(limit=None) if "title" in hit.metadata}
    everything = index.having(np.array([TITLED], np.uint32), where)[0].tolist()
    assert set(everything) == titled
    assert len(everything) == 14
    found = index.having(
        np.array([title_term(t) for t in ("film 7", "Film 70", "WILMA okonkwo")], np.uint32), where
    )
    assert [len(contents) for contents in found] == [1, 0, 1]
    assert films.store.shown("ada", found[0].tolist(), where)[0].metadata["title"] == "Film 7"
    assert index.having(np.empty(0, np.uint32), where) == []


def test_what_names_the_best_hit_by_its_title_is_brought_for_less(films):
    award = "A gold medal went to The Golden Calf in Berlin"
    films.remember(award)
    found = linked(films.recall(QUESTION, k=60))
    assert found.keys() == {BORN, award}
    assert found[award] == pytest.approx(hopping.BACK * lead(films.recall(QUESTION, k=60, ablate="hop")))
    named = linked(films.recall(QUESTION.replace("that calf film", "The Golden Calf"), k=60))
    assert award not in named, "a question that names it finds what names it by itself"


def test_a_title_that_many_mention_leads_nowhere(films):
    film = next(one for one in films.list(limit=None) if one.text == FILM)
    for number in range(hopping.FEW):
        films.remember(f"Row {number}: The Golden Calf again")
    best, where = [(film, 1.0)], Filter()
    assert len(hopping.naming(best, QUESTION, films._index(), where)) == hopping.FEW
    films.remember("One more: The Golden Calf again")
    assert hopping.naming(best, QUESTION, films._index(), where) == {}
