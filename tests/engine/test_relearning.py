"""What was learnt goes along: with an export, with a branch that is merged; each outcome counts once."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect import Filter, Recollect
from recollect.errors import InvalidInput
from recollect.exchange.jsonl import EVERYTHING
from recollect.learn.replaying import Replaying
from recollect.testing import HashEmbedder

JAM = ["fix the printer", "nothing", "paper jam"]
POSSIBLE = ["reset", "reboot"]


def tried(memory, clock, action, success, used=(), **said):
    """An episode in which advice is asked for, and one thing is done."""
    with memory.episode("fix the printer", task_type="print", **said) as run:
        run.decide("paper jam", possible=POSSIBLE)
        run.step(action, observation="done")
        run.step(f"then {action}", state="the lid is open")
        run.finish(success, used=used)
    clock.advance(hours=1)
    return run.id


def practised(memory, clock):
    """A memory with everything that outcomes, feedback and critiques teach."""
    note = memory.remember("The reset button is below the lid").id
    for _ in range(3):
        tried(memory, clock, "reset", True, [note])
        last = tried(memory, clock, "reboot", False, [note])
    tried(memory, clock, "reset", False)
    memory.reflect(last, "do not reboot while it prints")
    memory.feedback(note, helpful=True)
    memory.recall("reset button")
    memory.flush()
    return note


def learnt(memory):
    """All that can be asked about what was learnt."""
    advice = memory.decide(JAM, possible=POSSIBLE, task_type="print")
    ids = [one.id for one in memory.store.find("ada", EVERYTHING)]
    episodes = memory.episodes(limit=None)
    return {
        "endings": {one.id: one.ending for one in episodes},
        "outcomes": [memory.outcome_of(one.id) for one in episodes],
        "choices": advice.choices,
        "precedents": [replace(one, content=0) for one in advice.precedents],
        "tools": memory.tools(),
        "skills": memory.skills(),
        "critiques": [one.text for one in memory.critiques("fix the printer")],
        "counters": memory.store.counters("ada", ids),
    }


def everything(memory):
    return sorted(list(memory.export())[1:])


def test_an_export_brings_all_that_was_learnt(memory, another, clock):
    practised(memory, clock)
    report = another.import_(memory.export())
    assert report.outcomes == 7
    assert learnt(another) == learnt(memory)
    assert everything(another) == everything(memory)
    assert another.verify() == []
    tried(another, clock, "reset", True)
    tried(memory, clock, "reset", True)
    assert another.skills()[0].wins == memory.skills()[0].wins
    assert len(another.skills()) == 1, "it is renewed, and no second one made"


def test_what_was_brought_along_can_be_taken_back(memory, another, clock):
    practised(memory, clock)
    another.import_(memory.export())
    for one in memory.episodes(limit=None)[::2]:
        assert memory.undo(one.id) == another.undo(one.id)
        assert learnt(another) == learnt(memory)


def test_the_same_import_twice_counts_once(memory, another, clock):
    practised(memory, clock)
    lines = list(memory.export())
    another.import_(lines)
    before, links = learnt(another), another.stats()["witness"]
    report = another.import_(lines)
    assert (report.outcomes, report.conflicts) == (0, [])
    assert (learnt(another), another.stats()["witness"]) == (before, links)
    again = memory.import_(lines)
    assert (again.outcomes, again.conflicts, again.created) == (0, [], [])


def test_an_import_that_broke_off_counts_once_when_it_is_repeated(memory, another, clock, monkeypatch):
    practised(memory, clock)
    lines = list(memory.export())
    replayed = []

    replay = Replaying.replay

    def breaking(learner, *told):
        if len(replayed) == 3:
            raise ZeroDivisionError
        replayed.append(told)
        return replay(learner, *told)

    monkeypatch.setattr(Replaying, "replay", breaking)
    with pytest.raises(ZeroDivisionError):
        another.import_(lines)
    monkeypatch.undo()
    assert another.import_(lines).outcomes == 4
    assert learnt(another) == learnt(memory)


def test_a_later_export_counts_only_what_is_new(memory, another, clock):
    note = practised(memory, clock)
    another.import_(memory.export())
    tried(memory, clock, "reset", True, [note])
    assert another.import_(memory.export()).outcomes == 1
    assert another.counters(note).wins == memory.counters(note).wins
    assert learnt(another)["choices"] == learnt(memory)["choices"]


def test_how_an_episode_ended_here_stands(memory, another, clock):
    ids = [tried(memory, clock, action, True) for action in POSSIBLE]
    lines = list(memory.export())
    another.import_(lines)
    another.undo(ids[0])
    another.undo(ids[1])
    another.outcome(ids[1], success=False)
    report = another.import_(lines)
    assert (report.outcomes, report.conflicts) == (0, [ids[1]])
    assert [another.episode_of(one).ending for one in ids] == ["open", "lost"]


def test_an_episode_goes_on_elsewhere_with_the_advice_that_it_had(memory, another, clock):
    tried(memory, clock, "reset", True)
    run = memory.episode("fix the printer", task_type="print")
    run.decide("paper jam", possible=POSSIBLE)
    run.step("reset")
    # The numbers of contents are others there, and belong to other steps.
    another.remember("Something else")
    theirs = [tried(another, clock, "reset", True) for _ in range(3)]
    another.import_(memory.export())
    outcome = another.outcome(run.id, success=False)
    (advised,) = [one.id for one in memory.trajectory(memory.episodes(ending="won")[0].id)][:1]
    assert set(outcome.decayed) == {advised}
    assert another.counters(advised).losses == 1.0
    own = [step.id for one in theirs for step in another.trajectory(one)]
    assert [another.counters(one).losses for one in own] == [0.0] * len(own)


def test_what_an_older_export_says_of_advice_is_not_taken_for_ours(memory, another, clock):
    tried(memory, clock, "reset", True)
    run = memory.episode("fix the printer", task_type="print")
    run.decide("paper jam", possible=POSSIBLE)
    run.step("reset")
    lines = [json.loads(line) for line in memory.export()]
    old = [line for line in lines if line["record"] in ("recollect", "memory", "edge")]
    for line in old:
        line.pop("format", None)
        if "followed_steps" in line.get("metadata", {}):
            del line["metadata"]["followed_steps"]
            line["metadata"]["followed"] = list(range(1, 1000))
    theirs = tried(another, clock, "reset", True)
    report = another.import_(json.dumps(line) for line in old)
    assert (len(report.created), report.outcomes) == (5, 0)
    assert another.import_(json.dumps(line) for line in old).conflicts == []
    another.outcome(run.id, success=False)
    assert [another.counters(one.id).losses for one in another.trajectory(theirs)] == [0.0, 0.0]


def test_a_channels_export_brings_what_was_learnt_there(memory, another, clock):
    here = tried(memory, clock, "reset", True, channel="office")
    tried(memory, clock, "reset", True)
    where = replace(EVERYTHING, channels=("office",))
    another.import_(memory.export(where=where))
    assert [one.id for one in another.episodes()] == [here]
    assert another.episode_of(here).ending == "won"


def test_an_intention_that_rests_rests_elsewhere(memory, another, clock):
    one = memory.intend("Renew the certificate", at=clock.now(), every=timedelta(days=90)).id
    memory.done(one)
    another.import_(memory.export())
    assert another.due() == memory.due() == []
    clock.advance(days=91)
    assert [due.memory.id for due in another.due()] == [one]


def test_what_is_noted_here_stands(memory, another, clock):
    practised(memory, clock)
    lines = list(memory.export())
    assert [json.loads(one)["kind"] for one in lines if '"record": "note"' in one] == ["critique", "skill"]
    another.import_(lines)
    (skill,) = another.store.records("ada", "skill")
    other = skill.value | {"memory": another.remember("Another").id}
    changed = [one.replace(skill.value["memory"], other["memory"]) for one in lines if '"note"' in one]
    another.import_(changed)
    assert another.store.records("ada", "skill") == [skill]


def test_a_merge_brings_what_the_branch_learnt_and_took_back(on_file, clock, tmp_path):
    note = practised(on_file, clock)
    kept, gone, both = (tried(on_file, clock, "reset", True, [note]) for _ in range(3))
    copy = tmp_path / "branch.db"
    on_file.branch(copy)
    with Recollect(copy, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as branch:
        branch.undo(gone)
        branch.undo(both)
        branch.outcome(both, success=False)
        new = tried(branch, clock, "reboot", False, [note])
        left = branch.episode("fix the printer", task_type="print").id
        expected = learnt(branch)
    report = on_file.merge(copy)
    assert (report.outcomes, report.conflicts) == (4, []), "two are taken back, two are learnt"
    endings = {one: on_file.episode_of(one).ending for one in (kept, gone, both, new, left)}
    assert endings == {kept: "won", gone: "open", both: "lost", new: "lost", left: "open"}
    found = learnt(on_file)
    for name in ("endings", "outcomes", "choices", "tools"):
        assert found[name] == expected[name], name
    assert found["counters"][note] == expected["counters"][note]
    assert on_file.merge(copy).outcomes == 0


@pytest.mark.parametrize("times", [1, 2])
def test_what_both_sides_learnt_of_a_memory_is_counted_together(on_file, clock, tmp_path, times):
    note = on_file.remember("The reset button is below the lid").id
    copy = tmp_path / "branch.db"
    on_file.branch(copy)
    tried(on_file, clock, "reset", True, [note])
    with Recollect(copy, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as branch:
        for _ in range(times):
            tried(branch, clock, "reset", True, [note])
    on_file.merge(copy)
    assert on_file.counters(note).wins == 1.0 + times


@pytest.mark.parametrize(
    "line",
    [
        '{"record": "outcome", "episode": "A", "success": "yes", "at": "2026-01-01"}',
        '{"record": "outcome", "episode": "A", "success": true}',
        '{"record": "outcome", "success": true, "at": "2026-01-01"}',
        '{"record": "outcome", "episode": "A", "success": true, "at": "2026-01-01", "used": [1]}',
        '{"record": "counters", "access_count": 1}',
        '{"record": "counters", "id": "A", "utility": 2}',
        '{"record": "counters", "id": "A", "stability": "long"}',
        '{"record": "counters", "id": "A", "tier": "golden"}',
        '{"record": "note", "kind": "grant", "key": "A", "value": {}}',
        '{"record": "note", "kind": "intention", "key": "A", "value": {"next": "soon"}}',
        '{"record": "recollect", "format": 3}',
    ],
)
def test_a_wrong_line_of_what_was_learnt_is_named(another, line):
    with pytest.raises(InvalidInput, match=r"line 1: .*nothing was imported"):
        another.import_([line])
    assert another.list(Filter()) == []
