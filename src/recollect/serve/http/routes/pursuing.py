"""Set goals, and say how they stand."""

from typing import Any, Literal

from fastapi import APIRouter

from recollect.engine import Recollect
from recollect.serve import shapes
from recollect.serve.http import accounts, sending
from recollect.serve.http.routes.looking import Id, Named
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["pursue"])


@verb(router, "POST", "/goals", right=Right.WRITE, answers=accounts.Goal)
def add_goal(memory: Recollect, sent: sending.NewGoal) -> dict[str, Any]:
    """Set a goal, on its own or under a larger one."""
    return shapes.goal(memory.add_goal(sent.text, **sent.options("text")))


@verb(router, "GET", "/goals", right=Right.READ, answers=accounts.Goals)
def goals(
    memory: Recollect,
    standing: Literal["active", "blocked", "completed", "abandoned"] | None = None,
    channel: Named = None,
) -> dict[str, Any]:
    """List goals, what is open and matters most first."""
    return {"goals": [shapes.goal(one) for one in memory.goals(standing=standing, channel=channel)]}


@verb(router, "GET", "/goals/{memory_id}", right=Right.READ, answers=accounts.Goal)
def show_goal(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Show one goal as it stands now."""
    return shapes.goal(memory.goal(memory_id))


@verb(router, "POST", "/goals/{memory_id}/end", right=Right.WRITE, answers=accounts.Goal)
def end_goal(memory: Recollect, memory_id: Id, sent: sending.EndedGoal) -> dict[str, Any]:
    """Say that a goal is completed or abandoned, and what came of it; its sub-goals end before it."""
    return shapes.goal(memory.end_goal(memory_id, sent.standing, result=sent.result))


@verb(router, "POST", "/goals/{memory_id}/block", right=Right.WRITE, answers=accounts.Goal)
def block_goal(memory: Recollect, memory_id: Id, sent: sending.BlockedGoal) -> dict[str, Any]:
    """Say what a goal waits for: another goal, or something else in words."""
    return shapes.goal(memory.block_goal(memory_id, **sent.options()))


@verb(router, "POST", "/goals/{memory_id}/resume", right=Right.WRITE, answers=accounts.Goal)
def resume_goal(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Say that nothing stands in a goal's way any more, or take its end back."""
    return shapes.goal(memory.resume_goal(memory_id))
