"""What stays beside what contradicts it: another group's, what was before, and what says more."""

from datetime import UTC, datetime

import pytest

from recollect.language.claims import claims
from recollect.language.enduring import Told, beside, earlier, of_others, of_us, says_more, told
from recollect.model import Memory

AT = datetime(2025, 3, 5, 9, tzinfo=UTC)


def said(text, at=AT, we=None):
    return Told(text, claims(text), at, we)


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("We live in Oslo", True),
        ("Our cat is called Rex", True),
        ("Kedimizin adı Rex", True),
        ("İzmir'de yaşıyoruz", True),
        ("The deploy port is 8081", False),
        ("Ada lives in Oslo", False),
        ("Kedinin adı Rex", False),
    ],
)
def test_who_speaks_of_a_group_of_their_own_is_known_by_the_words(text, does):
    assert of_us(text) is does


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("ann", "bob", True), ("ann", "ann", False), (None, "bob", False), (None, None, False)],
)
def test_we_means_another_group_where_another_is_known_to_speak(one, other, apart):
    assert of_others(said("We live in Oslo", we=one), said("We live in Rome", we=other)) is apart


def test_who_says_we_is_read_from_the_metadata():
    assert told(Memory("a", "We live in Oslo", AT, AT, metadata={"we": "Ann"}), ()).we == "ann"
    assert told(Memory("a", "We live in Oslo", AT, AT, metadata={"we": ["Ann"]}), ()).we is None


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ("Ada lives in Lisbon", "Ada moved to Porto in 2019", True),
        ("Ada got married in 2016", "Ada got divorced in 2010", True),
        ("Ada got married in 2016", "Ada got divorced in 2020", False),
        ("Ada moved to Porto in 2019", "Ada moved to Rome in 2022", False),
        ("Ada lives in Lisbon", "Ada moved to Porto", False),
        ("Ada lives in Lisbon", "Ada moved to Porto in 2025-02", False),
        ("Ada's deadline is 2024-05-01", "Ada's deadline is 2024-04-01", False),
    ],
)
def test_what_happened_long_before_does_not_end_what_is_known(old, new, does):
    assert earlier(said(new), said(old)) is does
    assert beside(said(new), said(old)) is does


@pytest.mark.parametrize("at", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)])
def test_statements_of_the_first_and_the_last_of_days_are_compared(at):
    assert not earlier(said("Ada moved to Porto", at), said("Ada lives in Lisbon", at))


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ("Ada works at Volvo as an engineer and Ada's boss is Bo", "Ada works at Saab now", True),
        ("The user works at Volvo and the user's boss is Bo", "The user works at Saab now", True),
        ("Ada lives in Oslo, where Ada works as a nurse", "Ada moved to Rome", True),
        ("Ada lives in Oslo. Ada's dog is Max", "Ada moved to Rome", True),
        ("Ada Oslo'da yaşıyor, iki çocuğu var", "Ada Roma'ya taşındı", True),
        ("Ada lives in Oslo", "Ada moved to Rome", False),
        ("Ada and Erik live in Oslo", "Ada and Erik moved to Rome", False),
        ("Ada lives in Oslo, Norway, since May", "Ada moved to Rome", False),
        ("The author of War and Peace is J. R. Reed", "The author of War and Peace is Ann Lee", False),
        ("Ada lives in Oslo and her boss is Bo", "Ada lives in Rome and Bo is Ada's boss", True),
    ],
)
def test_a_statement_that_says_more_is_not_ended_by_what_contradicts_a_part_of_it(old, new, does):
    assert says_more(said(old), said(new)) is does
