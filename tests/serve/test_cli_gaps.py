"""`gaps`."""

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder


@pytest.fixture
def noted(cli, store):
    """Two gaps in the store of the command line."""
    cli("remember", "something")
    with Recollect(store, embedder=HashEmbedder()) as memory:
        return [memory.note_gap(text).id for text in ("Where is the office?", "Who is Priya?")]


def test_gaps_are_shown_answered_and_dismissed(cli, noted):
    one, other = noted
    assert [gap["id"] for gap in cli("gaps", "--json").json["gaps"]] == [other, one]
    assert "Where is the office?" in cli("gaps").out
    kept = cli("gaps", "--close", one, "--answer", "The office is in Porto", "--json").json
    assert kept["remembered"]["action"] == "create"
    cli("gaps", "--close", other)
    assert cli("gaps", "--json").json == {"gaps": []}
    assert "no gaps" in cli("gaps").out
    assert cli("gaps", "--answer", "x").code == 2
    assert cli("gaps", "--close", "nothing").code == 1
