"""What a caller addresses something by is a text, wherever it is given."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.model import Origin
from recollect.testing import HashEmbedder

GIVEN = {
    "a session to observe": lambda m: m.observe("I live in Rome.", session=42),
    "a run to observe": lambda m: m.observe("I live in Rome.", run=7),
    "an actor to observe": lambda m: m.observe("I live in Rome.", actor=1.5),
    "a session to remember": lambda m: m.remember("I live in Rome.", session=42),
    "an origin to remember": lambda m: m.remember("I live in Rome.", origin=Origin(actor=3)),
    "a channel to remember": lambda m: m.remember("I live in Rome.", channel=7),
    "a channel to observe": lambda m: m.observe("I live in Rome.", channel=7),
    "no channel at all": lambda m: m.remember("I live in Rome.", channel=" "),
    "a session of an event": lambda m: m.event({"type": "deploy", "text": "I live in Rome."}, session=42),
    "a channel to recall": lambda m: m.recall("where do I live?", channel=7),
    "a session to recall": lambda m: m.recall("where do I live?", session=42),
    "a session to recall of": lambda m: m.recall("where do I live?", only_session=42),
}


@pytest.mark.parametrize("verb", GIVEN.values(), ids=GIVEN)
def test_a_number_is_no_name_and_leaves_nothing_behind(memory, verb):
    with pytest.raises(InvalidInput, match=r"is a (text|name), not"):
        verb(memory)
    assert memory.list() == []
    assert memory.verify() == []


@pytest.mark.parametrize("named", [{"user": 7}, {"channel": 7}, {"user": " "}, {"store": 5}])
def test_an_engine_is_opened_with_names(named):
    with pytest.raises(InvalidInput, match=r"not (7|5|empty)"):
        Recollect(**{"store": ":memory:", "embedder": HashEmbedder(), **named})


def test_an_empty_session_is_none(memory):
    assert memory.get(memory.remember("I live in Rome.", session="").id).origin.session is None
