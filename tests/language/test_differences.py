"""Differences: numbers, dates and names that keep alike texts apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.differences import adds, differing, retold

APART = [
    ("The port is 8081", "The port is 8082"),
    ("The demo is on 2026-03-01", "The demo is on 2026-03-02"),
    ("The demo is on Monday", "The demo is on Tuesday"),
    ("Tom leads the team", "Ann leads the team"),
    ("She has two cats", "She has three cats"),
    ("The build uses v1.2b", "The build uses v1.3b"),
    ("The gate is open", "The gate is not open"),
    ("Toplantı Ankara'da", "Toplantı İzmir'de"),
    ("İki kedim var", "Üç kedim var"),
]


@pytest.mark.parametrize(("old", "new"), APART)
def test_other_values_keep_texts_apart(old, new):
    assert differing(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The port is 8081", "8081 is the port"),
        ("We paid 1,000 euros", "We paid 1000 euros"),
        ("She has two cats", "She has 2 cats"),
        ("Tom leads the team", "The team is led by Tom"),
        ("Tom leads the team", "Tom leads the team in Oslo"),
        ("Toplantı Ankara'da", "Ankara'daki toplantı"),
    ],
)
def test_the_same_values_or_more_do_not(old, new):
    assert differing(new, old) is None


def test_the_reason_names_what_differs():
    assert differing("The port is 8082", "The port is 8081") == "numbers: 8081 ≠ 8082"


@pytest.mark.parametrize(
    ("old", "new", "more"),
    [
        ("Ada meets Tom", "Ada meets Tom at 10", True),
        ("Ada meets Tom", "Ada meets Tom in Oslo", True),
        ("Ada meets Tom at 10", "Ada meets Tom", False),
    ],
)
def test_a_text_adds_what_the_other_lacks(old, new, more):
    assert adds(new, old) is more


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Ada lives in Rome", "Ada lives in Rome now.", "same"),
        ("Ada has two cats", "Ada has 2 cats", "same"),
        ("Ada lives in Rome", "Ada lives in Rome with Tom", "more"),
        ("Ada is allergic to nuts", "Ada is allergic to nuts and milk", "more"),
        ("Ada lives in Rome with Tom", "Ada lives in Rome", "less"),
        ("Ada sleeps on the left side", "Ada sleeps on the right side now", None),
        ("Ada lent Tom the car", "Tom lent Ada the car", None),
        ("Ada takes pills in the morning", "Ada takes pills in the evening now", None),
        ("Tom is Ada's boyfriend", "Tom is Ada's husband now", None),
        ("Ada joined the running club", "Ada left the running club", None),
        ("Ada approved the PR", "Ada rejected the PR", None),
        ("Ada lives in Rome", "Ada's brother lives in Rome", None),
        ("Ada lives in Rome", "Ada lived in Rome", None),
        ("Ada likes tea", "Ada likes tea less", None),
        ("Ada eats before training", "Ada eats after training", None),
        ("Ada sol tarafta uyuyor", "Ada sağ tarafta uyuyor", None),
        ("Ada Roma'da yaşıyor", "Ada şimdi Roma'da yaşıyor", "same"),
    ],
)
def test_a_text_is_told_again_word_for_word_in_its_order(old, new, told):
    assert retold(new, old) == told


@given(st.text(max_size=200))
def test_no_text_differs_from_itself(text):
    assert differing(text, text) is None
    assert not adds(text, text)
    assert retold(text, text) == "same"
