"""A process that is killed while it learns leaves every outcome whole, and its last episode open at most."""

import json
import random
from pathlib import Path

import pytest
from killing import acknowledged_by

from recollect import Recollect
from recollect.model import Counters
from recollect.testing import HashEmbedder

PLAYER = Path(__file__).with_name("player.py")
KILLS = 50

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def test_fifty_kills_leave_a_consistent_store(tmp_path):
    path, rng = tmp_path / "agent.db", random.Random(7)
    finished = {}
    for kill in range(KILLS):
        lines = acknowledged_by(PLAYER, path, kill, rng=rng, within_seconds=0.3)
        finished |= dict(map(json.loads, lines))
    assert len(finished) >= KILLS
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        assert memory.verify() == []
        check_outcomes(memory, finished)
        check_what_was_learnt(memory)
        close_what_is_open(memory)


def check_outcomes(memory, finished):
    """Every acknowledged outcome is there, and every outcome with all of its edges and no others."""
    outcomes = {record.key: record.value for record in memory.store.records("ada", "outcome")}
    assert {episode: outcomes[episode]["success"] for episode in finished} == finished
    assert len(outcomes) <= len(finished) + KILLS
    told = {(source, key, kind) for key, value in outcomes.items() for source, kind in value["edges"]}
    edges = {(edge.source, edge.target, edge.type) for edge in memory.store.all_edges("ada")}
    formed = {(source, target) for source, target, kind in edges if kind == "derived_from"}
    assert {edge for edge in edges if edge[2] != "derived_from"} == told
    assert all(outcomes[one]["success"] for _, one in formed if one in outcomes), "skills come from successes"
    for key, value in outcomes.items():
        assert len(memory.trajectory(key)) == value["steps"]


def check_what_was_learnt(memory):
    """The counters of each step are what the outcomes add up to, to the bit; every region is there."""
    experience = memory._learner().experience
    experience.follow()
    regions = {record.key for record in memory.store.records("ada", "region")}
    outcomes = [record.value for record in memory.store.records("ada", "outcome")]
    assert {name for value in outcomes for at, *_ in value["tried"] for name in at} == regions
    contents = experience.contents[: experience.size].tolist()
    ids = [experience.told([content])[content].id for content in contents]
    stored = memory.store.counters("ada", ids)
    for row, step in enumerate(ids):
        known = stored.get(step, Counters())
        assert known.reward == experience.reward[row]
        assert (known.wins, known.wins + known.losses) == (experience.wins[row], experience.uses[row])


def close_what_is_open(memory):
    """What was interrupted can be resumed and finished."""
    for episode in memory.episodes(ending="open", limit=None):
        run = memory.resume(episode.id)
        run.step("give up", state="the end")
        run.finish(False)
    assert memory.episodes(ending="open", limit=None) == []
    assert memory.verify() == []
