"""Contradiction: another value of what holds one, yes against no, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.claims import Claim, claims
from recollect.language.contradiction import conflict, contradicts
from recollect.language.polarity import negates

AGAINST = [
    ("Ada lives in Lisbon", "Ada moved to Porto"),
    ("Tom Reed is Ada's boss", "Ada's new boss is Ann Lee"),
    ("Ada's phone is a Pixel", "Ada's phone is an iPhone now"),
    ("My sister lives in Lisbon", "My sister moved to Porto"),
    ("The API listens on port 8000", "The API runs on port 8080 now"),
    ("The capital of Peru is Lima", "Peru's capital is Cusco"),
    ("my favourite colour is green", "My favorite color is blue"),
    ("I prefer tea over coffee", "I prefer coffee to tea"),
    ("the deploy port is 8081", "we now deploy on 8082"),
    ("I'm vegetarian", "I eat meat again"),
    ("I am married", "I am not married"),
    ("I am sure", "I'm not sure"),
    ("Ada emin", "Ada emin değil"),
    ("I'm single", "I got married last week"),
    ("I like tea", "I hate tea"),
    ("The harbour master of Elm is Tom", "The harbour master of Elm is Ann"),
    ("Elm Hall was built by Tom Reed", "Elm Hall was built by Ann Lee"),
    ("A man is playing guitar", "No man is playing the guitar"),
    ("There is no dog in the yard", "A dog is in the yard"),
    ("Three boys are jumping off a wall", "Nobody is jumping off a wall"),
    ("The shop isn't open", "The shop is open"),
    ("The shop is open", "The shop is closed"),
    ("Ankara'da yaşıyorum", "İzmir'e taşındım"),
    ("Benim en sevdiğim renk yeşil", "En sevdiğim renk artık mavi"),
    ("Fransa'nın başkenti Paris", "Fransa'nın başkenti Lyon'dur"),
    ("Evliyim", "Evli değilim"),
    ("Vejetaryenim", "Artık et yiyorum"),
    ("Kahveyi severim", "Kahveyi sevmiyorum"),
    ("Deploy portu 8081", "Artık 8082 portunda deploy ediyoruz"),
    ("Kapı açık", "Kapı kapalı"),
    ("Kapı açık", "Kapı açık değil"),
    ("There is no lion walking", "A lion is slowly walking"),
    ("Several kids are jumping on a trampoline", "There are no kids jumping on a trampoline"),
    ("I never drink coffee", "I drink coffee every morning"),
    ("We don't use Redis", "We use Redis for caching"),
    ("I can swim", "I cannot swim"),
    ("I am tall", "I am short"),
    ("The dog runs towards the house", "The dog runs away from the house"),
    ("The cat is in the house", "The cat is out of the house"),
    ("The phone is ringing", "The telephone is not ringing"),
    ("I have a beagle", "I don't have any pets"),
    ("I have two dogs", "I have no pets"),
    ("I have no children", "I have a son"),
    ("I have two kids", "I have 3 kids"),
    ("I play the guitar", "I do not play any instruments"),
    ("I'm a nurse", "I work as a teacher"),
    ("Ada is a nurse", "Ada is a lawyer"),
    ("Çocuğum yok", "Bir oğlum var"),
    ("Evcil hayvanım yok", "Bir köpeğim var"),
    ("İki çocuğum var", "Üç çocuğum var"),
    ("Hemşireyim", "Artık öğretmenim"),
    ("Hemşireyim", "Hemşire değilim"),
    ("Kahve içmiyorum", "Her sabah kahve içiyorum"),
    ("Ev pahalı", "Ev ucuz"),
]
TOGETHER = [
    ("I like tea", "I like coffee"),
    ("Ada speaks French", "Ada speaks German"),
    ("Ada's boss is Petra", "Ada's boss is sick"),
    ("Ada's husband is Johan", "Ada's husband is Swedish"),
    ("Ada's husband is Johan", "Ada's husband is a doctor"),
    ("Ada's friend is Tom", "Ada's friend is Lisa"),
    ("My son is called Max", "My son is called Leo, the younger one"),
    ("My brother is 30", "My brother is 25"),
    ("The frontend runs on port 3000", "The backend runs on port 8000"),
    ("We use Python 3.11", "We upgraded the CI runners to Python 3.12"),
    ("I live in Lisbon", "I moved to Berlin for two weeks"),
    ("I live in Lisbon", "I moved to Spotify"),
    ("Eşim Ayşe", "Eşim İsveçli"),
    ("Ada visited Rome", "Ada visited Paris"),
    ("My son is Tom", "My son is Ali"),
    ("Ada lives in Lisbon", "Ada lives in Portugal"),
    ("Ada was founded in Rome", "Ada was founded in 1990"),
    ("I live in Rome", "I used to live in Paris"),
    ("The capital of Elmland was Foo", "The capital of Elmland is Bar"),
    ("Tom's sport is rugby", "Tom's sport is rugby union"),
    ("I am not married", "I am single"),
    ("Ada lives in Lisbon", "Tom lives in Porto"),
    ("The meeting was led by Tom", "The meeting was led by Ann"),
    ("Some women are talking", "Some women are not talking"),
    ("It was raining", "It was not raining"),
    ("The fish follows the turtle", "The turtle follows the fish"),
    ("A man is playing guitar", "A man is playing the flute"),
    ("A man is playing guitar", "No woman is playing guitar"),
    ("Kahveyi severim", "Çayı severim"),
    ("Ankara'da yaşıyorum", "Ankara'da yaşıyordum"),
    ("Paris'e gittim", "Roma'ya gittim"),
    ("Kapı açık", "Pencere kapalı"),
    ("I have no cats", "I buy toys for cats"),
    ("I have no car", "I sold my car"),
    ("I have no car", "I have to wash a car"),
    ("I don't have a dog", "I have a pet"),
    ("I have no dog", "I have a dog food business"),
    ("I don't have a red car", "I have a car"),
    ("We don't use Redis for sessions", "We use Redis"),
    ("I like hot coffee", "I like cold coffee"),
    ("The public key is in the vault", "The private key is in the vault"),
    ("I have two meetings", "I have three meetings"),
    ("I have two brothers", "I have three sisters"),
    ("I play the guitar", "I play the piano"),
    ("I'm a software engineer", "I work as a developer"),
    ("I'm a doctor", "I'm a surgeon at the county hospital"),
    ("I am a student", "I am a nurse"),
    ("My brother is a nurse", "My brother is a teacher"),
    ("Köpeğim yok", "Evcil hayvanım var"),
    ("Köpeğim var", "Kedim yok"),
    ("Doktorum", "Cerrahım"),
    ("I am at the library", "I'm not sure if I am at the library"),
    ("The shop opens at nine", "I am not certain that the shop opens at nine"),
    ("Ada evde", "Ada evde mi emin değilim"),
]
parts = st.sampled_from(["a", "b", "a b", "tea"])
made = st.builds(
    Claim,
    parts,
    parts,
    parts,
    st.booleans(),
    st.sampled_from(["one", "many", "event"]),
    st.booleans(),
    st.booleans(),
)


@pytest.mark.parametrize(("old", "new"), AGAINST)
def test_statements_that_cannot_both_hold_contradict(old, new):
    found = conflict(new, old)
    assert found
    assert found.reason


@pytest.mark.parametrize(("old", "new"), TOGETHER)
def test_statements_that_can_both_hold_do_not(old, new):
    assert conflict(new, old) is None
    assert conflict(old, new) is None


def test_the_reason_names_the_attribute_and_both_values():
    (new,), (old,) = claims("Ada moved to Porto"), claims("Ada lives in Lisbon")
    assert contradicts(new, old).reason == "residence of ada: lisbon → porto"
    (new,), (old,) = claims("I don't like tea"), claims("I like tea")
    assert contradicts(new, old).reason == "like of speaker: tea → not tea"


@given(made)
def test_no_claim_contradicts_itself(claim):
    assert contradicts(claim, claim) is None


@given(made, made)
def test_only_claims_about_the_same_thing_contradict(new, old):
    if contradicts(new, old):
        assert new.key == old.key
        assert "event" not in (new.holds, old.holds)
        assert (new.value, new.polarity) != (old.value, old.polarity)


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_are_compared_without_an_error(new, old):
    conflict(new, old)
    assert negates(new, new) is None


def test_texts_too_long_to_be_one_sentence_are_not_compared_word_by_word():
    text = "The shop is open " * 50
    assert negates(f"{text} not", text) is None


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ("I met Kelly at the library's book club in May", "I never met Kelly at any book club", True),
        ("Ada drinks coffee at home at night", "Ada never drinks coffee at night", True),
        ("We were at the lake, and I met Kelly at the book club", "I never met Kelly at a book club", False),
        ("I met Kelly", "I never met Kelly at a book club", False),
        ("I ate sushi with my sister", "I never ate sushi with my mother", False),
        ("I was in Paris in 2019", "I was never in Paris in winter", False),
        ("I met Bo in Rome", "I never met Kelly in Rome", False),
        ("I never met Kelly in Rome", "I never met Kelly in Rome at night", False),
    ],
)
def test_never_denies_what_happened_in_circumstances_that_it_names(old, new, does):
    assert (negates(new, old) is not None) is does
