"""Claims: who, what and which value, the same for every wording; nothing where the text is not certain."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.claims import claims

STATED = {
    "The capital of Peru is Lima.": ("peru", "capital", "lima"),
    "Peru's capital is Lima": ("peru", "capital", "lima"),
    "Lima is the capital of Peru.": ("peru", "capital", "lima"),
    "Ada lives in Lisbon": ("ada", "residence", "lisbon"),
    "Ada moved from Lisbon to Porto last month.": ("ada", "residence", "porto"),
    "Ada is based in Porto now": ("ada", "residence", "porto"),
    "i live in lisbon": ("speaker", "residence", "lisbon"),
    "The user lives in Lisbon": ("speaker", "residence", "lisbon"),
    "I live in Portugal": ("speaker", "residence country", "portugal"),
    "I was born in Oslo": ("speaker", "birthplace", "oslo"),
    "I'm 34 years old": ("speaker", "age", "34"),
    "I just turned 35": ("speaker", "age", "35"),
    "Well, I work at Acme as a designer": ("speaker", "employer", "acme"),
    "I work as a nurse": ("speaker", "job", "nurse"),
    "My wife is Ann": ("speaker", "spouse", "ann"),
    "I am married to Ann": ("speaker", "spouse", "ann"),
    "My favorite color is green": ("speaker", "favourit colour", "green"),
    "I prefer tea over coffee": ("speaker", "prefer coffee tea", "tea"),
    "the deploy port is 8081": ("group", "deploy port", "8081"),
    "we now deploy on 8082": ("group", "deploy port", "8082"),
    "We upgraded to Postgres 16.2": ("group", "postgr version", "16.2"),
    "We migrated the shop to PostgreSQL 17 yesterday": ("group", "shop postgresql version", "17"),
    "The frontend runs on port 3000": ("group", "frontend port", "3000"),
    "Our staging database is on port 5432": ("group", "stage databas port", "5432"),
    "the rate limit was raised to 250 requests per minute": (
        "group",
        "rate limit",
        "250 requests per minute",
    ),
    "My new manager is Tom Reed": ("speaker", "manager", "tom reed"),
    "Tom Reed is my manager now": ("speaker", "manager", "tom reed"),
    "Tom Reed is Ada's boss": ("ada", "boss", "tom reed"),
    "my editor is vim": ("speaker", "editor", "vim"),
    "My favourite sport is swimming": ("speaker", "favourit sport", "swimming"),
    "My native language is Swedish": ("speaker", "native language", "swedish"),
    "My status is open": ("speaker", "status", "open"),
    "I started working at Acme last week": ("speaker", "employer", "acme"),
    "Last week I moved to Porto": ("speaker", "residence", "porto"),
    "The deadline was moved from Friday to 2026-05-06": ("group", "deadlin", "2026-05-06"),
    "My rent has been raised to 900 euros": ("speaker", "rent", "900 euros"),
    "Priya's monthly budget increased to 50 dollars.": ("priya", "month budget", "50 dollars"),
    "The capital of Oz was moved to Astana": ("oz", "capital", "astana"),
    "Kiram 900 euroya çıktı": ("speaker", "kiram", "900 euro"),
    "Partinin bütçesi 180 euroya çıkarıldı": ("group", "partinin butcesi", "180 euro"),
    "I'm vegetarian": ("speaker", "diet", "vegetarian"),
    "I eat meat again": ("speaker", "diet", "meat"),
    "The lighthouse keeper of Grimsby is Tom Reed.": ("grimsby", "lighthous keeper", "tom reed"),
    "The school where Tom Reed was taught is Elm College.": (
        "tom reed",
        "school where was taught",
        "elm college",
    ),
    "The kind of soup that Tom Reed cooks is Borscht.": ("tom reed", "kind of soup that cook", "borscht"),
    "Acme Corp is a subsidiary of Globex.": ("acme corp", "subsidiari of", "globex"),
    "Tom Reed plays the role of villain.": ("tom reed", "play role", "villain"),
    "The River Ahr flows into the Rhine": ("river ahr", "flow into", "rhine"),
    "Logan's Folly was designed by Ann Lee.": ("logan's folly", "design by", "ann lee"),
    "Will Reed is a citizen of France.": ("will reed", "citizenship", "france"),
    "Prince Tom, Duke of Elm is married to Ann.": ("prince tom, duke of elm", "spouse", "ann"),
    "Ankara'da yaşıyorum": ("speaker", "residence", "ankara"),
    "Geçen ay Ankara'dan İzmir'e taşındım.": ("speaker", "residence", "izmir"),
    "Ayşe IĞDIR'da yaşıyor": ("ayse", "residence", "igdir"),
    "Benim en sevdiğim renk yeşil": ("speaker", "favourite colour", "yesil"),
    "Fransa'nın başkenti Paris'tir.": ("fransa", "capital", "paris"),
    "Kar romanının yazarı Ali Can": ("kar romani", "author", "ali can"),
    "Acme'nin CEO'su Ali Can": ("acme", "chief executive officer", "ali can"),
    "34 yaşındayım": ("speaker", "age", "34"),
    "Adım Deniz": ("speaker", "name", "deniz"),
    "Mühendis olarak çalışıyorum": ("speaker", "job", "muhendis"),
    "Acme'de çalışıyorum": ("speaker", "employer", "acme"),
    "Ali, Ayşe ile evli": ("ali", "spouse", "ayse"),
    "Çayı kahveye tercih ederim": ("speaker", "prefer cay kahve", "cay"),
    "Kahve yerine çay tercih ederim": ("speaker", "prefer cay kahve", "cay"),
    "Artık et yiyorum": ("speaker", "diet", "meat"),
    "Deploy portu 8081": ("group", "deploy port", "8081"),
    "Artık 8082 portunda deploy ediyoruz": ("group", "deploy port", "8082"),
    "Doğum günüm 3 Mayıs": ("speaker", "birth date", "3 mayis"),
}


@pytest.mark.parametrize("text", STATED)
def test_a_statement_becomes_a_claim(text):
    (claim,) = claims(text)
    assert (claim.subject, claim.attribute, claim.value) == STATED[text]
    assert claim.polarity
    assert claim.holds == "one"


@pytest.mark.parametrize(
    "text",
    [
        "I am not married",
        "I no longer live in Berlin",
        "I don't live in Berlin anymore",
        "My favourite colour is not green",
        "I hate tea",
        "I don't eat meat",
        "Evli değilim",
        "Artık Ankara'da yaşamıyorum",
        "Kahveyi sevmiyorum",
        "Türkiye'nin başkenti İstanbul değil",
    ],
)
def test_a_denial_is_a_claim_that_does_not_hold(text):
    (claim,) = claims(text)
    assert not claim.polarity


@pytest.mark.parametrize(
    "text",
    [
        "I will move to Rome",
        "I want to live in Rome",
        "If I lived in Rome",
        "Where does Ada live?",
        "Is Lima the capital of Peru?",
        "A man is playing the guitar",
        "The man is playing the flute",
        "He lives in Rome",
        "I live in a small flat",
        "The weather is nice",
        "Ada is afraid of Tom",
        "Tom is in Rome",
        "The flight to Rome is delayed",
        "Tom's car is fast",
        "Tom said Ada is employed by Acme",
        "Please join us on Thursday",
        "Ensure your Flask server is configured to use TLS",
        "Give me the names of three Thai places",
        "I'm trying to compute the mass of a proton",
        "- **Reps:** 3 sets of 8",
        "The material is weighed",
        "My focus is 100 % on the garden now",
        "My attention moved to the garden",
        "The river rose to the door",
        "The talk changed to politics",
        "Ankara'ya taşınacağım",
        "Ankara'da mı yaşıyorsun?",
        "",
        "…",
    ],
)
def test_what_may_be_or_may_be_anyone_is_no_claim(text):
    assert claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "My boss is sick",
        "My boss is Swedish",
        "My boss is a woman",
        "My boss is a Swede",
        "Our CTO is half Swedish",
        "My job is exhausting",
        "My name is unusual",
        "My phone is lost",
        "My company is hiring",
        "My editor is slow today",
        "My favourite band is British",
        "My favourite restaurant is expensive",
        "My favourite season is too short",
        "Eşim hasta",
        "Ada'nın eşi İsveçli",
        "Telefonum bozuk",
        "Ada'nın ablası Ayşegül hasta",
        "Ada'nın ablası Ayşegül Ankara'da yaşıyor, iki çocuğu var.",
    ],
)
def test_what_the_attribute_does_not_take_is_no_value_of_it(text):
    assert claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Spotify",
        "Ada moved to Vim last year",
        "I moved to Obsidian for my notes",
        "I live in Kungsgatan 45",
        "I live in the Majorna district",
        "I work at home in Berlin",
        "Ada works at the Torslanda plant",
    ],
)
def test_what_is_used_or_is_a_part_of_a_place_is_no_residence_and_no_employer(text):
    assert claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Berlin for two weeks",
        "I work at Acme Labs on Mondays",
        "Ada is based in Stockholm during the week",
        "I live in Porto in the story",
        "I live in Porto when it is cold",
        "Ada is living in Spain for the winter",
        "Yazları Bodrum'da yaşıyorum",
    ],
)
def test_what_is_so_for_a_while_or_on_some_days_ends_nothing(text):
    assert {claim.holds for claim in claims(text)} <= {"event"}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Ada's friend is Tom", "many"),
        ("Ada's brother is 30", "many"),
        ("My son is called Max", "many"),
        ("My sister lives in Porto", "many"),
        ("My sister moved to Porto", "one"),
        ("My sister Ann lives in Porto", "one"),
        ("Our Mutual Friend was created by Tom Reed", "one"),
        ("Max is my client", "many"),
        ("Ada'nın arkadaşı Ali", "many"),
        ("I like tea", "many"),
        ("Ada speaks French", "many"),
        ("My son is Tom", "many"),
        ("I have a dog", "many"),
        ("Kahveyi severim", "many"),
        ("Ada visited Porto", "event"),
        ("Paris'e gittim", "event"),
    ],
)
def test_how_many_values_hold_at_a_time_is_known(text, holds):
    assert [claim.holds for claim in claims(text)] == [holds]


def test_what_was_so_is_marked():
    assert [claim.past for claim in claims("I used to live in Rome. I live in Oslo.")] == [True, False]


def test_a_list_item_is_read_without_its_mark():
    assert [claim.value for claim in claims("- I live in Oslo\n2. My name is Ada")] == ["oslo", "ada"]


def test_each_sentence_of_a_text_is_read_and_names_with_full_stops_stay_whole():
    found = claims("St. Ives's mayor is Tom Reed. I live in Oslo, and I work at Acme but my name is Ada.")
    assert [claim.attribute for claim in found] == ["mayor", "residence", "employer", "name"]


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text):
    claims(text)


@pytest.mark.parametrize(
    "piece",
    ["the of is ", "I live in ", "a" * 50 + " ", "is not ", "Ada's ", "n'in ", "x. ", "but ", ", the "],
)
def test_the_time_grows_with_the_length_and_no_faster(piece):
    began = time.process_time()
    claims(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 3.0
