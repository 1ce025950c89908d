"""What the verbs of practice give, as JSON has it: the same in the shell, over HTTP and over MCP."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from recollect.serve import shapes

if TYPE_CHECKING:
    from recollect.learn.contrasts import LensState
    from recollect.learn.influences import Influence
    from recollect.learn.lessons import GnnState
    from recollect.learn.searching import Continuation
    from recollect.learn.values import Skill, Stage, Tool, Way


def stage(one: "Stage") -> dict[str, Any]:
    return asdict(one)


def skill(one: "Skill") -> dict[str, Any]:
    return {
        "id": one.id,
        "goal": one.goal,
        "steps": list(one.steps),
        "parameters": {name: list(values) for name, values in one.parameters.items()},
        "episodes": list(one.episodes),
        "wins": one.wins,
        "losses": one.losses,
        "seconds": one.seconds,
    }


def tool(one: "Tool") -> dict[str, Any]:
    return asdict(one)


def way(one: "Way") -> dict[str, Any]:
    return {**asdict(one), "actions": list(one.actions)}


def continuation(one: "Continuation") -> dict[str, Any]:
    return {
        "precedent": shapes.precedent(one.precedent),
        "before": [shapes.step(step) for step in one.before],
        "after": [shapes.step(step) for step in one.after],
    }


def lens(one: "LensState") -> dict[str, Any]:
    return asdict(one)


def gnn(one: "GnnState") -> dict[str, Any]:
    return {**asdict(one), "versions": list(one.versions)}


def influence(one: "Influence") -> dict[str, Any]:
    return asdict(one)
