"""Practice: the best action, the way to success, critiques that warn, skills that repeated successes make."""

import itertools

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, NotFound
from recollect.testing import FakeClock, HashEmbedder


def fetched(memory, thing, place, *, success=True, task_type="fetch", **options):
    """One episode: go where the thing is, take it, put it into the box."""
    run = memory.episode(f"put the {thing} in the box", task_type=task_type, **options)
    goal, done = run.episode.goal, []
    for action, kind in (
        (f"go to {place}", "go"),
        (f"take {thing} from {place}", "take"),
        (f"drop {thing}", "drop"),
    ):
        run.step(action, state=[goal, "; ".join(done) or "nothing", "a room"], action_type=kind)
        done.append(kind)
    return run.finish(success)


START = ["put the cup in the box", "nothing", "a room"]


def test_the_best_action_comes_with_its_chance(memory):
    assert memory.best_action(START) is None
    for success in (True, True, False):
        fetched(memory, "cup", "desk" if success else "bed", success=success)
    best = memory.best_action(START, possible={"go to desk": "go", "go to bed": "go"}, task_type="fetch")
    assert best.action == "go to desk"
    assert 0.0 < best.chance < 1.0
    assert best.evidence > 0.5


def test_the_strategy_follows_what_succeeded_to_the_end(memory):
    for _ in range(3):
        fetched(memory, "cup", "desk")
    fetched(memory, "cup", "bed", success=False)
    stages = memory.strategy_for(START, task_type="fetch")
    assert [stage.action for stage in stages] == ["go to desk", "take cup from desk", "drop cup"]
    assert stages[-1].leads_to == "won"
    assert all(one.leads_to == two.region for one, two in itertools.pairwise(stages))
    assert memory.strategy_for(["sing a song", "nothing", "a stage"]) == ()
    assert memory.strategy_for(START, task_type="dance") == ()


def test_where_an_action_leads_is_a_probability(memory):
    fetched(memory, "cup", "desk")
    fetched(memory, "cup", "desk", success=False)
    later = ["put the cup in the box", "go; take", "a room"]
    middle = ["put the cup in the box", "go", "a room"]
    assert memory.transition_probability(START, "go to desk", middle) == 1.0
    assert memory.transition_probability(later, "drop cup", "won") == 0.5
    assert memory.transition_probability(later, "drop cup", "lost") == 0.5
    assert memory.transition_probability(START, "drop cup", "won") == 0.0
    assert memory.transition_probability(["sing", "nothing", "x"], "drop cup", "won") == 0.0


def test_a_critique_warns_later_tries_at_similar_goals(memory):
    lost = fetched(memory, "cup", "bed", success=False)
    kept = memory.reflect(lost.episode, "look on the desk first")
    assert kept.kind == "warning"
    assert kept.metadata["actions"][0] == "go to bed"
    run = memory.episode("put the cup in the box", task_type="fetch")
    advice = run.decide("a room")
    assert advice.warnings == ("put the cup in the box: look on the desk first",)
    assert advice.text.startswith("Warning: put the cup in the box: look on the desk first")
    assert [one.id for one in memory.critiques("put the fork in the box")] == [kept.id]
    assert memory.members(lost.episode)[kept.id] == "critique"
    assert "Warning: put the cup" in memory.context("put the cup in the box")


def test_critiques_stay_with_their_channel_and_can_be_switched_off(memory):
    lost = fetched(memory, "cup", "bed", success=False, channel="work")
    memory.reflect(lost.episode, "look on the desk first")
    assert memory.critiques("put the cup in the box") == []
    assert len(memory.critiques("put the cup in the box", channel="work")) == 1
    memory.configure({"learning.warnings": False})
    assert memory.episode("put the cup in the box", channel="work").decide("a room").warnings == ()


def test_a_critique_needs_words_and_an_episode(memory):
    lost = fetched(memory, "cup", "bed", success=False)
    with pytest.raises(InvalidInput, match="a critique is a text"):
        memory.reflect(lost.episode, "  ")
    with pytest.raises(NotFound):
        memory.reflect("nothing", "look")


def test_three_successes_of_the_same_kind_make_a_skill_with_parameters(memory):
    fetched(memory, "cup", "desk")
    fetched(memory, "fork", "shelf")
    assert memory.skills() == []
    fetched(memory, "pen", "bed")
    (skill,) = memory.skills()
    assert skill.goal == "put the {1} in the box"
    assert skill.steps == ("go to {2}", "take {1} from {2}", "drop {1}")
    assert dict(skill.parameters) == {"1": ("cup", "fork", "pen"), "2": ("desk", "shelf", "bed")}
    assert (skill.wins, skill.losses, len(skill.episodes)) == (3, 0, 3)
    hit = memory.recall("how to put something in the box", kinds=("skill",))[0]
    assert hit.text.startswith("How to put the {1} in the box: 1. go to {2}; 2.")


def test_a_skill_is_renewed_with_more_successes_and_failures(memory):
    for thing in ("cup", "fork", "pen"):
        fetched(memory, thing, "desk")
    first = memory.skills()[0]
    fetched(memory, "mug", "desk", success=False)
    for thing in ("can", "hat", "bag"):
        fetched(memory, thing, "desk")
    (renewed,) = memory.skills()
    assert renewed.id == first.id
    assert (renewed.wins, renewed.losses) == (6, 1)
    assert renewed.steps == ("go to desk", "take {1} from desk", "drop {1}")


def test_the_more_useful_skill_comes_first_though_another_is_as_similar(memory):
    for thing in ("cup", "fork", "pen"):
        fetched(memory, thing, "desk")
        run = memory.episode(f"put the {thing} in the box", task_type="throw")
        run.step(f"grab {thing}", state="a room", action_type="grab")
        run.step(f"throw {thing}", state="a room, holding it", action_type="throw")
        run.finish(True)
        for _ in range(3):
            run = memory.episode(f"put the {thing} in the box", task_type="throw")
            run.step(f"grab {thing}", state="a room", action_type="grab")
            run.step(f"throw {thing}", state="a room, holding it", action_type="throw")
            run.finish(False)
    memory.learn_skills()
    found = memory.skills("put the hat in the box")
    assert [skill.steps[0].split()[0] for skill in found] == ["go", "grab"]
    assert (found[1].wins, found[1].losses) == (3, 9)


def test_skills_can_be_switched_off_and_are_learnt_when_asked(memory):
    memory.configure({"learning.skills": False})
    for thing in ("cup", "fork", "pen"):
        fetched(memory, thing, "desk")
    assert memory.skills() == []
    assert len(memory.learn_skills()) == 1
    assert len(memory.skills()) == 1


def test_a_skill_counts_the_outcomes_that_stand(memory):
    episodes = [fetched(memory, thing, "desk").episode for thing in ("cup", "fork", "pen")]
    fetched(memory, "mug", "desk", success=False)
    assert [(skill.wins, skill.losses) for skill in memory.skills()] == [(3, 1)]
    memory.undo(episodes[0])
    assert [(skill.wins, skill.losses) for skill in memory.skills()] == [(2, 1)]
    assert [(skill.wins, skill.losses) for skill in memory.skills("put it in the box")] == [(2, 1)]
    memory.outcome(episodes[0], success=False)
    assert [(skill.wins, skill.losses) for skill in memory.skills()] == [(2, 2)]


def test_a_skill_without_a_success_that_stands_sleeps_until_there_are_enough(memory):
    episodes = [fetched(memory, thing, "desk").episode for thing in ("cup", "fork", "pen")]
    (skill,) = memory.skills()
    question = "how to put something in the box?"
    for episode in episodes:
        memory.undo(episode)
    assert memory.skills() == memory.skills(question) == []
    assert "How to" not in memory.context(question)
    for episode in episodes[:2]:
        memory.outcome(episode, success=True)
    assert memory.skills() == []
    memory.outcome(episodes[2], success=True)
    assert [(one.id, one.wins) for one in memory.skills()] == [(skill.id, 3)]
    assert "How to" in memory.context(question)


@pytest.mark.parametrize("protection", [{"pinned": True}, {"pinned": False, "immutable": True}])
def test_a_skill_that_somebody_protected_is_not_put_to_sleep(memory, protection):
    episodes = [fetched(memory, thing, "desk").episode for thing in ("cup", "fork", "pen")]
    (skill,) = memory.skills()
    memory.pin(skill.id, **protection)
    for episode in episodes:
        memory.undo(episode)
    assert memory.get(skill.id).state == "active"
    assert memory.skills() == [], "no success speaks for it"


def test_a_skill_that_somebody_forgot_stays_forgotten(memory):
    for thing in ("cup", "fork", "pen"):
        fetched(memory, thing, "desk")
    (skill,) = memory.skills()
    memory.forget(skill.id)
    memory.undo(memory.episodes(ending="won")[0].id)
    memory.outcome(memory.episodes(ending="open")[0].id, success=True)
    assert memory.skills() == []
    assert memory.get(skill.id).state == "dormant"


def test_what_somebody_remembers_as_a_skill_is_none_that_was_learnt(memory):
    for thing in ("cup", "fork", "pen"):
        fetched(memory, thing, "desk")
    (skill,) = memory.skills()
    memory.remember("How to put the box in the attic: climb", kind="skill")
    told = dict(memory.get(skill.id).metadata)
    memory.remember("How to put the box in the cellar: walk", kind="skill", metadata=told)
    assert memory.skills() == memory.skills("put it in the box") == [skill]
    memory.edit(skill.id, metadata={"mine": True})
    assert memory.skills() == []


def test_one_step_is_no_skill(memory):
    for thing in ("cup", "fork", "pen"):
        run = memory.episode(f"wash the {thing}")
        run.step("wash it", state="the sink")
        run.finish(True)
    assert memory.learn_skills() == []


def test_who_purges_an_episode_is_told_of_the_skill_that_was_made_of_it(memory):
    outcomes = [fetched(memory, thing, "desk") for thing in ("cup", "fork", "pen")]
    (skill,) = memory.skills()
    steps = [step.id for step in memory.trajectory(outcomes[0].episode)]
    assert memory.purge(outcomes[0].episode) == sorted([skill.id, *steps])
    assert memory.purge(memory.trajectory(outcomes[1].episode)[0].id) == [skill.id]


def test_who_purges_an_episode_is_told_of_its_steps_and_critiques_and_can_erase_them_with_it(tmp_path):
    with Recollect(tmp_path / "agent.db", embedder=HashEmbedder(), clock=FakeClock()) as memory:
        outcome = fetched(memory, "quuxberg", "desk")
        critique = memory.reflect(outcome.episode, "mind the corner").id
        asked = memory.remember("Where is it?").id
        memory.link(asked, outcome.episode, "part_of", reason="trigger")
        steps = [step.id for step in memory.trajectory(outcome.episode)]
        formed = memory.derived(outcome.episode)
        assert formed == sorted([critique, *steps]), "what was linked to it has words of its own"
        assert memory.purge(outcome.episode, *formed) == []
        memory.compact()
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert not [one.name for one in files if b"quuxberg" in one.read_bytes()]


def test_a_purged_episode_advises_nobody_and_breaks_nothing(memory):
    kept = [fetched(memory, thing, "desk").episode for thing in ("cup", "fork", "pen", "mug")]
    gone = fetched(memory, "quuxberg", "shelf").episode
    memory.purge(gone)
    memory.flush()
    advice = memory.decide(["put the quuxberg in the box", "nothing", "a room"], task_type="fetch")
    assert {one.episode for one in advice.precedents} == {*kept}
    assert "quuxberg" not in advice.text
    assert {way.episode for way in memory.ways("put the quuxberg in the box", k=9)} <= {*kept}
    assert [skill.wins for skill in memory.learn_skills()] == [4]
    assert {one.name: one.calls for one in memory.tools()} == {"go": 5, "take": 5, "drop": 5}
    assert memory.strategy_for(START)[0].action == "go to desk"


def test_how_similar_things_were_done_is_told_by_one_success_of_each_group(memory):
    for thing in ("cup", "fork", "pen", "mug"):
        fetched(memory, thing, "desk")
    for song in ("waltz", "march", "hymn", "carol"):
        run = memory.episode(f"play a {song} on the piano")
        for action in ("tune the piano", f"play the {song}"):
            run.step(action, state="a concert hall")
        run.finish(True)
    fetched(memory, "lost", "bed", success=False)
    first = memory.ways("play a carol on the piano")[0]
    assert (first.goal, first.actions) == ("play a carol on the piano", ("tune the piano", "play the carol"))
    assert first.group >= 1
    assert {way.goal.split()[0] for way in memory.ways("put it in the box", k=2)} == {"put", "play"}
    assert memory.ways("play a carol", channel="elsewhere")[0].goal.startswith("play")


def test_without_successes_there_is_no_way(memory):
    assert memory.ways("play a carol") == []
    with pytest.raises(InvalidInput):
        memory.ways(" ")


def test_an_undone_success_is_no_way_any_more(memory):
    outcome = fetched(memory, "cup", "desk")
    assert len(memory.ways("put the cup in the box")) == 1
    memory.undo(outcome.episode)
    assert memory.ways("put the cup in the box") == []
