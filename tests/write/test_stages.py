"""The stages by themselves: what each refuses, in which order, and what is known between two statements."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recollect.index import Partition
from recollect.model import Action, Memory
from recollect.ports import Change, Changes, NewText
from recollect.stores.reference import ReferenceStore
from recollect.write import stages
from recollect.write.known import Known
from recollect.write.policy import Policy
from recollect.write.result import Formed
from recollect.write.settling import HOW
from recollect.write.work import Draft, Heard, Refusal
from recollect.write.writer import Place, following

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def heard(text, role="user", **more):
    one = Heard(Memory("T", text, NOW, NOW), role, "Ada" if role == "user" else None, **more)
    stages.read([one], Policy())
    return one


def test_the_first_refusal_ends_the_reading_of_a_message(monkeypatch):
    called = []

    def willing(one, policy):
        called.append("willing")

    def refusing(one, policy):
        called.append("refusing")
        return Refusal("here", "because", one.turn.text)

    monkeypatch.setattr(stages, "READING", (willing, refusing, willing))
    one = heard("I live in Porto")
    assert called == ["willing", "refusing"]
    assert one.parts == [Refusal("here", "because", "I live in Porto")]
    assert one.parts[0].formed == Formed(Action.SKIP, "here", "because", "I live in Porto")


def test_what_was_heard_or_purged_before_is_not_even_read():
    for flag, reason in (("was_heard", "observed before"), ("was_erased", "purged")):
        [refusal] = heard("I live in Porto.", **{flag: True}).parts
        assert (refusal.stage, reason in refusal.reason) == ("observe", True)


@pytest.mark.parametrize(
    ("text", "role", "filter"),
    [
        ("hi", "user", "length"),
        ("You are a helpful assistant in Porto.", "system", "system"),
        ("<note><to>Ada</to><from>Tom in Porto</from></note>", "user", "xml"),
        ("- one\n- two\n- three\n- four\n- five", "assistant", "markdown"),
        ("```\nx = 1\nprint(x)\ny = 2\n```", "user", "code"),
        ("I live in Porto 😀😀😀😀", "user", "emoji"),
    ],
)
def test_a_filter_that_refuses_is_named(text, role, filter):
    [refusal] = heard(text, role).parts
    assert (refusal.stage, refusal.reason.split(":")[0]) == ("observe", filter)


DOCUMENT = """I booked the hotel in Porto for May.

## Trip to Porto
### By train
- leaves at nine
### By bus
- leaves at ten
To recap, your wishes:
- **Budget:** at most 500 euros for the week
"""


def test_a_document_is_kept_as_what_it_is_with_its_lead_and_what_it_recaps():
    parts = heard(DOCUMENT, "assistant").parts
    drafts = [(part.kind, part.text) for part in parts if isinstance(part, Draft)]
    assert drafts == [
        ("document", "The assistant laid out Trip to Porto: By train; By bus"),
        ("fact", "The assistant booked the hotel in Porto for May"),
        ("fact", "To recap, the user's wishes: Budget: at most 500 euros for the week"),
    ]
    assert parts[-1].reason.startswith("markdown"), "the rest of it is refused, and says why"


def test_what_a_user_lists_is_read_line_by_line():
    parts = heard("My life:\n- My cat is called Max\n- ok\n- I work at Acme\n- ah\n- oh", "user").parts
    assert [part.text for part in parts if isinstance(part, Draft)] == [
        "Ada's cat is called Max",
        "Ada works at Acme",
    ]


def test_beside_code_what_a_user_says_is_read_and_the_code_is_not():
    code = "```html\n<div>Never share your email with anyone else.</div>\n<p>I live in Rome.</p>\n```"
    parts = heard(
        f"I have a gallery with 8 cards. I never tested the gallery. Here is my code:\n{code}"
    ).parts
    assert [part.text for part in parts if isinstance(part, Draft)] == [
        "Ada has a gallery with 8 cards",
        "Ada never tested the gallery",
    ]


def test_why_something_is_asked_is_kept_and_the_question_is_not():
    [part] = heard("What's the best way to plan, since the sessions with Tom got extended to July 16?").parts
    assert part.text.startswith("The sessions with Tom got extended to ")


def test_emphasis_is_no_part_of_a_memory():
    [part] = heard("I **really** like *green* tea").parts
    assert part.text == "Ada really likes green tea"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Treatment Options", "it names something and says nothing of it"),
        ("The things that I need for the trip to Rome:", "it only leads to what follows"),
        ("the older, by 4 years", "it says nothing of anything: it has no verb"),
        ("Mondays and the Sundays", "it says nothing of anything: it has no verb"),
        ("About two hours by train", "it says nothing of anything: it has no verb"),
        ("Not the time to train", "it says nothing of anything: it has no verb"),
        ("Maybe in 2027, but not sure", "it says nothing of anything: it has no verb"),
        ("My name is Ada", "it says of somebody what they are called"),
    ],
)
def test_what_says_nothing_by_itself_is_left_out(text, reason):
    [part] = heard(text).parts
    assert part.reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "Dinner with my friend on Friday",
        "The budget: 500 euros",
        "Love hiking in the Alps",
        "My trip:\n- two weeks in the Alps",
        "Mieszkam w Warszawie",
        "Ich wohne in Rom mit meiner Frau",
        "En sevdiğim renk mavi",
        "The neighbour vlogs about cars",
    ],
)
def test_a_note_and_a_text_whose_verbs_are_not_known_are_kept(text):
    assert any(isinstance(part, Draft) for part in heard(text).parts)


def test_every_part_of_a_message_is_told_in_its_order():
    parts = heard("I live in Porto. Please call Tom. My cat is called Max.").parts
    assert [type(part) for part in parts] == [Draft, Refusal, Draft]
    assert [part.text for part in parts] == [
        "Ada lives in Porto",
        "Please call Tom",
        "Ada's cat is called Max",
    ]


def test_every_action_but_a_skip_can_be_settled():
    assert set(HOW) == set(Action) - {Action.SKIP}


@pytest.fixture
def known():
    store = ReferenceStore()
    index = Partition(store, "ada", "m", 2, None)
    return Known(store, index, Place("ada"), NOW, lambda memory: text(1.0, 0.0))


def text(*vector):
    return NewText(b"", np.array(vector, np.float16).tobytes())


def memory(memory_id, **fields):
    return Memory(memory_id, f"text of {memory_id}", NOW, NOW, **fields)


def test_what_was_formed_is_known_before_it_is_written(known):
    known.put(memory("A", tags=("claim:x",)), text(1.0, 0.0))
    known.put(memory("B"), text(0.0, 1.0))
    near = known.nearest(np.array([0.8, 0.6], np.float32), NOW)
    assert [(one.memory.id, round(one.similarity, 2)) for one in near] == [("A", 0.8), ("B", 0.6)]
    assert [one.id for one in known.tagged(["claim:x"], NOW)] == ["A"]


def test_what_has_ended_is_known_for_the_time_before_only(known):
    first = memory("A", tags=("claim:x",))
    known.put(first, text(1.0, 0.0))
    later = NOW + timedelta(days=1)
    known.put(following(replace(first, valid_until=later, superseded_by="B"), NOW))
    vector = np.array([1.0, 0.0], np.float32)
    assert [one.memory.superseded_by for one in known.nearest(vector, NOW)] == ["B"]
    assert known.nearest(vector, later) == ()
    assert known.tagged(["claim:x"], later) == []


def test_only_the_first_version_of_something_new_waits_for_its_twin(known):
    known.put(memory("A"), text(1.0, 0.0))
    known.put(following(memory("A"), NOW), text(0.0, 1.0))
    known.put(memory("B", supersedes="A"), text(1.0, 1.0))
    assert [change.once for change in known.changes] == [True, False, False]
    near = known.nearest(np.array([0.0, 1.0], np.float32), NOW)
    assert near[0].memory.version == 2


def test_looking_many_up_at_once_finds_what_one_by_one_finds():
    vectors = [np.array(one, np.float32) for one in ((1.0, 0.0), (0.0, 1.0), (0.6, 0.8))]
    store = ReferenceStore()
    changes = [Change(memory(f"M{place}"), text(*vector)) for place, vector in enumerate(vectors)]
    ended = replace(memory("E"), valid_until=NOW + timedelta(hours=1))
    store.write("ada", Changes("remember", NOW, (*changes, Change(ended, text(1.0, 0.0))), model="m"))
    index = Partition(store, "ada", "m", 2, None)
    moments = (NOW, NOW + timedelta(days=1))

    def fresh():
        return Known(store, index, Place("ada"), NOW, lambda memory: text(1.0, 0.0))

    at_once, singly = fresh(), fresh()
    at_once.look_up((vector, at) for vector in vectors for at in moments)
    at_once.put(following(memory("M1"), NOW), text(0.0, 1.0))
    singly.put(following(memory("M1"), NOW), text(0.0, 1.0))
    for at in moments:
        for vector in vectors:
            assert at_once.nearest(vector, at) == singly.nearest(vector, at)
    near = [one.memory for one in at_once.nearest(vectors[1], NOW)]
    assert [one.version for one in near if one.id == "M1"] == [2], (
        "what was formed stands for what was stored"
    )
    assert "E" in {one.memory.id for one in at_once.nearest(vectors[0], NOW)}
    assert "E" not in {one.memory.id for one in at_once.nearest(vectors[0], moments[1])}
