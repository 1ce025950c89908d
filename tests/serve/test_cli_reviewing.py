"""`review`: what waits, and which of two holds."""

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder


@pytest.fixture
def flagged(store):
    chosen = {"formation.enabled": True, "formation.conflicts": "flag_review"}
    with Recollect(store, embedder=HashEmbedder(), settings=chosen) as memory:
        for text in ("I live in Porto.", "I live in Lisbon."):
            [formed] = memory.observe(text)[0].formed
    return formed.id


def test_review_lists_and_resolves(cli, flagged):
    [waiting] = cli("review", "list", "--json").json["reviews"]
    assert waiting["id"] == flagged
    assert [one["text"] for one in waiting["contradicts"]] == ["The user lives in Porto"]
    assert cli("review", "--json").json["reviews"] == [waiting]
    assert "contradicts" in cli("review").out
    done = cli("review", "resolve", flagged, "--keep", "new", "--json").json
    assert done["contradicts"][0]["superseded_by"] == flagged
    assert "nothing waits" in cli("review").out


def test_a_wrong_choice_is_told_what_there_is(cli, flagged):
    ran = cli("review", "resolve", flagged, "--keep", "mine")
    assert ran.code == 2
    assert "new, old, both" in ran.err
