"""How much is kept, how it grows, and how the service is doing."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.engine import Recollect
from recollect.model import Filter, microseconds
from recollect.serve.dashboard import charts
from recollect.serve.dashboard.visits import Deed, Done, Page, Visit

DAYS = 90
HEIGHT = 160.0
RECENT = 6
TIMED = ("recall", "context", "search", "remember", "remember_many", "observe", "decide")
"""The routes whose times people ask about."""


def show(visit: Visit) -> dict[str, Any]:
    memory = visit.memory
    survey = memory.store.survey(memory.user, Filter(any_session=True))
    now, stats = memory.now(), memory.stats()
    grown = growth(survey.began_at, now)
    line = charts.path(grown, HEIGHT)
    return {
        "stats": stats,
        "bytes": sum(stats["bytes"].values()) + stats["index"]["bytes_on_disk"],
        "is_empty": not (stats["log"] or stats["memory"] or stats["dormant"]),
        "growth": {"line": line, "area": charts.area(line, HEIGHT), "last": grown[-1], "height": HEIGHT},
        "ticks": charts.ticks(now - timedelta(days=DAYS), now, 4),
        "kinds": charts.shares(Counter(survey.kinds.tolist())),
        "tiers": charts.shares(Counter(survey.tiers.tolist())),
        "channels": charts.shares(stats["channels"], 6),
        "speeds": {name: one for name, one in visit.speeds().items() if name in TIMED and one.count},
        "jobs": stats["jobs"],
        "due": memory.due(),
        "goals": [one for one in memory.goals() if one.is_open][:RECENT],
        "recent": memory.list(limit=RECENT),
        "is_on": memory.settings.memory.enabled,
    }


def growth(began_at: NDArray[np.int64], now: datetime, days: int = DAYS) -> list[int]:
    """How many there were at the end of each of the last days."""
    edges = [microseconds(now - timedelta(days=left)) for left in range(days, -1, -1)]
    inside = np.histogram(began_at, bins=np.array(edges))[0].tolist()
    return list(accumulate(inside, initial=int((began_at < edges[0]).sum())))


def remember(visit: Visit) -> Done:
    """Keeps what was written into the form."""
    asked = visit.asked
    kept = visit.memory.remember(
        asked.whole("text"), tags=asked.words("tags"), kind=asked.text("kind") or "note"
    )
    told = {"create": "Kept", "reinforce": "It was known already"}.get(kept.action, kept.reason)
    return Done(told, f"/memories/{kept.id}" if kept.id else "")


def done(visit: Visit) -> Done:
    """Notes that an intention was acted on."""
    visit.memory.done(visit.asked.named["memory_id"])
    return Done("Done", "")


def first_day(memory: Recollect) -> datetime:
    """When the first memory of a user was recorded."""
    first: Sequence[Any] = memory.list(Filter(any_session=True), limit=1, newest_first=False)
    return first[0].recorded_at if first else memory.now()


PAGES = (Page("overview", "", "Overview", show, key="o"),)
DEEDS = (
    Deed("remember", "/remember", remember),
    Deed("done", "/intentions/{memory_id}/done", done),
)
