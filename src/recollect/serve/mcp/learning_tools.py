"""The tools of an agent that learns from how things end."""

from typing import Annotated, Any

from pydantic import Field

from recollect.engine import Recollect
from recollect.exchange.values import memory_value
from recollect.serve import practice_shapes, shapes
from recollect.serve.keys import Right
from recollect.serve.mcp.tool import Tool, listed

EpisodeId = Annotated[str, Field(description="The id that memory_episode gave.")]
Situation = Annotated[
    str, Field(description="What you see now, such as an error or a page: the same words as in memory_step.")
]


def episode(
    memory: Recollect,
    goal: Annotated[str, Field(description="What is to be reached, in a sentence.")],
    task_type: Annotated[str | None, Field(description="The kind of task, such as bugfix.")] = None,
    channel: Annotated[str | None, Field(description="A project's name.")] = None,
) -> dict[str, Any]:
    """Begin one try at a goal, so that what you do can be learnt from.

    Then, for each thing that you do: memory_decide, act, memory_step. At the end: memory_outcome.
    """
    return shapes.episode(memory.episode(goal, task_type=task_type, channel=channel).episode)


def decide(
    memory: Recollect,
    state: Situation,
    episode: Annotated[str | None, Field(description="The episode in which you ask.")] = None,
    possible: Annotated[
        list[str], Field(description="The actions that you consider; each comes with its chance.")
    ] = [],  # noqa: B006 - never changed
) -> dict[str, Any]:
    """Ask what worked in situations like this one before you act, and what each action promises."""
    given = possible or None
    if episode is None:
        advice = memory.decide(state, possible=given)
    else:
        advice = memory.resume(episode).decide(state, possible=given)
    return shapes.advice(advice) | {"advice": advice.text}


def step(
    memory: Recollect,
    episode: EpisodeId,
    state: Situation,
    action: Annotated[str, Field(description="What you did, in a few words.")],
    observation: Annotated[str | None, Field(description="What came of it.")] = None,
    advised: Annotated[bool, Field(description="Whether you asked memory_decide about this state.")] = True,
    tool: Annotated[str | None, Field(description="The tool that you called, if any.")] = None,
    ok: Annotated[bool | None, Field(description="Whether it did what it was to do.")] = None,
) -> dict[str, Any]:
    """Keep what you did in an episode, and what came of it."""
    run = memory.resume(episode)
    if advised:
        run.decide(state)
    return shapes.step(run.step(action, state=state, observation=observation, action_type=tool, ok=ok))


def outcome(
    memory: Recollect,
    episode: EpisodeId,
    success: Annotated[bool, Field(description="Whether the goal was reached.")],
    used: Annotated[
        list[str] | None, Field(description="Ids of what you recalled and went by, yours or published.")
    ] = None,
) -> dict[str, Any]:
    """End an episode, so that what led to a success is advised from now on and what failed is not."""
    return shapes.outcome(memory.outcome(episode, success=success, used=used or ()))


def reflect(
    memory: Recollect,
    episode: EpisodeId,
    critique: Annotated[str, Field(description="What went wrong, or could go better, in a sentence.")],
) -> dict[str, Any]:
    """Keep what an episode taught you, so that you are warned at the next try at a similar goal."""
    return memory_value(memory.reflect(episode, critique))


def skills(
    memory: Recollect,
    goal: Annotated[str, Field(description="What you are about to do, in a sentence.", pattern=r"\S")],
    k: Annotated[int, Field(description="At most so many of each.", ge=1, le=20)] = 3,
) -> dict[str, Any]:
    """Ask how things like this were done before: skills with their steps, whole successes, and what was criticised."""
    return {
        "skills": [practice_shapes.skill(one) for one in memory.skills(goal, k)],
        "ways": [practice_shapes.way(one) for one in memory.ways(goal, k)],
        "warnings": [one.text for one in memory.critiques(goal, k)],
    }


def strategy(
    memory: Recollect,
    state: Annotated[
        list[str],
        Field(description="The goal, what was done so far, and what you see now.", min_length=1),
    ],
    task_type: Annotated[str | None, Field(description="The kind of task, such as bugfix.")] = None,
) -> dict[str, Any]:
    """Ask for the whole way that led to success from a situation like this one, step by step."""
    found = memory.strategy_for(state, task_type=task_type)
    return {"stages": [practice_shapes.stage(one) for one in found]}


def tools(
    memory: Recollect,
    task_type: Annotated[str | None, Field(description="Only in tasks of this kind.")] = None,
) -> dict[str, Any]:
    """Ask how often, how well and how fast each tool or type of action did in the tasks that ended."""
    return {"tools": [practice_shapes.tool(one) for one in memory.tools(task_type=task_type)]}


def feedback(
    memory: Recollect,
    memory_ids: Annotated[
        list[str], Field(description="The ids of memories that you recalled.", min_length=1)
    ],
    helpful: Annotated[bool, Field(description="Whether they helped.")],
) -> dict[str, Any]:
    """Say that memories which you recalled helped, or did not, so that better ones come next time."""
    memory.feedback(memory_ids, helpful=helpful)
    return shapes.judged(memory, memory_ids, helpful=helpful)


TOOLS = listed(
    Tool("memory_feedback", "Say what helped", feedback, Right.WRITE),
    Tool("memory_episode", "Begin a task", episode, Right.WRITE),
    Tool("memory_decide", "What worked before", decide, Right.READ, idempotent=True),
    Tool("memory_step", "Keep what was done", step, Right.WRITE),
    Tool("memory_outcome", "End a task", outcome, Right.WRITE),
    Tool("memory_reflect", "Keep a critique", reflect, Right.WRITE),
    Tool("memory_skills", "How it was done before", skills, Right.READ, idempotent=True),
    Tool("memory_strategy", "The way to success", strategy, Right.READ, idempotent=True),
    Tool("memory_tools", "How well tools did", tools, Right.READ, idempotent=True),
)
