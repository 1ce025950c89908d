"""Periods: the time that a question names, and nothing where its words mean something else."""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.periods import Period, period

NOW = datetime(2026, 3, 12, 9, 30, tzinfo=UTC)  # a Thursday

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
time_words = st.lists(
    st.sampled_from(
        [
            "in",
            "on",
            "last",
            "next",
            "since",
            "between",
            "and",
            "before",
            "the",
            "a",
            "of",
            "may",
            "march",
            "March",
            "5",
            "31",
            "99",
            "2023",
            "2024",
            "monday",
            "week",
            "weeks",
            "days",
            "ago",
            "summer",
            "geçen",
            "hafta",
            "gün",
            "önce",
            "mart",
            "mayıs",
            "2023'te",
            "ile",
            "arasında",
            "beri",
            "dün",
            "İki",
            "son",
            "bu",
            "yaz",
            "?",
            "-",
            "–",
        ]
    ),
    max_size=12,
).map(" ".join)


def days(found: Period | None) -> tuple[str | None, str | None] | None:
    """Its ends as days, the last one included; a time of day is kept."""
    if found is None:
        return None
    last = found.until and found.until - timedelta(days=1)
    return tuple(end and end.isoformat().removesuffix("T00:00:00+00:00") for end in (found.since, last))


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I say yesterday?", "2026-03-11", "2026-03-11"),
        ("what happened the day before yesterday", "2026-03-10", "2026-03-10"),
        ("What have I eaten this morning?", "2026-03-12", "2026-03-12"),
        ("Where do I go tomorrow?", "2026-03-13", "2026-03-13"),
        ("What did we discuss last week?", "2026-03-02", "2026-03-08"),
        ("the week before last", "2026-02-23", "2026-03-01"),
        ("What is due this week?", "2026-03-09", "2026-03-15"),
        ("and next week?", "2026-03-16", "2026-03-22"),
        ("Who came last weekend?", "2026-03-07", "2026-03-08"),
        ("LAST MONTH's bill", "2026-02-01", "2026-02-28"),
        ("last quarter", "2025-10-01", "2025-12-31"),
        ("my salary last year", "2025-01-01", "2025-12-31"),
        ("two days ago", "2026-03-10", "2026-03-10"),
        ("10 days ago", "2026-03-02", "2026-03-02"),
        ("two weeks ago", "2026-02-23", "2026-03-01"),
        ("three months ago", "2025-12-01", "2025-12-31"),
        ("4 years ago", "2022-01-01", "2022-12-31"),
        ("a few days ago", "2026-03-07", "2026-03-10"),
        ("a couple of weeks ago", "2026-02-16", "2026-03-08"),
        ("in the last year", "2025-03-12", "2026-03-12"),
        ("over the past three months", "2025-12-12", "2026-03-12"),
        ("the last 7 days", "2026-03-05", "2026-03-12"),
        ("What did I learn in March?", "2026-03-01", "2026-03-31"),
        ("What did I learn in April?", "2025-04-01", "2025-04-30"),
        ("in may", "2025-05-01", "2025-05-31"),
        ("in March 2023", "2023-03-01", "2023-03-31"),
        ("in mid-August 2023", "2023-08-01", "2023-08-31"),
        ("last March", "2025-03-01", "2025-03-31"),
        ("last February", "2026-02-01", "2026-02-28"),
        ("next May", "2026-05-01", "2026-05-31"),
        ("last Monday", "2026-03-09", "2026-03-09"),
        ("last Thursday", "2026-03-05", "2026-03-05"),
        ("what did I do on Thursday?", "2026-03-12", "2026-03-12"),
        ("what did I do on Friday?", "2026-03-06", "2026-03-06"),
        ("next Monday", "2026-03-16", "2026-03-16"),
        ("this summer", "2026-06-01", "2026-08-31"),
        ("this winter", "2025-12-01", "2026-02-28"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("summer of 2023", "2023-06-01", "2023-08-31"),
        ("on 5 May 2023", "2023-05-05", "2023-05-05"),
        ("May 5, 2023", "2023-05-05", "2023-05-05"),
        ("December 1,2023", "2023-12-01", "2023-12-01"),
        ("on the 5th of May", "2025-05-05", "2025-05-05"),
        ("on april 28", "2025-04-28", "2025-04-28"),
        ("the March 3 meeting", "2026-03-03", "2026-03-03"),
        ("on February 29", "2024-02-29", "2024-02-29"),
        ("2023-05-05", "2023-05-05", "2023-05-05"),
        ("2023/5/5", "2023-05-05", "2023-05-05"),
        ("15.01.2024", "2024-01-15", "2024-01-15"),
        ("01/15/2024", "2024-01-15", "2024-01-15"),
        ("15/01/2024", "2024-01-15", "2024-01-15"),
        ("in 2023", "2023-01-01", "2023-12-31"),
        ("between 3 and 9 May", "2025-05-03", "2025-05-09"),
        ("from 3 to 9 May 2023", "2023-05-03", "2023-05-09"),
        ("between August 11 and August 15 2023", "2023-08-11", "2023-08-15"),
        ("between December 20 and January 5 2023", "2022-12-20", "2023-01-05"),
        ("between March and June", "2025-03-01", "2025-06-30"),
        ("from Monday to Wednesday", "2026-03-09", "2026-03-11"),
        ("from 2020 to 2022", "2020-01-01", "2022-12-31"),
        ("from 1945-1949", "1945-01-01", "1949-12-31"),
        ("between 2020-01-01 and 2020-12-31", "2020-01-01", "2020-12-31"),
        ("the week before 16 November 2023", "2023-11-09", "2023-11-15"),
        ("two weeks before August 11, 2023", "2023-07-24", "2023-07-30"),
        ("last weekend before April 10, 2023", "2023-04-08", "2023-04-09"),
        ("since Monday", "2026-03-09", None),
        ("since last summer", "2025-06-01", None),
        ("since early 2023", "2023-01-01", None),
        ("from 2020 onwards", "2020-01-01", None),
        ("after 5 May 2023", "2023-05-06", None),
        ("before March 2023", None, "2023-02-28"),
        ("What changed before June?", None, "2025-05-31"),
        ("by 7 November, 2022", None, "2022-11-07"),
        ("as of 27 March, 2022", None, "2022-03-27"),
        ("until yesterday", None, "2026-03-11"),
    ],
)
def test_an_english_question_names_its_time(question, first, last):
    assert days(period(question, NOW)) == (first, last)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Dün ne yedim?", "2026-03-11", "2026-03-11"),
        ("dünkü toplantı", "2026-03-11", "2026-03-11"),
        ("evvelsi gün", "2026-03-10", "2026-03-10"),
        ("önceki gün kim aradı?", "2026-03-10", "2026-03-10"),
        ("bugün ne var", "2026-03-12", "2026-03-12"),
        ("YARIN NE VAR?", "2026-03-13", "2026-03-13"),
        ("Geçen hafta nereye gittik?", "2026-03-02", "2026-03-08"),
        ("GEÇEN HAFTA NE DEDİM", "2026-03-02", "2026-03-08"),
        ("geçtiğimiz haftaki toplantı", "2026-03-02", "2026-03-08"),
        ("geçen haftadan önceki hafta", "2026-02-23", "2026-03-01"),
        ("bu ay", "2026-03-01", "2026-03-31"),
        ("gelecek hafta", "2026-03-16", "2026-03-22"),
        ("haftaya ne var", "2026-03-16", "2026-03-22"),
        ("geçen hafta sonu", "2026-03-07", "2026-03-08"),
        ("geçen yıl", "2025-01-01", "2025-12-31"),
        ("geçen sene", "2025-01-01", "2025-12-31"),
        ("üç gün önce", "2026-03-09", "2026-03-09"),
        ("İKİ GÜN ÖNCE", "2026-03-10", "2026-03-10"),
        ("on gün önce", "2026-03-02", "2026-03-02"),
        ("2 hafta evvel", "2026-02-23", "2026-03-01"),
        ("birkaç gün önce", "2026-03-07", "2026-03-10"),
        ("son üç günde", "2026-03-09", "2026-03-12"),
        ("son bir yılda", "2025-03-12", "2026-03-12"),
        ("Mart ayında ne yaptık?", "2026-03-01", "2026-03-31"),
        ("mayısta", "2025-05-01", "2025-05-31"),
        ("Mayıs'ta", "2025-05-01", "2025-05-31"),
        ("KASIM AYINDA", "2025-11-01", "2025-11-30"),
        ("Mart 2023'te", "2023-03-01", "2023-03-31"),
        ("2023 yılının mart ayında", "2023-03-01", "2023-03-31"),
        ("geçen mart", "2025-03-01", "2025-03-31"),
        ("5 Mayıs 2023'te", "2023-05-05", "2023-05-05"),
        ("5 Mayıs'ta", "2025-05-05", "2025-05-05"),
        ("2023 yazında", "2023-06-01", "2023-08-31"),
        ("2023'ün kışında", "2023-12-01", "2024-02-29"),
        ("geçen yaz", "2025-06-01", "2025-08-31"),
        ("bu kış", "2025-12-01", "2026-02-28"),
        ("2023'te", "2023-01-01", "2023-12-31"),
        ("2023 yılında", "2023-01-01", "2023-12-31"),
        ("geçen pazartesi", "2026-03-09", "2026-03-09"),
        ("pazar günü", "2026-03-08", "2026-03-08"),
        ("3 ile 9 Mayıs arasında", "2025-05-03", "2025-05-09"),
        ("3-9 Mayıs 2023", "2023-05-03", "2023-05-09"),
        ("mart ile haziran arasında", "2025-03-01", "2025-06-30"),
        ("2020 ile 2022 arasında", "2020-01-01", "2022-12-31"),
        ("5 Mayıs 2023 ile 3 Haziran 2023 arasında", "2023-05-05", "2023-06-03"),
        ("pazartesiden beri", "2026-03-09", None),
        ("mart ayından beri", "2026-03-01", None),
        ("marttan bu yana", "2026-03-01", None),
        ("2020'den beri", "2020-01-01", None),
        ("dünden beri", "2026-03-11", None),
        ("5 Mayıs'tan sonra", "2025-05-06", None),
        ("2020'den önce", None, "2019-12-31"),
        ("5 Mayıs 2023'e kadar", None, "2023-05-05"),
    ],
)
def test_a_turkish_question_names_its_time(question, first, last):
    assert days(period(question, NOW)) == (first, last)


@pytest.mark.parametrize(
    "question",
    [
        "May I ask a question?",
        "may 5 people come along?",
        "she may have been right",
        "who led the march to the sea",
        "the May family",
        "the may report",
        "What did June say?",
        "What is in April's house?",
        "Was she happy before June came?",
        "wait a second",
        "a chunk size of 2000 tokens",
        "two weeks before meeting Samantha",
        "When did James try Cyberpunk 2077?",
        "When does Sarah fall asleep?",
        "How long have they been married?",
        "How many days did it take?",
        "03/04/2024",
        "2020-13-45",
        "31 June 2023",
        "version 1.2.2024.5",
        "the sun sat on the wed list",
        "Eylül nerede oturuyor?",
        "pazardan ne aldım?",
        "Mart Hanım kim?",
        "Ekim'in telefonu ne?",
        "bana bir mektup yaz",
        "önce ne yapayım?",
        "kaç gün sürdü?",
        "",
        "?",
    ],
)
def test_words_that_mean_something_else_name_no_time(question):
    assert period(question, NOW) is None


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("What changed since Monday?", "since Monday"),
        ("Where was I between 3 and 9 May, really?", "between 3 and 9 May"),
        ("İstanbul'da GEÇEN HAFTA ne yaptım?", "GEÇEN HAFTA"),
        ("ﬁrst: straße, dün", "dün"),
        ("2020'den beri ne değişti?", "2020'den beri"),
        ("2020 ile 2022 arasında ne oldu?", "2020 ile 2022 arasında"),
    ],
)
def test_the_phrase_is_the_question_s_own(question, phrase):
    assert period(question, NOW).phrase == phrase


def test_the_first_time_in_a_question_counts():
    assert period("last week or last month?", NOW).phrase == "last week"


def test_hours_and_minutes_are_shorter_than_a_day():
    assert period("two hours ago", NOW).since == datetime(2026, 3, 12, 7, tzinfo=UTC)
    assert period("what did I say 5 minutes ago", NOW).until == datetime(2026, 3, 12, 9, 26, tzinfo=UTC)
    rolling = period("in the last two hours", NOW)
    assert (rolling.since, rolling.until) == (NOW - timedelta(hours=2), NOW + timedelta(minutes=1))


def test_days_are_those_of_the_asker_s_zone():
    now = datetime(2026, 3, 12, 1, tzinfo=ZoneInfo("Europe/Istanbul"))
    yesterday = period("dün", now)
    assert yesterday.since.astimezone(UTC) == datetime(2026, 3, 10, 21, tzinfo=UTC)
    assert period("yesterday", datetime(2026, 3, 12)).since == datetime(2026, 3, 11, tzinfo=UTC)  # noqa: DTZ001


def test_a_period_holds_its_start_and_not_its_end():
    week = period("last week", NOW)
    assert week.since in week
    assert week.until not in week
    assert datetime(1970, 1, 1, tzinfo=UTC) in period("before 2020", NOW)
    assert NOW in period("since Monday", NOW)


@given(any_text | time_words, st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time_gives_an_ordered_period_or_none(text, now):
    found = period(text, now)
    if found is not None and found.since and found.until:
        assert found.since < found.until
    assert found is None or found.phrase in text


@pytest.mark.parametrize(
    "piece", ["1 ", "in may ", "3-", "yesterday", "  ", "since ", "a couple of ", "ş", "2023"]
)
def test_a_megabyte_takes_no_longer_than_a_page(piece):
    started = time.perf_counter()
    period(piece * (10**6 // len(piece)), NOW)
    assert time.perf_counter() - started < 1.0


def test_a_question_after_a_long_text_is_read():
    assert period("lorem ipsum " * 10_000 + "What did I do last week?", NOW).phrase == "last week"
