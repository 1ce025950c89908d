"""Try at a goal, and learn from how it ended."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi import Path as InPath

from recollect.engine import Recollect
from recollect.serve import shapes
from recollect.serve.http import accounts, sending
from recollect.serve.http.routes.looking import After, Limit, When, place
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["learn"])
EpisodeId = Annotated[
    str, InPath(min_length=1, max_length=100, description="An id, or its unique beginning.")
]


@verb(router, "POST", "/decide", right=Right.READ, answers=accounts.Advice)
def decide(memory: Recollect, sent: sending.Decide) -> dict[str, Any]:
    """Say what worked in similar situations, and what each action promises.

    In an episode the situation is what is seen: its goal and its last actions are added to it.
    """
    if sent.episode is None:
        return shapes.advice(memory.decide(sent.state, **sent.options("state", "episode")))
    run = memory.resume(sent.episode)
    return shapes.advice(run.decide(sent.state, possible=sent.possible, k=sent.k))


@verb(router, "POST", "/episodes", right=Right.WRITE, answers=accounts.Episode)
def start_episode(memory: Recollect, sent: sending.NewEpisode) -> dict[str, Any]:
    """Start one try at a goal; it stays open until it has an outcome."""
    return shapes.episode(memory.episode(sent.goal, **sent.options("goal")).episode)


@verb(router, "GET", "/episodes", right=Right.READ, answers=accounts.Episodes)
def episodes(
    memory: Recollect,
    ending: Literal["open", "won", "lost"] | None = None,
    since: When = None,
    until: When = None,
    limit: Limit = 50,
    after: After = None,
) -> dict[str, Any]:
    """List episodes page by page, newest first; those that began in a time."""
    begin = place(memory, after)
    found = memory.episodes(ending=ending, limit=limit + 1, after=begin, since=since, until=until)
    shown = found[:limit]
    return {
        "episodes": [shapes.episode(one) for one in shown],
        "next": shown[-1].id if len(found) > limit else None,
    }


@verb(router, "GET", "/episodes/{episode_id}", right=Right.READ, answers=accounts.DetailedEpisode)
def show_episode(memory: Recollect, episode_id: EpisodeId) -> dict[str, Any]:
    """Show one episode with its steps, in order, and what its end taught."""
    found = memory.episode_of(episode_id)
    ended = memory.outcome_of(found.id)
    return shapes.episode(found) | {
        "quality": shapes.quality(memory.quality(found.id)),
        "outcome": None if ended is None else shapes.outcome(ended),
        "steps": [shapes.step(one) for one in memory.trajectory(found.id)],
    }


@verb(router, "POST", "/episodes/{episode_id}/steps", right=Right.WRITE, answers=accounts.EpisodeStep)
def step(memory: Recollect, episode_id: EpisodeId, sent: sending.NewStep) -> dict[str, Any]:
    """Keep what was done in an episode that is open.

    With `advised`, or with `followed`, it counts which of the advice about this situation was followed.
    """
    run = memory.resume(episode_id)
    if sent.advised or sent.followed is not None:
        # Any worker may get this request: the advice is what memory says about the same situation.
        run.decide(sent.state)
    return shapes.step(run.step(**sent.options("advised")))


@verb(router, "POST", "/episodes/{episode_id}/outcome", right=Right.WRITE, answers=accounts.Outcome)
def outcome(memory: Recollect, episode_id: EpisodeId, sent: sending.Ended) -> dict[str, Any]:
    """End an episode, and learn from it."""
    return shapes.outcome(memory.outcome(episode_id, success=sent.success, used=sent.used))


@verb(router, "POST", "/episodes/{episode_id}/undo", right=Right.WRITE, answers=accounts.Episode)
def undo(memory: Recollect, episode_id: EpisodeId) -> dict[str, Any]:
    """Take the outcome of an episode back, as if it had not been; the episode is open again."""
    return shapes.episode(memory.undo(episode_id))
