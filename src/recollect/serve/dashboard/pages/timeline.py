"""What was believed when: each memory as a span of the time in which it is true, as the store believed it at a moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from recollect.model import Lane, Memory
from recollect.serve.dashboard import charts
from recollect.serve.dashboard.pages.overview import first_day
from recollect.serve.dashboard.visits import Page, Visit

ROWS, OF_A_TOPIC = 60, 25
ROW = 30
LEAST = 6.0
"""What has only just begun can still be seen."""


@dataclass(frozen=True, slots=True)
class Span:
    """A memory as a bar: from when on it holds, and until when."""

    memory: Memory
    x: float
    width: float
    state: str
    """`holds`, `replaced`, or `over`."""


def show(visit: Visit) -> dict[str, Any]:
    memory, asked = visit.memory, visit.asked
    as_of, channel = asked.moment("as_of"), asked.text("channel")
    reach: dict[str, Any] = {"lanes": (Lane.MEMORY,), "channel": channel, "every_channel": channel is None}
    topic = asked.text("q")
    found = memory.timeline(topic, limit=OF_A_TOPIC if topic else ROWS, as_of=as_of, **reach)
    end = max([as_of or memory.now(), *(one.valid_from for one in found)])
    start = min((one.valid_from for one in found), default=end) - timedelta(hours=1)
    return {
        "q": topic or "",
        "as_of": as_of,
        "first": first_day(memory),
        "now": memory.now(),
        "spans": spans(found, start, end),
        "ticks": charts.ticks(start, end),
        "today": charts.place(as_of or memory.now(), start, end),
        "row": ROW,
    }


def spans(memories: Sequence[Memory], start: datetime, end: datetime) -> list[Span]:
    """A row for each memory, in their order."""
    made = []
    for one in memories:
        begins = charts.place(one.valid_from, start, end)
        ends = charts.place(one.valid_until or end, start, end)
        state = "replaced" if one.superseded_by else "over" if one.valid_until else "holds"
        width = max(ends - begins, LEAST)
        made.append(Span(one, min(begins, charts.WIDTH - width), width, state))
    return made


PAGES = (Page("timeline", "/timeline", "Timeline", show, key="t"),)
