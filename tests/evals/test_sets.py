"""Each set's loader, on a tiny set of its format, and what is refused."""

from datetime import UTC, datetime, timedelta

import made_sets
import pytest

from recollect.errors import InvalidInput, NotFound
from recollect.evals.sets import SOURCES, limited, load
from recollect.evals.sets.dates import gap_in, moment_in

MAKERS = {name: getattr(made_sets, name.replace("-", "_")) for name in SOURCES}


def only(name, data):
    (found,) = load(name, data)
    return found


def day(year, month, number, *clock):
    return datetime(year, month, number, *clock, tzinfo=UTC)


@pytest.mark.parametrize("name", SOURCES)
def test_a_set_is_found_by_its_own_path_and_in_the_folder_that_has_it(name, tmp_path):
    own = MAKERS[name](tmp_path)
    assert load(name, own) == load(name, tmp_path)
    assert load(name, own)[0].corpora


def test_locomo_has_its_sessions_in_the_order_of_their_numbers(tmp_path):
    first, second = only("locomo", made_sets.locomo(tmp_path)).corpora
    assert [(s.id, s.at) for s in first.sessions] == [
        ("session_1", day(2023, 5, 8, 13, 56)),
        ("session_2", day(2023, 5, 25, 9)),
        ("session_10", day(2023, 6, 27, 10, 37)),
    ]
    assert (first.name, second.name, first.grouped) == ("conv-1", "conv-2", False)


def test_locomo_turns_have_their_speaker_and_the_photos_caption(tmp_path):
    turns = only("locomo", made_sets.locomo(tmp_path)).corpora[0].sessions[0].items
    assert [(t.key, t.speaker, t.text) for t in turns] == [
        ("D1:1", "Ada", "Hello there!"),
        ("D1:2", "Ben", "I started pottery lessons on Monday [shares a photo: a clay bowl]"),
    ]


def test_locomo_questions_have_types_and_evidence_and_no_answer(tmp_path):
    questions = only("locomo", made_sets.locomo(tmp_path)).corpora[0].questions
    assert [(q.type, q.gold) for q in questions] == [
        ("single-hop", ("D1:2",)),
        ("multi-hop", ("D10:1", "D2:1")),
        ("adversarial", ("D9:9",)),
    ]
    assert "SECRET" not in repr(questions)


def test_realtalk_is_a_folder_of_conversations_of_clean_text(tmp_path):
    first, second = only("realtalk", made_sets.realtalk(tmp_path)).corpora
    assert (first.name, first.sessions[0].items[0].text) == ("Chat_1", "I moved to Porto")
    assert first.sessions[0].at == day(2023, 12, 29, 20, 30)
    assert second.sessions[0].at is None
    assert [(q.type, q.gold) for q in first.questions] == [("temporal", ("D1:1",))]


def test_beam_loses_the_marker_and_keeps_roles_dates_and_batches(tmp_path):
    (chat,) = only("beam", made_sets.beam(tmp_path)).corpora
    assert [(s.id, s.at, [(i.key, i.role, i.text) for i in s.items]) for s in chat.sessions] == [
        (
            "batch_1",
            day(2024, 3, 15),
            [
                ("0", "user", "The server listens on port 8080."),
                ("1", "assistant", "Noted: nice weather today."),
            ],
        ),
        ("batch_2", day(2024, 4, 5), [("2", "user", "The server listens on port 9090 now.")]),
    ]


def test_beam_keeps_old_and_new_apart_for_what_changed_alone(tmp_path):
    (chat,) = only("beam", made_sets.beam(tmp_path)).corpora
    told = {q.type: (q.gold, q.older, q.newer) for q in chat.questions}
    assert told == {
        "knowledge_update": (("0", "2"), ("0",), ("2",)),
        "contradiction_resolution": (("2", "0"), ("0",), ("2",)),
        "event_ordering": (("0", "2", "1"), (), ()),
        "temporal_reasoning": (("0", "2"), (), ()),
        "abstention": ((), (), ()),
    }


def test_a_statement_on_both_sides_of_a_change_is_on_neither(tmp_path):
    folder = made_sets.beam(tmp_path)
    sides = {"original_info": [1], "updated_info": [1]}
    asked = {"knowledge_update": [{"question": "Which?", "source_chat_ids": sides}]}
    made_sets.written(folder / "3" / "probing_questions.json", asked)
    (question,) = only("beam", folder).corpora[0].questions
    assert (question.gold, question.older, question.newer) == (("1",), (), ())


def test_realmem_asks_for_past_sessions_before_its_own(tmp_path):
    (user,) = only("realmem", made_sets.realmem(tmp_path)).corpora
    assert user.grouped
    assert [session.id for session in user.sessions] == ["s1", "s2", "s3"]
    assert [(q.gold, q.before, q.type) for q in user.questions] == [(("s1",), "s2", "Dynamic Updating")]
    assert {(i.key, i.role) for s in user.sessions for i in s.items} == {
        ("s1", "user"),
        ("s2", "user"),
        ("s2", "assistant"),
        ("s3", "user"),
    }


def test_multihop_is_one_set_a_file_with_titles_before_texts(tmp_path):
    folder = made_sets.multihop(tmp_path)
    assert [one.name for one in load("multihop", folder)] == ["hotpotqa", "musique"]
    (one,) = load("multihop", folder / "musique.json")
    passages = one.corpora[0].passages
    assert (passages[1].key, passages[1].title) == ("1", "Lisbon")
    assert passages[1].text == "Lisbon\nLisbon is a city in Portugal."
    assert one.corpora[0].questions[0].gold == ("1", "2")


def test_locomo_plus_has_every_cue_as_long_ago_as_its_gap(tmp_path):
    (corpus,) = only("locomo-plus", made_sets.locomo_plus(tmp_path)).corpora
    later, earlier = corpus.sessions[1], corpus.sessions[0]
    assert later.at - earlier.at == timedelta(days=365 - 42)
    assert [(i.speaker, i.role, i.text) for i in later.items] == [
        ("A", "user", "I am learning car repair."),
        ("B", "assistant", "Good idea."),
    ]
    assert corpus.questions[0].text == "My car repair course is over."
    assert corpus.questions[0].gold == (later.id,)


def test_a_limit_takes_the_first_questions_and_only_their_stores(tmp_path):
    whole = only("locomo", made_sets.locomo(tmp_path))
    assert [len(c.questions) for c in limited(whole, 2).corpora] == [2]
    assert [len(c.questions) for c in limited(whole, 4).corpora] == [3, 1]
    assert load("locomo", tmp_path, 2) == (limited(whole, 2),)
    for wrong in (0, -1):
        with pytest.raises(InvalidInput, match="above 0"):
            load("locomo", tmp_path, wrong)


def test_an_unknown_set_is_told_with_those_that_there_are(tmp_path):
    with pytest.raises(InvalidInput, match="no set 'nope'; there are: locomo, realtalk"):
        load("nope", tmp_path)


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_not_there_is_not_found(name, tmp_path):
    with pytest.raises(NotFound):
        load(name, tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["realtalk", "beam", "realmem", "multihop"])
def test_an_empty_folder_has_no_set(name, tmp_path):
    with pytest.raises(NotFound):
        load(name, tmp_path)


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize(
    "content", ["{", '"text"', "[1]", '{"a": 1}', "[[]]", '[{"qa": [], "conversation": {}}]']
)
def test_a_file_of_another_shape_is_one_clear_error(name, content, tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(content)
    (tmp_path / "probing_questions.json").write_text("{}")
    with pytest.raises(InvalidInput, match=r"chat\.json"):
        load(name, path)


def test_a_set_without_questions_is_refused(tmp_path):
    path = made_sets.written(tmp_path / "locomo.json", [])
    with pytest.raises(InvalidInput, match="no questions"):
        load("locomo", path)


def test_a_date_that_cannot_be_read_is_told(tmp_path):
    path = made_sets.locomo(tmp_path)
    path.write_text(path.read_text().replace("8 May, 2023", "someday"))
    with pytest.raises(InvalidInput, match="someday"):
        load("locomo", path)


def test_text_that_is_not_utf_8_is_told(tmp_path):
    (tmp_path / "locomo.json").write_bytes(b'["\xff"]')
    with pytest.raises(InvalidInput, match=r"locomo\.json is not JSON"):
        load("locomo", tmp_path)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("12:05 am on 1 January, 2024", day(2024, 1, 1, 0, 5)),
        ("April-05-2024", day(2024, 4, 5)),
        ("2026-07-18 (Saturday)", day(2026, 7, 18)),
        ("2024-02-03T10:00:00+02:00", day(2024, 2, 3, 8)),
        ("29.12.2023, 20:30", day(2023, 12, 29, 20, 30)),
    ],
)
def test_dates_as_the_sets_write_them(text, moment):
    assert moment_in(text) == moment


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("one week later", 7),
        ("a year after", 365),
        ("several months later", 90),
        ("around noon", 30),
        ("", 30),
    ],
)
def test_gaps_as_locomo_plus_writes_them(text, days):
    assert gap_in(text).days == days
