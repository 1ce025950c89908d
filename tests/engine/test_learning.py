"""Episodes end to end: what worked rises, what failed in the same situation sinks, and every outcome can be undone."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.learn import knowing
from recollect.model import Counters
from recollect.ports import Changes, RecordChange
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture(params=["reference", "sqlite"])
def store(request, tmp_path):
    return ":memory:" if request.param == "reference" else tmp_path / "agent.db"


def opened(store, clock=None, **options):
    options = {"user": "ada", "channel": "_global", "embedder": HashEmbedder(), **options}
    return Recollect(store, clock=clock or FakeClock(), **options)


@pytest.fixture
def memory(store):
    with opened(store) as memory:
        yield memory


def played(memory, goal, actions, *, success, seen="the hall", task_type="tidy", **options):
    """One episode that does some actions in one place."""
    run = memory.episode(goal, task_type=task_type, **options)
    for action in actions:
        run.decide(seen)
        run.step(action)
    return run.finish(success)


def learnt(memory):
    """All that learning reads, as values that can be compared."""
    one = memory._learner().experience
    one._sequence = -1
    one.follow()
    rows = slice(one.size)
    told = {
        "contents": one.contents[rows].tolist(),
        "value": one.value[rows].tolist(),
        "reward": one.reward[rows].tolist(),
        "uses": (one.wins[rows].tolist(), one.uses[rows].tolist()),
        "leaders": [sorted(level.ids) for level in one.leaders],
        "counts": {
            channel: {
                name: (
                    region.whole,
                    dict(region.types),
                    dict(region.actions),
                    {action: dict(following) for action, following in region.next.items()},
                )
                for name, region in counts.regions.items()
            }
            for channel, counts in one._counts.items()
        },
        "seen": {
            channel: {
                here: {a: list(tally) for a, tally in tallies.items()}
                for here, tallies in counts.seen.items()
            }
            for channel, counts in one._counts.items()
        },
        "edges": sorted((e.source, e.target, e.type, e.weight) for e in memory.store.all_edges(memory.user)),
        "counters": memory.store.counters(memory.user, [step.id for step in steps_of(memory)]),
    }
    # What is known goes on changing.
    return deepcopy(told)


def steps_of(memory):
    return [step for episode in memory.episodes(limit=None) for step in memory.trajectory(episode.id)]


def test_what_worked_is_advised_in_a_similar_situation(memory):
    played(memory, "put the book on the desk", ["open drawer", "take book", "go desk"], success=True)
    advice = memory.episode("put the book on the desk", task_type="tidy").decide("the hall")
    assert {one.action for one in advice.precedents} == {"open drawer", "take book", "go desk"}
    assert advice.best == "open drawer", "the situation is the one in which it was done first"
    assert "open drawer" in advice.text


def test_a_situation_that_is_decided_about_and_weighed_is_embedded_once(memory, monkeypatch):
    seen, known = [], knowing.situation
    monkeypatch.setattr(knowing, "situation", lambda *given: seen.append(given[0]) or known(*given))
    run = memory.episode("put the book on the desk")
    run.decide("the hall")
    run.chances("the hall", ["open drawer"])
    assert len(seen) == 1
    run.decide("the yard")
    assert len(seen) == 2


def test_nothing_known_gives_no_advice(memory):
    advice = memory.decide(["put the book on the desk", "the hall"])
    assert advice.precedents == advice.choices == ()
    assert advice.best is None
    assert "No experience" in advice.text


def test_actions_for_which_nothing_speaks_are_none_of_them_best(memory):
    run = memory.episode("bake a cake", task_type="bake")
    for advice in (
        memory.decide("the build is red", possible=["rm -rf /", "retry"]),
        run.decide("the oven is cold", possible=["heat the oven", "whisk the eggs"]),
    ):
        assert advice.best is None
        assert advice.text == "No experience with this kind of situation."
        assert not any(one.is_known or one.is_tried for one in advice.choices)
    assert memory.best_action("the build is red", possible=["retry"]) is None


def test_what_worked_in_situations_of_another_kind_is_no_precedent(memory):
    played(memory, "fix the login", ["freeze the clock"], success=True, seen="the token has expired")
    run = memory.episode("cook a soup")
    for possible in (None, ["peel onions", "freeze the clock"]):
        advice = run.decide("there are onions on a table", possible=possible)
        assert advice.precedents == ()
        assert advice.best is None
        assert advice.text == "No experience with this kind of situation."


def test_what_is_seen_alone_finds_whole_situations(memory):
    played(memory, "fix the login", ["freeze the clock"], success=True, seen="the token has expired")
    assert (
        memory.decide("the token has expired", possible=["freeze the clock", "wait"]).best
        == "freeze the clock"
    )
    assert memory.decide("there are onions on a table").best is None


def test_advice_says_what_failed_and_what_was_not_tried(memory):
    played(memory, "put the book on the desk", ["break lamp"], success=False)
    possible = ["break lamp", "open drawer", "go desk"]
    run = memory.episode("put the book on the desk", task_type="tidy")
    advice = run.decide("the hall", possible=possible)
    assert advice.best is None
    assert advice.text.splitlines() == [
        "Nothing is known to have worked in similar situations:",
        "- open drawer (not tried yet)",
        "- go desk (not tried yet)",
        "- break lamp (failed before)",
    ]
    played(memory, "put the book on the desk", ["go desk"], success=True)
    advice = run.decide("the hall", possible=possible)
    assert advice.best == "go desk"
    assert advice.text.startswith("What worked in similar situations, best first:\n- go desk (chance of")


@pytest.mark.parametrize("numbered", [False, True])
def test_the_same_situation_outweighs_others_of_a_recurring_goal(memory, numbered):
    possible = ["restart the service", "clear the cache", "roll back"]

    def handled(seen, action, *, success, times):
        for time in range(times):
            run = memory.episode("handle the alert")
            run.decide(f"{seen} on host-{time}" if numbered else seen, possible=possible)
            run.step(action)
            run.finish(success)

    def advised(seen):
        run = memory.episode("handle the alert")
        return run.decide(f"{seen} on host-99" if numbered else seen, possible=possible)

    handled("database has too many connections", "restart the service", success=True, times=10)
    handled("disk is full", "restart the service", success=False, times=25)
    handled("stale pages are served", "clear the cache", success=True, times=10)
    assert advised("database has too many connections").best == "restart the service"
    assert advised("stale pages are served").best == "clear the cache"
    assert advised("disk is full").choices[-1].action == "restart the service"


def test_what_always_failed_here_stands_behind_what_was_never_tried(memory):
    goal, possible = "handle the alert", ["restart the service", "roll back"]
    for seen, success, times in (("the disk is slow", True, 30), ("the disk is full", False, 3)):
        for _ in range(times):
            played(memory, goal, ["restart the service"], success=success, seen=seen)
    run = memory.episode(goal, task_type="tidy")
    assert run.decide("the disk is slow", possible=possible).best == "restart the service"
    untried, failed = run.decide("the disk is full", possible=possible).choices
    assert (untried.action, failed.action) == ("roll back", "restart the service")
    assert failed.evidence > untried.evidence
    assert failed.score <= untried.score


def test_evidence_is_a_share_of_the_precedents(memory):
    for action in ("take cup", "take fork", "drop cup"):
        played(memory, "tidy the table", [action], success=True)
    run = memory.episode("tidy the table", task_type="tidy")
    every = run.decide("the hall", possible=["take cup", "take fork", "drop cup", "take pen"]).choices
    assert sum(one.evidence for one in every) == pytest.approx(1.0)
    assert [one.action for one in every if not one.evidence] == ["take pen"]
    (alone,) = run.decide("the hall", possible=["take pen"]).choices
    assert alone.evidence == 0.0
    assert alone.is_known, "others of its type worked here"


def test_failures_teach_chances_and_advise_nobody(memory):
    played(memory, "put the book on the desk", ["break lamp"], success=False)
    run = memory.episode("put the book on the desk", task_type="tidy")
    advice = run.decide("the hall", possible=["break lamp", "open drawer"])
    assert advice.precedents == ()
    assert [choice.action for choice in advice.choices] == ["open drawer", "break lamp"]
    assert advice.choices[0].chance > advice.choices[1].chance


def test_after_mixed_runs_what_worked_ranks_above_the_more_similar_one_that_failed(memory):
    goal = "repair the login test"
    for success in (True, False, True, False, True):
        action = "reset the clock" if success else "retry the test"
        seen = "the login test fails at midnight" if success else "the login test fails at noon"
        run = memory.episode(goal, task_type="bugfix")
        run.decide(seen)
        run.step(action)
        run.finish(success)
    advice = memory.episode(goal, task_type="bugfix").decide(
        "the login test fails at noon", possible=["retry the test", "reset the clock"]
    )
    assert [choice.action for choice in advice.choices] == ["reset the clock", "retry the test"]


def test_with_everything_indexed_failures_advise_too(store):
    with opened(store, settings={"learning.clean": False}) as memory:
        played(memory, "put the book on the desk", ["break lamp"], success=False)
        assert [one.action for one in memory.decide(["put the book on the desk", "x"]).precedents] == [
            "break lamp"
        ]


def test_a_success_teaches_only_the_steps_that_it_needed(memory):
    run = memory.episode("take the apple", task_type="fetch")
    hall, fridge = ["go shelf", "go fridge"], ["go shelf", "open fridge", "take apple"]
    for action, possible in (("go shelf", hall), ("go fridge", hall), ("take apple", fridge)):
        run.step(action, state="somewhere", possible=possible)
    outcome = run.finish(True)
    kept = {step.id: step.action for step in memory.trajectory(run.id)}
    assert [kept[one] for one in outcome.kept] == ["go fridge", "take apple"]
    assert {one.action for one in memory.decide("somewhere").precedents} == {"go fridge", "take apple"}


@pytest.mark.parametrize(("trim", "kept"), [(True, 2), (False, 3)])
def test_trimming_can_be_switched_off(store, trim, kept):
    with opened(store, settings={"learning.trim": trim}) as memory:
        run = memory.episode("take the apple")
        hall = ["go shelf", "go fridge"]
        for action, possible in (("go shelf", hall), ("go fridge", hall), ("take apple", ["take apple"])):
            run.step(action, state="somewhere", possible=possible)
        assert len(run.finish(True).kept) == kept


def failed(memory, *, task_type="tidy", follow=True, quality_runs=()):
    """An expert's win, then a failure that was advised by it; gives back what is left of the reward."""
    played(memory, "clean the soap", ["wash soap"], success=True, task_type="tidy")
    for success in quality_runs:
        played(memory, "clean the soap", ["wait"], success=success, task_type="other")
    (expert,) = [s for s in steps_of(memory) if s.action == "wash soap"]
    run = memory.episode("clean the soap", task_type=task_type)
    run.decide("the hall")
    run.step("wash soap" if follow else "sing")
    outcome = run.finish(False)
    assert set(outcome.decayed) <= {expert.id}
    return memory.counters(expert.id).reward, outcome.decayed.get(expert.id, 1.0)


def test_advice_for_another_kind_of_task_loses_nothing(memory):
    assert failed(memory, task_type="cool") == (1.0, 1.0)


def test_advice_that_was_not_followed_loses_nothing(memory):
    assert failed(memory, follow=False) == (1.0, 1.0)


def test_advice_that_was_followed_loses_by_the_quality_of_its_region(memory):
    reward, factor = failed(memory)
    quality = (1 + 1.5) / (1 + 3)
    assert reward == factor == 0.7 + 0.25 * quality


def test_advice_of_a_region_that_fails_loses_more(memory):
    reward, _ = failed(memory, quality_runs=[False] * 20)
    assert reward == 0.7 + 0.25 * (1 + 1.5) / (21 + 3)


@pytest.mark.parametrize(("decay", "left"), [("blind", 0.85), ("off", 1.0)])
def test_decay_can_be_blind_or_off(store, decay, left):
    with opened(store, settings={"learning.decay": decay}) as memory:
        assert failed(memory, task_type="cool", follow=False)[0] == left


def test_outcomes_relate_advice_to_what_it_led_to(memory):
    played(memory, "clean the soap", ["wash soap"], success=True)
    played(memory, "clean the soap", ["wash soap"], success=True)
    played(memory, "clean the soap", ["wash soap"], success=False)
    played(memory, "clean the soap", ["sing"], success=False)
    kinds = {edge.type for edge in memory.store.all_edges("ada")}
    assert kinds == {"caused_success", "caused_failure", "irrelevant"}


def test_use_is_counted_on_the_advice_that_was_followed(memory):
    played(memory, "clean the soap", ["wash soap"], success=True)
    played(memory, "clean the soap", ["wash soap"], success=True)
    played(memory, "clean the soap", ["wash soap"], success=False)
    first = memory.trajectory(memory.episodes(limit=None)[-1].id)[0]
    counted = memory.counters(first.id)
    assert (counted.wins, counted.losses) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("success", "uses", "relation"),
    [(True, (1.0, 0.0), "caused_success"), (False, (0.0, 1.0), "caused_failure")],
)
def test_how_an_episode_ended_counts_for_the_memories_that_it_used(memory, success, uses, relation):
    used, other = memory.remember("The soap is in the bathroom").id, memory.remember("Cats sleep a lot").id
    run = memory.episode("clean the soap")
    run.step("wash soap", state="the hall")
    run.finish(success, used=used)
    assert (memory.counters(used).wins, memory.counters(used).losses) == uses
    assert [(e.source, e.target, e.type) for e in memory.store.all_edges("ada")] == [(used, run.id, relation)]
    assert (memory.counters(other).wins, memory.counters(other).losses) == (0.0, 0.0)
    memory.undo(run.id)
    assert (memory.counters(used).wins, memory.counters(used).losses) == (0.0, 0.0)
    assert list(memory.store.all_edges("ada")) == []
    assert memory.verify() == []


def went_by(memory, used, *, success, task_type="tidy"):
    run = memory.episode("clean the soap", task_type=task_type)
    run.step("wash soap", state="the hall")
    return run.finish(success, used=used)


def test_a_memory_that_was_gone_by_loses_reward_as_advice_does(memory):
    used = memory.remember("The soap is in the bathroom").id
    went_by(memory, used, success=False)
    assert memory.counters(used).reward == 1.0, "it never served this kind of task"
    went_by(memory, used, success=True)
    assert not went_by(memory, used, success=False, task_type="cook").decayed, "another kind of task"
    before = memory.counters(used)
    lost, again = (went_by(memory, used, success=False) for _ in range(2))
    assert lost.decayed.keys() == again.decayed.keys() == {used}
    assert 0.7 <= again.decayed[used] <= lost.decayed[used] <= 0.95, "a region that fails protects less"
    assert memory.counters(used).reward == lost.decayed[used] * again.decayed[used]
    assert memory.outcome_of(lost.episode) == lost
    memory.undo(lost.episode)
    assert memory.counters(used).reward == again.decayed[used], "what the other took stays taken"
    memory.undo(again.episode)
    assert memory.counters(used) == before


@pytest.mark.parametrize(("decay", "left"), [("off", 1.0), ("blind", 0.85)])
def test_what_a_failure_takes_from_used_memories_follows_the_setting(store, decay, left):
    with opened(store, settings={"learning.decay": decay}) as memory:
        used = memory.remember("The soap is in the bathroom").id
        went_by(memory, used, success=False)
        assert memory.counters(used).reward == left


def test_a_step_that_is_named_as_used_loses_as_advice_alone(memory):
    (expert,) = played(memory, "clean the soap", ["wash soap"], success=True).kept
    went_by(memory, expert, success=True)
    lost = went_by(memory, expert, success=False)
    assert not lost.decayed
    assert memory.counters(expert).reward == 1.0


def test_advice_that_was_followed_and_is_named_as_used_counts_once(memory):
    (expert,) = played(memory, "clean the soap", ["wash soap"], success=True).kept
    run = memory.episode("clean the soap", task_type="tidy")
    run.decide("the hall")
    run.step("wash soap")
    run.finish(True, used=[expert, expert])
    assert memory.counters(expert).wins == 1.0
    memory.undo(run.id)
    assert memory.counters(expert).wins == 0.0


def test_an_outcome_that_names_an_unknown_memory_ends_nothing(memory):
    run = memory.episode("clean the soap")
    run.step("wash soap", state="the hall")
    with pytest.raises(NotFound):
        run.finish(True, used=["01ARZ3NDEKTSV4RRFFQ69G5FAV"])
    assert memory.episode_of(run.id).ending == "open"
    assert run.finish(True).success


def test_feedback_that_is_given_while_an_episode_ends_is_not_lost(memory, monkeypatch):
    used = memory.remember("The soap is in the bathroom").id
    run = memory.episode("clean the soap")
    run.step("wash soap", state="the hall")
    write, given = memory.store.write, []

    def disturbed(user, changes):
        if changes.operation == "outcome" and not given:
            given.append(True)
            memory.feedback(used, helpful=True)
        return write(user, changes)

    monkeypatch.setattr(memory.store, "write", disturbed)
    run.finish(True, used=used)
    assert memory.counters(used).wins == 2.0


@pytest.mark.parametrize("success", [True, False])
def test_undoing_the_last_outcome_restores_everything_exactly(memory, success):
    for number in range(4):
        played(memory, f"clean the soap {number}", ["wash soap", "dry soap"], success=number != 2)
    run = memory.episode("clean the soap", task_type="tidy")
    for action in ("wash soap", "paint soap", "dry soap"):
        run.decide("the hall")
        run.step(action)
    before, advised = learnt(memory), memory.decide(["clean the soap", "nothing", "the hall"])
    run.finish(success)
    assert learnt(memory) != before
    assert memory.undo(run.id).ending == "open"
    after = learnt(memory)
    defaults = {step.id: Counters() for step in steps_of(memory)}
    assert {**defaults, **after.pop("counters")} == {**defaults, **before.pop("counters")}
    assert after == before
    assert memory.decide(["clean the soap", "nothing", "the hall"]) == advised
    assert memory.verify() == []


def test_undoing_an_earlier_outcome_leaves_what_later_ones_taught(memory):
    first = played(memory, "clean the soap", ["wash soap"], success=True)
    failure = played(memory, "clean the soap", ["wash soap"], success=False)
    played(memory, "clean the soap", ["wash soap"], success=False)
    (expert,) = first.kept
    both = memory.counters(expert).reward
    memory.undo(failure.episode)
    left = memory.counters(expert)
    assert both < left.reward < 1.0
    assert (left.wins, left.losses) == (0.0, 1.0)
    assert learnt(memory)["reward"] == [left.reward]


def test_an_undone_episode_can_have_another_outcome(memory):
    outcome = played(memory, "clean the soap", ["wash soap"], success=False)
    memory.undo(outcome.episode)
    assert memory.outcome(outcome.episode, success=True).kept != ()
    assert memory.episodes()[0].ending == "won"


def test_an_episode_has_one_outcome(memory):
    outcome = played(memory, "clean the soap", ["wash soap"], success=True)
    with pytest.raises(Refused, match="undo it"):
        memory.outcome(outcome.episode, success=False)
    with pytest.raises(InvalidInput, match="undo its outcome"):
        memory.resume(outcome.episode)
    memory.undo(outcome.episode)
    with pytest.raises(Refused, match="no outcome"):
        memory.undo(outcome.episode)


def test_what_is_no_episode_has_no_outcome(memory):
    note = memory.remember("Soap is slippery").id
    with pytest.raises(InvalidInput, match="not an episode"):
        memory.outcome(note, success=True)
    with pytest.raises(NotFound):
        memory.outcome("01ARZ3NDEKTSV4RRFFQ69G5FAV", success=True)


def test_an_open_episode_is_resumed_where_it_was(memory):
    run = memory.episode("clean the soap", task_type="tidy", session="s1")
    run.step("wash soap", state="the hall")
    (left,) = memory.episodes(ending="open")
    assert (left.goal, left.task_type, left.session) == ("clean the soap", "tidy", "s1")
    again = memory.resume(left.id)
    again.step("dry soap", state="the hall")
    again.finish(True)
    assert [(s.place, s.action) for s in memory.trajectory(run.id)] == [(0, "wash soap"), (1, "dry soap")]
    assert memory.episodes(ending="open") == []


def test_steps_and_episodes_are_left_out_of_ordinary_recall(memory):
    memory.remember("The soap lies in the bathroom")
    played(memory, "clean the soap", ["wash soap"], success=True, seen="soap in the bathroom")
    assert {hit.memory.kind for hit in memory.recall("soap in the bathroom")} == {"note"}
    asked = memory.recall("soap in the bathroom", kinds=["step"], include_dormant=True)
    assert {hit.memory.kind for hit in asked} == {"step"}


def test_users_share_nothing_and_channels_share_the_global_one(store, tmp_path):
    with opened(store, channel="web") as memory:
        played(memory, "clean the soap", ["wash soap"], success=True)
        played(memory, "clean the soap", ["rinse soap"], success=True, channel="_global")
        state = ["clean the soap", "nothing", "the hall"]
        assert {p.action for p in memory.decide(state).precedents} == {"wash soap", "rinse soap"}
        assert {p.action for p in memory.decide(state, channel="api").precedents} == {"rinse soap"}
        other = Recollect(memory.store, user="bob", channel="web", embedder=HashEmbedder(), clock=FakeClock())
        assert other.decide(state).precedents == ()
        with pytest.raises(NotFound):
            other.undo(memory.episodes()[0].id)


def test_secrets_of_steps_are_not_stored(memory):
    secret = "ghp_" + "a1B2" * 9
    run = memory.episode("deploy")
    run.step(
        f"curl -H 'Authorization: token {secret}'",
        state=f"the token is {secret}",
        observation=f"used {secret}",
        possible=[f"curl -H 'Authorization: token {secret}'"],
    )
    assert secret not in repr(memory.trajectory(run.id))


def test_a_purged_step_advises_nobody_and_its_region_is_gone(memory):
    outcome = played(memory, "clean the soap", ["wash soap"], success=True)
    assert memory.store.records("ada", "region")
    memory.purge(*outcome.kept)
    assert memory.store.records("ada", "region") == []
    state = ["clean the soap", "nothing", "the hall"]
    assert memory.decide(state).precedents == ()
    run = memory.episode("wash it")
    assert run.step("wash soap", state=state).id == "", "the same state is not kept again"
    run.finish(True)


def test_another_model_keeps_what_was_learnt(tmp_path):
    path, state = tmp_path / "agent.db", ["clean the soap", "nothing", "the hall"]
    with opened(path) as memory:
        played(memory, "clean the soap", ["wash soap"], success=True)
        played(memory, "clean the soap", ["eat soap"], success=False)
    with opened(path, embedder=HashEmbedder(128)) as memory:
        memory.reembed()
        advice = memory.decide(state, possible=["eat soap", "wash soap"])
        assert [p.action for p in advice.precedents] == ["wash soap"]
        assert advice.precedents[0].similarity == pytest.approx(1.0, abs=1e-3)
        assert advice.choices[1].chance < 0.5 < advice.choices[0].chance


def test_what_another_process_learnt_is_seen_by_the_next_decision(tmp_path):
    path, state = tmp_path / "agent.db", ["clean the soap", "nothing", "the hall"]
    with opened(path) as here, opened(path) as there:
        assert here.decide(state).precedents == ()
        outcome = played(there, "clean the soap", ["wash soap"], success=True)
        assert [p.action for p in here.decide(state).precedents] == ["wash soap"]
        there.undo(outcome.episode)
        assert here.decide(state).precedents == ()


def test_a_fresh_process_decides_as_the_one_that_learnt(tmp_path):
    path, state = tmp_path / "agent.db", ["clean the soap", "nothing", "the hall"]
    possible = ["wash soap", "eat soap", "sing"]
    with opened(path) as memory:
        for number, success in enumerate((True, False, True, False, False)):
            played(memory, f"clean the soap {number % 2}", [possible[number % 3], "sing"], success=success)
        told = memory.decide(state, possible=possible)
    with opened(path) as memory:
        assert memory.decide(state, possible=possible) == told


def test_explicit_following_overrules_the_comparison_of_actions(memory):
    played(memory, "clean the soap", ["wash soap"], success=True)
    run = memory.episode("clean the soap", task_type="tidy")
    advice = run.decide("the hall")
    step = run.step("wash the soap with hot water", followed=advice.precedents[0].id)
    assert step.followed == (advice.precedents[0].content,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda run: run.step(""), "an action is a text"),
        (lambda run: run.step("wash"), "decide first"),
        (lambda run: run.decide([]), "a state is"),
        (lambda run: run.decide("x", possible=[3]), "an action is a text"),
        (lambda run: run.decide("x", possible=3), "actions are a list of texts, not 3"),
        (lambda run: run.decide("x", possible="wait"), "actions are a list of texts, not 'wait'"),
        (lambda run: run.step("wait", state="x", possible="wait"), "actions are a list of texts"),
        (lambda run: run.finish("yes"), "True or False"),
        (lambda run: run.finish(True, used=None), "named by their ids"),
        (lambda run: run.finish(True, used=[5]), "named by their ids"),
        (lambda run: run.decide(None), "a state is"),
        (lambda run: run.decide(5), "a state is"),
        (lambda run: run.decide("x", k=0), "k is a whole number from 1 on, not 0"),
        (lambda run: run.decide("x", k=-1), "k is a whole number from 1 on, not -1"),
        (lambda run: run.decide("x", k=1.5), "k is a whole number from 1 on, not 1.5"),
        (lambda run: run.step("wash", state="x", action_type=5), "are texts, not 5"),
        (lambda run: run.step("wash", state="x", command=5), "are texts, not 5"),
        (lambda run: run.step("wash", state="x", observation=5), "are texts, not 5"),
        (lambda run: run.step("wash", state="x", ok="yes"), "True or False, not 'yes'"),
        (lambda run: run.step("wash", state="x", touches=1), "True or False, not 1"),
        (lambda run: run.step("wash", state="x", latency_ms="1"), "milliseconds from 0 on, not '1'"),
        (lambda run: run.step("wash", state="x", latency_ms=float("nan")), "milliseconds from 0 on, not nan"),
        (lambda run: run.step("wash", state="x", reward="1"), "a finite number, not '1'"),
        (lambda run: run.step("wash", state="x", reward=float("nan")), "a finite number, not nan"),
        (lambda run: run.step("wash", state="x", reward=float("-inf")), "a finite number, not -inf"),
        (lambda run: run.step("wash", state="x", reward=10**400), "a finite number, not 1000"),
    ],
)
def test_wrong_calls_say_what_to_do_and_change_nothing(memory, call, message):
    run = memory.episode("clean the soap")
    with pytest.raises(InvalidInput, match=message):
        call(run)
    assert memory.trajectory(run.id) == []
    assert memory.episodes()[0].ending == "open"


def test_what_was_followed_is_named_by_ids(memory):
    run = memory.episode("clean the soap")
    run.decide("the hall")
    with pytest.raises(InvalidInput, match="ids of precedents, not 5"):
        run.step("wash soap", followed=5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda memory, _: memory.episode("clean the soap", task_type=5),
            "a kind of task is named by a text",
        ),
        (lambda memory, _: memory.decide("x", task_type=5), "a kind of task is named by a text"),
        (lambda memory, one: memory.feedback(one, helpful="no"), "True or False, not 'no'"),
        (lambda memory, _: memory.feedback([5], helpful=True), "named by their ids"),
        (lambda memory, one: memory.report(one, success="no"), "True or False, not 'no'"),
        (lambda memory, _: memory.report([5], success=True), "named by their ids"),
        (lambda memory, one: memory.link(one, memory.remember("Soap floats").id, weight="x"), "not 'x'"),
        (lambda memory, _: memory.skills(k=0), "k is a whole number from 1 on, not 0"),
        (lambda memory, _: memory.ways("wash soap", k="2"), "k is a whole number from 1 on, not '2'"),
        (lambda memory, _: memory.causal_search("x", before=-1), "from 0 on, not -1"),
        (lambda memory, one: memory.k_hop_neighbors(one, hops=0), "from 1 on, not 0"),
        (lambda memory, one: memory.traverse(one, max_hops=0), "from 1 on, not 0"),
    ],
)
def test_what_is_given_in_another_form_is_refused(memory, call, message):
    one = memory.remember("Soap is slippery").id
    with pytest.raises(InvalidInput, match=message):
        call(memory, one)
    assert memory.episodes() == []
    assert memory.counters(one) == Counters()


@pytest.mark.parametrize("broken", ["1", 10**400], ids=["text", "endless"])
def test_a_reward_that_is_no_number_in_an_older_record_breaks_nothing(tmp_path, broken):
    path, state = tmp_path / "agent.db", ["clean the soap", "nothing", "the hall"]
    with opened(path) as memory:
        episode = played(memory, "clean the soap", ["wash soap"], success=True).episode
        record = memory.store.record("ada", "outcome", episode)
        value = record.value | {"rewards": [[record.value["kept"][0][3], record.value["kept"][0][1], broken]]}
        change = RecordChange("outcome", episode, value, record.revision)
        memory.store.write("ada", Changes("older", memory.now(), records=(change,)))
    with opened(path) as memory:
        assert memory.decide(state).best == "wash soap"
        assert memory.mean_reward(state, "wash soap") is None
        run = memory.episode("clean the soap", task_type="tidy")
        run.step("wash soap", state=state, reward=np.float32(0.5))
        run.finish(True)
        assert memory.mean_reward(state, "wash soap") == 0.5


def test_a_reward_that_is_no_number_in_an_older_step_is_left_out(memory):
    run = memory.episode("clean the soap")
    step = run.step("wash soap", state="the hall", reward=1)
    memory._learner().step(run.episode, replace(step, place=1, reward="1"))
    assert [one.reward for one in memory.trajectory(run.id)] == [1.0, None]
    assert run.finish(True).success
    assert memory.mean_reward(["clean the soap", "nothing", "the hall"], "wash soap") == 1.0


def test_precedents_weigh_by_likeness_value_reward_task_and_region(memory):
    played(memory, "clean the soap", ["wash soap", "dry soap"], success=True)
    state = ["clean the soap", "nothing", "the hall"]
    first, second = memory.decide(state, task_type="tidy").precedents
    assert first.similarity == pytest.approx(1.0, abs=1e-3)
    assert first.weight == pytest.approx(np.exp((first.similarity - 1) / 0.06) * 0.95)
    assert second.value == 1.0
    assert second.weight < first.weight
    stranger = memory.decide(state, task_type="cool").precedents[0]
    assert stranger.weight == pytest.approx(first.weight * np.exp(-3.0))


def test_more_like_precedents_of_another_task_stand_behind_those_of_the_same(memory):
    played(memory, "clean the soap", ["wash soap"], success=True, task_type="cool", seen="the hall")
    played(memory, "clean the soap", ["rinse soap"], success=True, task_type="tidy", seen="the big hall")
    state = ["clean the soap", "nothing", "the hall"]
    assert [p.action for p in memory.decide(state, task_type="tidy", k=1).precedents] == ["rinse soap"]
    assert [p.action for p in memory.decide(state, task_type="cool", k=1).precedents] == ["wash soap"]


def test_a_step_without_a_trace_that_other_successes_did_without_is_not_taught(memory):
    def washed(*actions):
        run = memory.episode("clean the soap", task_type="tidy")
        for action in actions:
            run.step(action, state="at the sink", possible=["wash soap", "stare at soap", "dry soap"])
        kept = run.finish(True).kept
        return [step.action for step in memory.trajectory(run.id) if step.id in kept]

    assert washed("wash soap", "dry soap") == ["wash soap", "dry soap"]
    assert washed("stare at soap", "wash soap", "dry soap") == ["wash soap", "dry soap"]


@pytest.mark.parametrize("switch", ["memory.enabled", "memory.recording"])
def test_with_recording_off_no_episode_and_no_step_is_kept(memory, switch):
    run = memory.episode("put the cup away")
    before = memory.stats()["versions"]
    memory.configure({switch: False})
    for write in (lambda: memory.episode("another"), lambda: run.step("take cup", state="the hall")):
        with pytest.raises(Refused, match="recording is switched off"):
            write()
    assert memory.stats()["versions"] == before


def test_an_outcome_is_explained_later_as_it_was_told(store):
    with opened(store) as memory:
        won = played(memory, "put the book on the desk", ["take book", "take book", "go desk"], success=True)
        lost = played(memory, "put the book on the desk", ["take book"], success=False)
        assert won.kept
        assert lost.decayed
        assert memory.outcome_of(won.episode) == won
        assert memory.outcome_of(lost.episode) == lost
        memory.purge(won.kept[0])
        assert memory.outcome_of(won.episode).kept == won.kept[1:], "what was purged is not told"
        memory.undo(lost.episode)
        assert memory.outcome_of(lost.episode) is None
        with pytest.raises(NotFound):
            memory.outcome_of("01ARZ3NDEKTSV4RRFFQ69G5FAV")
