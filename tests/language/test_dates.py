"""Dates: what was said relative to its own day is written as that day, and foresight ends when it says."""

import time
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.dates import DEFAULT_FORESIGHT, dated
from recollect.language.lexicon import languages

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
WORDS = [
    "next",
    "last",
    "Friday",
    "until",
    "in",
    "three",
    "days",
    "weeks",
    "dün",
    "yarın",
    "cumaya",
    "kadar",
    "will",
    "I'll",
    "31",
    "June",
    "9999",
    "2026-13-45",
    "every",
    ".",
    "gelecek",
    "ay",
]
word_salad = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I moved to Lisbon yesterday", "I moved to Lisbon on 2026-03-01"),
        ("Yesterday I moved", "On 2026-03-01 I moved"),
        ("yesterday's meeting was long", "the 2026-03-01 meeting was long"),
        ("Tomorrow is my birthday", "2026-03-03 is my birthday"),
        ("I fly tomorrow morning", "I fly on 2026-03-03 in the morning"),
        ("I slept badly last night", "I slept badly on 2026-03-01 at night"),
        ("The day before yesterday I fell", "On 2026-02-28 I fell"),
        ("I ran a race last Saturday", "I ran a race on 2026-02-28"),
        ("We met on Saturday", "We met on 2026-02-28"),
        ("We meet on Saturday", "We meet on 2026-03-07"),
        ("We'll meet Monday", "We'll meet on 2026-03-02"),
        ("I met Bob on March 5", "I met Bob on 2025-03-05"),
        ("I'm flying on March 5", "I'm flying on 2026-03-05"),
        ("I joined Acme in May", "I joined Acme in 2025-05"),
        ("I'm joining Acme in May", "I'm joining Acme in 2026-05"),
        ("I saw her two weeks ago", "I saw her in the week of 2026-02-16"),
        ("I'm leaving in three days", "I'm leaving on 2026-03-05"),
        ("next week I'll rest", "in the week of 2026-03-09 I'll rest"),
        ("this weekend I'm busy", "on the weekend of 2026-03-07 I'm busy"),
        ("Next month we launch", "In 2026-04 we launch"),
        ("we moved last year", "we moved in 2025"),
        ("this summer I'll travel", "this summer (2026) I'll travel"),
        ("March 5, 2024 was fun", "2024-03-05 was fun"),
        ("Dün taşındım", "2026-03-01 tarihinde taşındım"),
        ("dünkü toplantı uzundu", "2026-03-01 tarihli toplantı uzundu"),
        ("dünden beri hastayım", "2026-03-01 tarihinden beri hastayım"),
        ("3 gün önce geldim", "2026-02-27 tarihinde geldim"),
        ("Öbür gün uçuyorum", "2026-03-04 tarihinde uçuyorum"),
        ("gelecek hafta gideceğim", "2026-03-09 haftasında gideceğim"),
        ("geçen ay başladım", "2026-02 ayında başladım"),
        ("bu akşam yemek var", "2026-03-02 tarihinde akşam yemek var"),
        ("önümüzdeki cuma buluşuyoruz", "2026-03-06 tarihinde buluşuyoruz"),
        ("Cuma günü geldi", "2026-02-27 tarihinde geldi"),
        ("Cuma günü gelecek", "2026-03-06 tarihinde gelecek"),
        ("5 Mart'ta evlendik", "2025-03-05 tarihinde evlendik"),
        ("5 Mart'ta evleneceğiz", "2026-03-05 tarihinde evleneceğiz"),
        ("Cumaya kadar Berlin'deyim", "2026-03-06 tarihine kadar Berlin'deyim"),
    ],
)
def test_a_relative_date_is_written_as_its_day(said, written):
    assert dated(said, MONDAY).text == written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        # What is arranged lies ahead, though arranging it is over.
        ("The launch was moved to March 17th", "The launch was moved to 2026-03-17"),
        ("The trip got cancelled, we moved it to October", "The trip got cancelled, we moved it to 2026-10"),
        ("The wedding had to move to June 20", "The wedding had to move to 2026-06-20"),
        ("It was rescheduled to Friday", "It was rescheduled to 2026-03-06"),
        ("The deadline was extended until April 10", "The deadline was extended until 2026-04-10"),
        ("I booked a table for March 17th", "I booked a table for 2026-03-17"),
        ("I made a dentist appointment for Thursday", "I made a dentist appointment for 2026-03-05"),
        ("I bought tickets for the concert on June 5th", "I bought tickets for the concert on 2026-06-05"),
        ("I signed up for a race on May 18", "I signed up for a race on 2026-05-18"),
        ("I was invited to a party on Saturday", "I was invited to a party on 2026-03-07"),
        ("Petra asked me to finish it by Friday", "Petra asked me to finish it by 2026-03-06"),
        (
            "I wait for the grades to be released on May 5",
            "I wait for the grades to be released on 2026-05-05",
        ),
        # Each clause has its own tense, and the nearest verb of it counts.
        ("Tom told me the party is on Saturday", "Tom told me the party is on 2026-03-07"),
        ("My boss said we launch on May 3rd", "My boss said we launch on 2026-05-03"),
        ("I was told the results come on Friday", "I was told the results come on 2026-03-06"),
        (
            "I had it on Sunday, the results come on Friday",
            "I had it on 2026-03-01, the results come on 2026-03-06",
        ),
        ("We launch on May 3rd, so it's a bit hectic", "We launch on 2026-05-03, so it's a bit hectic"),
        ("I'm kinda stressed about it on Friday", "I'm kinda stressed about it on 2026-03-06"),
        ("I met Tom on Friday and I will see him again", "I met Tom on 2026-02-27 and I will see him again"),
        (
            "I asked her on Friday and she said to set a deadline",
            "I asked her on 2026-02-27 and she said to set a deadline",
        ),
        ("I'll call the doctor I met on Friday", "I'll call the doctor I met on 2026-02-27"),
        (
            "I met Tom, my brother, on Friday, and will call",
            "I met Tom, my brother, on 2026-02-27, and will call",
        ),
        ("On Friday, I met Tom", "On 2026-02-27, I met Tom"),
        ("I went to see Tom on Friday", "I went to see Tom on 2026-02-27"),
        ("I had to work on Sunday", "I had to work on 2026-03-01"),
        ("She told me the news on Friday", "She told me the news on 2026-02-27"),
        ("My knee hurts since the race on Sunday", "My knee hurts since the race on 2026-03-01"),
        ("We moved to Rome on April 3", "We moved to Rome on 2025-04-03"),
        ("My family moved on April 3", "My family moved on 2025-04-03"),
        ("Let's meet on Friday", "Let's meet on 2026-03-06"),
        # Both ends of a range lie to one side.
        ("I'm away from July 1st to July 14th", "I'm away from 2026-07-01 to 2026-07-14"),
        ("I was away from December 20 to January 5", "I was away from 2025-12-20 to 2026-01-05"),
        ("I'm away from May 3 to June 2, 2027", "I'm away from 2027-05-03 to 2027-06-02"),
        ("I'll be away from next Friday to Sunday", "I'll be away from 2026-03-06 to 2026-03-08"),
        (
            "The dentist moved it from March 10 to March 20",
            "The dentist moved it from 2026-03-10 to 2026-03-20",
        ),
        # A day and the week or year that it lies in are one date.
        ("It will be on June 13 next year", "It will be on 2027-06-13"),
        ("Friday next week I travel", "On 2026-03-13 I travel"),
        ("We meet on Friday, March 13", "We meet on 2026-03-13"),
        ("We meet on March 13 (Friday) at 6", "We meet on 2026-03-13 at 6"),
        ("Our weekly call is on Friday, March 13", "Our weekly call is on 2026-03-13"),
        ("17 Nisan cuma günü buluşuyoruz", "2026-04-17 tarihinde buluşuyoruz"),
        ("I'll also set up a call on May 22", "I'll also set up a call on 2026-05-22"),
        ("I'm buying a pair of used shoes on Friday", "I'm buying a pair of used shoes on 2026-03-06"),
        ("I changed my will on March 20", "I changed my will on 2025-03-20"),
        ("I see Fred on Friday", "I see Fred on 2026-03-06"),
        ("Next week Tuesday works", "2026-03-10 works"),
        ("I was sick two weeks ago on Friday", "I was sick on 2026-02-20"),
        ("In May last year we met", "In 2025-05 we met"),
        ("I declined the April 3 dinner", "I declined the 2026-04-03 dinner"),
        ("My next day off is Friday", "My next day off is 2026-03-06"),
        ("Last day at Acme today", "Last day at Acme on 2026-03-02"),
        ("Toplantı 17 Mart'a ertelendi", "Toplantı 2026-03-17 tarihine ertelendi"),
        ("Toplantı cuma gününe alındı", "Toplantı 2026-03-06 tarihine alındı"),
        ("Düğün haziran ayına ertelendi", "Düğün 2026-06 ayına ertelendi"),
        ("17 Mart için masa ayırttım", "2026-03-17 tarihi için masa ayırttım"),
        ("Lansman 3 Nisan", "Lansman 2026-04-03 tarihinde"),
        ("Lansman 3 Nisan'da", "Lansman 2026-04-03 tarihinde"),
        ("Cuma günü Ali'yi gördüm ve onu arayacağım", "2026-02-27 tarihinde Ali'yi gördüm ve onu arayacağım"),
        ("Cuma günü aldığım kitabı okuyacağım", "2026-02-27 tarihinde aldığım kitabı okuyacağım"),
        ("Cuma günü olduğunu söyledi", "2026-03-06 tarihinde olduğunu söyledi"),
        ("Gelecek hafta cuma günü uçuyorum", "2026-03-13 tarihinde uçuyorum"),
        (
            "1 Temmuz'dan 14 Temmuz'a kadar izinliyim",
            "2026-07-01 tarihinden 2026-07-14 tarihine kadar izinliyim",
        ),
    ],
)
def test_a_date_lies_on_the_side_that_its_clause_speaks_of(said, written):
    assert dated(said, MONDAY).text == written


@pytest.mark.parametrize(
    "said",
    [
        "I finished the report by Friday",
        "I was in Berlin until Friday",
        "I decided to quit on Friday",
        "I booked a flight on Friday",
        "I missed the deadline on Friday",
        "I wanted to leave on Friday",
        "I took Friday off",
        "The parcel was due on Friday",
        "He said he would come on Friday",
        "Sales doubled compared to May",
        "Cuma günü randevu aldım",
    ],
)
def test_where_the_side_is_not_clear_it_stays_as_it_was_said(said):
    assert dated(said, MONDAY).text == said


@pytest.mark.parametrize(
    "said",
    [
        "I have yoga on Monday evenings",
        "Every second Friday I have therapy",
        "The standup is every day except Friday",
        "I usually go running on Sunday",
        "Our weekly meeting is on Friday",
        "The first Monday of the month is release day",
        "The last Friday of the month is payday",
        "The shop is closed on Sunday",
        "I work from Monday to Friday",
        "I used to play on Friday",
        "I was born on March 3rd",
        "My son was born in Rome on March 3rd",
        "My birthday is on May 3",
        "May 3 is my wife's birthday",
        "It was the last day of the trip",
        "This is the last month of my contract",
        "Last year of school",
        "The next day I fell ill",
        "Her ayın ilk pazartesi günü sürüm var",
        "Genelde pazar günü koşarım",
        "Dükkan pazar günü kapalı",
        "Geçen gün Ali'yi gördüm",
        "Doğum günüm 3 Mart",
        "3 Mart'ta doğdum",
    ],
)
def test_what_comes_again_or_is_counted_from_elsewhere_stays_and_has_no_end(said):
    found = dated(said, MONDAY)
    assert (found.text, found.mentions, found.valid_until) == (said, (), None)


@pytest.mark.parametrize(
    "said",
    [
        "every Friday I run",
        "I run on Fridays",
        "I may march",
        "It is old and may break",
        "We want to march on",
        "I started two hours ago",
        "I moved in 2019",
        "back in a couple of weeks",
        "over the past two weeks I rested",
        "on 31 June we met",
        "her cuma koşarım",
        "2019'dan beri burada yaşıyorum",
        "",
    ],
)
def test_what_is_no_single_date_stays_as_it_was_said(said):
    assert dated(said, MONDAY).text == said


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("I'm in Berlin until Friday", date(2026, 3, 7)),
        ("I'm away for the next two weeks", date(2026, 3, 17)),
        ("I'm on leave until the end of the month", date(2026, 4, 1)),
        ("this week I'm in Berlin", date(2026, 3, 9)),
        ("I'm away next week Monday to Thursday", date(2026, 3, 13)),
        ("We meet on Friday, March 13", date(2026, 3, 14)),
        ("today I'm in the office", date(2026, 3, 3)),
        ("next week I'll be in Rome", date(2026, 3, 16)),
        ("I need the report by March 20", date(2026, 3, 21)),
        ("I want to read 12 books by March 20", date(2026, 3, 21)),
        ("Cumaya kadar Berlin'deyim", date(2026, 3, 7)),
        ("Yarına kadar bitirmeliyim", date(2026, 3, 4)),
        ("Ay sonuna kadar izinliyim", date(2026, 4, 1)),
        ("gelecek hafta Roma'da olacağım", date(2026, 3, 16)),
    ],
)
def test_what_has_an_end_is_valid_until_then(said, until):
    assert dated(said, MONDAY).valid_until.date() == until


@pytest.mark.parametrize(
    "said",
    [
        "I moved to Lisbon yesterday",
        "I moved this week",
        "I live in Lisbon",
        "I've lived here since Friday",
        "I will always love tea",
        "I go to work by bike",
        "Dün taşındım",
        "Bu hafta taşındım",
        "Lizbon'da yaşıyorum",
        "Her gün koşacağım",
    ],
)
def test_what_has_no_end_stays_valid(said):
    found = dated(said, MONDAY)
    assert found.valid_until is None
    assert found.intended is None


@pytest.mark.parametrize(
    ("said", "since", "until"),
    [
        ("next week I'll be in Rome", date(2026, 3, 9), date(2026, 3, 16)),
        ("The party is on Saturday", date(2026, 3, 7), date(2026, 3, 8)),
        ("I'm flying on March 5", date(2026, 3, 5), date(2026, 3, 6)),
        ("gelecek hafta Roma'ya gideceğim", date(2026, 3, 9), date(2026, 3, 16)),
        ("yarın sabah uçuyorum", date(2026, 3, 3), date(2026, 3, 4)),
    ],
)
def test_what_is_planned_has_its_time(said, since, until):
    assert tuple(moment.date() for moment in dated(said, MONDAY).intended) == (since, until)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("The deadline of the first sprint is March 20, 2026", date(2026, 3, 20)),
        ("The report is due on Friday", date(2026, 3, 6)),
        ("My birthday is next Friday", date(2026, 3, 6)),
        ("I finished the draft, and the review is on Friday", date(2026, 3, 6)),
        ("The launch was moved to March 17th", date(2026, 3, 17)),
        ("I moved here given that it's on June 20, 2026", date(2026, 6, 20)),
        ("We moved the launch to April 20, 2026", date(2026, 4, 20)),
        ("I'm trying to write better, as my draft reached 4,700 words by March 9, 2026", date(2026, 3, 9)),
        ("I'm trying to write better, since my draft reached 4,700 words by March 9", date(2026, 3, 9)),
        ("I want my goal to be 12 books by March 20", date(2026, 3, 20)),
        ("20 Mart'a kadar 12 kitap okudum", date(2026, 3, 20)),
        ("Hedefim 20 Mart'ta 12 kitap okumak olacak", date(2026, 3, 20)),
        ("Bu projenin son teslim tarihi 20 Mart 2026 olacak", date(2026, 3, 20)),
        ("Benim doğum günüm 5 Mart 2026", date(2026, 3, 5)),
    ],
)
def test_when_something_is_due_is_known_afterwards_too(said, meant):
    found = dated(said, MONDAY)
    assert found.valid_until is None
    assert found.intended[0].date() == meant


@pytest.mark.parametrize(
    "said",
    ["I plan to learn Rust", "I will move to Rome", "Rust öğrenmeyi planlıyorum", "Roma'ya taşınacağım"],
)
def test_a_plan_without_a_date_is_looked_at_after_a_week(said):
    assert dated(said, MONDAY).valid_until == MONDAY + DEFAULT_FORESIGHT


def test_the_day_is_that_of_the_message_not_of_another_zone():
    late = datetime.fromisoformat("2026-03-02T23:30:00-08:00")
    assert dated("I moved yesterday", late).text == "I moved on 2026-03-01"
    assert dated("I moved yesterday", MONDAY.replace(tzinfo=None)).mentions[0].since.tzinfo is UTC


def test_a_mention_says_where_it_stands():
    text = "I moved yesterday"
    (mention,) = dated(text, MONDAY).mentions
    assert text[mention.start : mention.end] == "yesterday"
    assert mention.until - mention.since == timedelta(days=1)


def test_a_written_date_is_not_written_again():
    once = dated("I moved yesterday and fly tomorrow", MONDAY).text
    assert dated(once, MONDAY + timedelta(days=30)).text == once


@given(
    st.one_of(any_text, word_salad),
    st.datetimes(
        min_value=MONDAY.replace(year=2, tzinfo=None), max_value=MONDAY.replace(year=9998, tzinfo=None)
    ),
)
def test_any_text_at_any_time_is_dated(text, at):
    for language in languages():
        found = dated(text, at, language)
        assert all(0 <= m.start < m.end <= len(text) and m.since < m.until for m in found.mentions)
        assert len(found.text) <= 8 * len(text) + 64


@pytest.mark.parametrize("piece", ["yesterday ", "next ", "3 ", "Friday. ", "dün ", "until ", "in 3 days"])
def test_a_long_text_takes_time_in_proportion(piece):
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    dated(text, MONDAY)
    assert time.perf_counter() - started < 5
