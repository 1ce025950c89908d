"""What a message shows or plays is nobody's own; what it tells around that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.quoting import own
from recollect.language.statements import statements


def said(text):
    return [one.text for one in statements(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Summarize this email:\n\nHi team, I'm Robert from Sales. I live in Denver.",
        "Hi! Can you proofread this?\n\nMy name is Robert and I live in Denver.",
        "Could you please proofread this for me? I live in Denver.",
        "Here's what my customer wrote:\n\nI live in Denver.",
        "Translate into German: I live in Denver. I have two dogs.",
        "Reply to this message: I live in Denver",
        "Review my cover letter:\nI live in Denver.",
        'Summarize:\n"""\nI live in Denver.\n"""',
        "Lyrics:\nI live in Denver, I have a broken heart",
        "> I live in Denver\n> and I have a dog",
        "From: Bob\nTo: me\nSubject: hi\n\nI live in Denver.",
        "FYI\n\nOn Monday, Bob wrote:\nI live in Denver.",
        "Here is one.\n\nDear Ms. Lee,\n\nI live in Denver.",
        "Hi team, I live in Denver.\n\nCan you summarize this email?",
        '"I live in Denver." Is that right?',
        "Act as a doctor. I am your patient and I have a fever",
        "Imagine you are a pirate. You sail the seven seas.",
        "Let's play a game. I live in a castle.",
        "Suppose I live in Rome. How much tax would I pay?",
        "Şunu çevir: Roma'da yaşıyorum. İki kedim var.",
        "Bu metni özetler misin?\nRoma'da yaşıyorum.",
        "Kimden: Ali\nKime: Ayşe\nKonu: selam\n\nRoma'da yaşıyorum.",
    ],
)
def test_nobody_says_of_themselves_what_a_message_shows_or_plays(text):
    found = [one.text for one in statements(text) if one.kind == "statement"]
    assert not any(
        word in " ".join(found) for word in ("Denver", "fever", "sail", "castle", "Roma", "Rome", "kedim")
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quick update:\n\nI moved to Denver.", ["Quick update:", "I moved to Denver"]),
        (
            "About me:\nI live in Denver\nI have two dogs",
            ["About me:", "I live in Denver", "I have two dogs"],
        ),
        ("Can you help me plan a trip?\n\nI live in Denver.", ["I live in Denver"]),
        ("Can you review my plan? I live in Denver.", ["I live in Denver"]),
        (
            "I translate this kind of text. I live in Denver.",
            ["I translate this kind of text", "I live in Denver"],
        ),
        ("As I said:\nI live in Denver", ["As I said:", "I live in Denver"]),
        ("Correct: I live in Denver", ["Correct: I live in Denver"]),
        ("> I live in Rome\nNo, I live in Paris.", ["No, I live in Paris"]),
        (
            "Here's my message:\n```\nI live in Rome\n```\nI work at Acme.",
            ["Here's my message:", "I work at Acme"],
        ),
        ("I do Zero-Shot, Role-Playing, and more.", ["I do Zero-Shot, Role-Playing, and more"]),
        ('"I live in Denver."', ["I live in Denver"]),
        ('"Jaws" is great. I love "Alien".', ['"Jaws" is great', 'I love "Alien"']),
        ("Roma'da yaşıyorum. Metin çevirmeniyim.", ["Roma'da yaşıyorum", "Metin çevirmeniyim"]),
    ],
)
def test_what_is_told_around_it_or_only_looks_like_it_stays(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('My sister said: "I live in Rome."', ['My sister said: "I live in Rome"']),
        ('She wrote "I left. I am in Rome." to Tom', ['She wrote "I left. I am in Rome." to Tom']),
        ('"Hi!" shouted Ada. I left.', ['"Hi!" shouted Ada', "I left"]),
        ("My sister wrote “I live in Rome.” I left.", ["My sister wrote “I live in Rome”", "I left"]),
        ('A 5" pipe fits. I have a 6" one.', ['A 5" pipe fits', 'I have a 6" one']),
    ],
)
def test_a_quotation_in_a_sentence_stays_whole(text, expected):
    assert said(text) == expected


@given(
    st.text(alphabet=st.sampled_from("I live. \n\"'>:Dear,Subject“”"), max_size=300) | st.text(max_size=200)
)
def test_what_is_taken_out_leaves_every_place_as_it_was(text):
    found = own(text)
    assert len(found) == len(text)
    assert all(left in {kept, "\n"} for left, kept in zip(found, text, strict=True))
