"""What practice taught: strategies, skills, tools, ways, critiques, the lens, what comes before what."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from recollect.engine import Recollect
from recollect.exchange.values import memory_value
from recollect.serve import practice_shapes as shapes
from recollect.serve.http import models
from recollect.serve.http import practice_models as of
from recollect.serve.http.routes.learning import EpisodeId
from recollect.serve.http.routes.looking import Named
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["learn"])
Few = Annotated[int, Query(ge=1, le=100)]
Node = Annotated[
    str,
    Query(min_length=1, max_length=1_000, pattern=r"\S", description="An entity's name or id, or tag:NAME."),
]
Asked = Annotated[str, Query(min_length=1, max_length=10_000, pattern=r"\S")]


@verb(router, "POST", "/strategy", right=Right.READ, answers=of.Strategy)
def strategy(memory: Recollect, sent: of.Situated) -> dict[str, Any]:
    """Show the way that led to success from situations like this."""
    found = memory.strategy_for(sent.state, **sent.options("state"))
    return {"stages": [shapes.stage(one) for one in found]}


@verb(router, "POST", "/continuations", right=Right.READ, answers=of.Continuations)
def continuations(memory: Recollect, sent: of.AskedOnward) -> dict[str, Any]:
    """Find similar situations of earlier successes, with what was done before and after each."""
    found = memory.causal_search(sent.state, **sent.options("state"))
    return {"continuations": [shapes.continuation(one) for one in found]}


@verb(router, "POST", "/transitions", right=Right.READ, answers=of.Led)
def transitions(memory: Recollect, sent: of.AskedWhere) -> dict[str, Any]:
    """Tell where an action led from situations like this, what it was rewarded with, and how good their region is."""
    place = sent.options("state", "action")
    return {
        "quality": memory.region_quality(sent.state, **place),
        "reward": memory.mean_reward(sent.state, sent.action, **place),
        "transitions": memory.transitions(sent.state, sent.action, **place),
    }


@verb(router, "GET", "/skills", right=Right.READ, answers=of.Skills)
def skills(memory: Recollect, q: Named = None, k: Few = 10, channel: Named = None) -> dict[str, Any]:
    """List skills, newest first; with a question, the most useful ones for it."""
    return {"skills": [shapes.skill(one) for one in memory.skills(q, k, channel=channel)]}


@verb(router, "POST", "/skills", right=Right.WRITE, answers=of.Skills, slow=True)
def learn_skills(memory: Recollect, sent: of.WantedSkills) -> dict[str, Any]:
    """Make skills of all that succeeded three times in the same order; those that are known are renewed."""
    return {"skills": [shapes.skill(one) for one in memory.learn_skills(channel=sent.channel)]}


@verb(router, "GET", "/tools", right=Right.READ, answers=of.Tools)
def tools(memory: Recollect, task_type: Named = None, channel: Named = None) -> dict[str, Any]:
    """Tell of each type of action how often, how well and how fast it was done."""
    return {"tools": [shapes.tool(one) for one in memory.tools(task_type=task_type, channel=channel)]}


@verb(router, "GET", "/ways", right=Right.READ, answers=of.Ways)
def ways(memory: Recollect, q: Asked, k: Few = 3, channel: Named = None) -> dict[str, Any]:
    """Tell how similar things were done before, by one success of each group."""
    return {"ways": [shapes.way(one) for one in memory.ways(q, k, channel=channel)]}


@verb(router, "POST", "/episodes/{episode_id}/critiques", right=Right.WRITE, answers=models.Memory)
def reflect(memory: Recollect, episode_id: EpisodeId, sent: of.Criticised) -> dict[str, Any]:
    """Keep a critique of an episode: a warning to later tries at similar goals."""
    return memory_value(memory.reflect(episode_id, sent.critique))


@verb(router, "POST", "/contrasts", right=Right.WRITE, answers=of.Lens)
def contrast(memory: Recollect, sent: of.Preferred) -> dict[str, Any]:
    """Say that for a question some memories are better than others; with the lens on, later questions are seen so."""
    memory.contrast(sent.question, better=sent.better, worse=sent.worse)
    return shapes.lens(memory.lens())


@verb(router, "GET", "/lens", right=Right.READ, answers=of.Lens)
def lens(memory: Recollect) -> dict[str, Any]:
    """Tell how the lens of questions stands."""
    return shapes.lens(memory.lens())


@verb(router, "DELETE", "/lens", right=Right.WRITE, answers=of.Lens)
def reset_lens(memory: Recollect) -> dict[str, Any]:
    """Forget every contrast: questions are asked as they are."""
    memory.reset_lens()
    return shapes.lens(memory.lens())


@verb(router, "GET", "/influences", right=Right.READ, answers=of.Influences, slow=True)
def influences(memory: Recollect, channel: Named = None) -> dict[str, Any]:
    """List what comes before what, as it was found last, the surest first."""
    return {"influences": [shapes.influence(one) for one in memory.influences(channel=channel)]}


@verb(router, "POST", "/influences", right=Right.WRITE, answers=of.Influences, slow=True)
def learn_influences(memory: Recollect, sent: of.WantedInfluences) -> dict[str, Any]:
    """Test which of the most named comes before which, in place of what was found before."""
    return {"influences": [shapes.influence(one) for one in memory.learn_influences(**sent.options())]}


@verb(router, "GET", "/influence", right=Right.READ, answers=of.Influence, slow=True)
def influence(
    memory: Recollect,
    cause: Node,
    effect: Node,
    period: of.Period = "day",
    lags: Annotated[int, Query(ge=1, le=of.MOST_LAGS)] = 3,
    channel: Named = None,
) -> dict[str, Any]:
    """Test whether mentions of one come before mentions of another."""
    return shapes.influence(memory.influence(cause, effect, period=period, lags=lags, channel=channel))
