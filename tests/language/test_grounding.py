"""What a text says that the texts it was made from do not."""

import pytest

from recollect.language.grounding import ungrounded

SAID = "Ada: I work at Acme in İzmir since 2019, with about 12 people. Tomorrow Tom joins us."


@pytest.mark.parametrize(
    "text",
    [
        "Ada works at Acme in İzmir",
        "Works at Acme. Manages people there.",
        "The user has worked there since 2019",
        "Tom joins on 2026-03-03",
        "About twelve people work with Ada",
        "Ada İzmir'de çalışıyor",
        "",
    ],
)
def test_what_was_said_in_other_words_is_grounded(text):
    assert ungrounded(text, SAID) == ()


@pytest.mark.parametrize(
    ("text", "invented"),
    [
        ("Ada works at Initech", ("initech",)),
        ("Ada works there since 2018", ("2018",)),
        ("Ada works with Tom and Grace", ("grace",)),
        ("Maria works at Acme", ("maria",)),
        ("Ada'nın 13 kişilik ekibi var", ("13",)),
    ],
)
def test_names_and_numbers_that_nobody_said_are_found(text, invented):
    assert ungrounded(text, SAID) == invented


def test_days_count_where_they_must_be_kept():
    assert ungrounded("Tom joins on 2026-03-03", "Tom joins", days=True) == ("2026-03-03",)
