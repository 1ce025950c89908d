"""What shares a rare name with a best hit, and covers more of the question, is brought, and says so."""

import numpy as np
import pytest

from recollect.recall import sharing

QUESTION = "Which firm followed the maker of the Oriole missile?"
MISSILE = "The maker of the Oriole missile was Glenn Martin"
FOLLOWED = "Created when Glenn Martin and a quarry became one firm that followed both"
PARK = "Glenn Martin gave the town its park"


@pytest.fixture
def passages(memory):
    """A missile, what names its maker without bearing the name as a title, and much else."""
    memory.remember(MISSILE, metadata={"title": "AAM-N-4"})
    for number in range(30):
        memory.remember(f"Which firm followed number {number}", metadata={"title": f"Number {number}"})
    for number in range(2):
        memory.remember(f"The maker of the Oriole missile number {number}")
    memory.remember(FOLLOWED, metadata={"title": "Marietta"})
    memory.remember(PARK, metadata={"title": "Denton"})
    return memory


def shared(found):
    return {hit.text: hit.values["shared_names"] for hit in found if hit.values["shared_names"]}


def test_what_shares_a_name_with_the_best_hit_is_brought_and_says_so(passages):
    found = passages.recall(QUESTION, k=40)
    without = passages.recall(QUESTION, k=40, ablate="shared_names")
    assert shared(found).keys() == {FOLLOWED, PARK}
    assert shared(without) == {}
    hit = next(hit for hit in found if hit.text == FOLLOWED)
    before = next(hit for hit in without if hit.text == FOLLOWED)
    assert hit.score == pytest.approx(before.score + hit.signals["shared_names"])
    assert hit.signals["shared_names"] == pytest.approx(
        found.trace.weights["shared_names"] * hit.values["shared_names"]
    )


def test_what_covers_more_of_the_question_counts_more(passages):
    found = shared(passages.recall(QUESTION, k=40))
    assert found[FOLLOWED] > 1.2 * found[PARK]


def test_without_word_vectors_what_it_covers_does_not_count(passages):
    found = shared(passages.recall(QUESTION, k=40, ablate="late_interaction"))
    assert found[FOLLOWED] == found[PARK]


def test_not_where_the_question_has_the_name_itself(passages):
    assert shared(passages.recall(QUESTION.replace("the maker", "Glenn Martin, the maker"), k=40)) == {}


def test_a_name_that_many_texts_have_leads_nowhere(passages):
    others = 2
    for number in range(sharing.FEW - others):
        passages.remember(f"Row {number}: Glenn Martin again")
    assert len(shared(passages.recall(QUESTION, k=60))) == sharing.FEW
    passages.remember("One more: Glenn Martin again")
    assert shared(passages.recall(QUESTION, k=60)) == {}


def test_the_more_share_a_name_the_less_it_counts(passages):
    before = shared(passages.recall(QUESTION, k=60))[PARK]
    passages.remember("A row: Glenn Martin again")
    passages.remember("Another row: Glenn Martin again")
    assert shared(passages.recall(QUESTION, k=60))[PARK] < 0.8 * before


def test_where_nothing_has_a_title_nothing_is_followed(memory):
    for text in (MISSILE, FOLLOWED, PARK):
        memory.remember(text)
    assert shared(memory.recall(QUESTION)) == {}
    memory.remember("The roadmap is reviewed every Monday", metadata={"title": "Roadmap"})
    assert shared(memory.recall(QUESTION))


def test_so_many_are_brought_at_most_and_those_that_are_led_to_most_strongly(passages, monkeypatch):
    monkeypatch.setattr(sharing, "LED", 1)
    both = "Which firm followed: the maker of the Oriole missile, Glenn Martin, or another one, in Ulm"
    passages.remember(both, metadata={"title": "Oriole"})
    rare = "There is a bridge in Ulm"
    passages.remember(rare)
    assert shared(passages.recall(QUESTION, k=60)).keys() == {rare}
    monkeypatch.setattr(sharing, "LED", 30)
    assert shared(passages.recall(QUESTION, k=60)).keys() >= {rare, PARK}


def test_its_own_title_is_left_to_the_hop(memory):
    memory.remember(f"Glenn Martin: {MISSILE}", metadata={"title": "Glenn Martin"})
    for number in range(2):
        memory.remember(f"The maker of the Oriole missile number {number}")
    for number in range(30):
        memory.remember(f"Which firm followed number {number}")
    memory.remember(PARK)
    found = memory.recall(QUESTION, k=40)
    assert shared(found) == {}
    assert next(hit for hit in found if hit.text == PARK).values["linked"]


def test_what_may_not_be_seen_is_not_led_to(passages):
    target = next(hit.id for hit in passages.recall(QUESTION, k=40) if hit.text == FOLLOWED)
    passages.forget(target)
    assert shared(passages.recall(QUESTION, k=40)).keys() == {PARK}


def test_a_document_s_formula_follows_no_names(passages):
    found = passages.recall(QUESTION, profile="cognitive")
    assert [step.detail for step in found.trace.steps if step.stage == "shared_names"] == [{}]


def test_a_text_goes_on_by_what_it_alone_covers():
    rarity = np.array([2.0, 1.0, 1.0])
    here = np.array([0.0, 1.0, 0.5])
    everything, half = np.ones(3), np.array([0.5, 0.0, 0.5])
    assert sharing.going_on(everything, here, rarity) == pytest.approx(1.0)
    assert sharing.going_on(half, here, rarity) == pytest.approx(0.4)
    assert sharing.going_on(everything, everything, rarity) == 0.0
