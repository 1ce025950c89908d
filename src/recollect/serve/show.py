"""Memories as text for a person: dates and validity with each, ids dimmed, nothing that could drive a terminal."""

import re
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.language.validity import validity
from recollect.model import Counters, Edge, Lane, Memory, State

CLIPPED = 1_000
"""Characters of a text that a list shows; `show` has all of it."""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    r"""The text with its control characters made visible, so that no memory can drive a terminal.

    >>> plain("a" + chr(27) + "[2J")
    'a\\x1b[2J'
    """
    return CONTROL.sub(lambda found: ascii(found[0])[1:-1], text.replace("\r\n", "\n"))


def listed(memories: Sequence[Memory], *, empty: str) -> RenderableType:
    """One after the other."""
    return Group(*(entry(memory) for memory in memories)) if memories else Text(empty, style="dim")


def entry(memory: Memory, holds: str | None = None) -> Text:
    """A memory's text and, under it, since when it holds, where it is and its id."""
    return Text.assemble(plain(clipped(memory.text)), "\n", about(memory, holds))


def about(memory: Memory, holds: str | None = None) -> Text:
    """The line under a text; since when it holds, as a hit tells it or by its version alone."""
    marks = [mark for mark in _marks(memory) if mark]
    told = plain(" · ".join([holds or validity(memory), *marks]))
    return Text.assemble((told, "cyan"), "  ", (memory.id, "dim"))


def clipped(text: str) -> str:
    """The beginning of a long text, and how long it is."""
    if len(text) <= CLIPPED:
        return text
    return f"{text[:CLIPPED]}… ({len(text):,} characters)"


def detail(memory: Memory, counters: Counters, edges: Iterable[Edge]) -> RenderableType:
    """All that is known about one memory."""
    origin = memory.origin
    rows = {
        "id": memory.id,
        "holds": validity(memory),
        "recorded": f"{memory.recorded_at.isoformat()} (version {memory.version})",
        "kind": f"{memory.kind}, {memory.lane} lane, {memory.state}",
        "channel": f"{memory.channel} ({memory.scope})",
        "tags": " ".join(f"#{tag}" for tag in memory.tags),
        "protected": ", ".join(_protection(memory)),
        "weight": f"confidence {memory.confidence:g}, importance {memory.importance:g}",
        "said by": " ".join(filter(None, (origin.speaker, origin.role and f"({origin.role})"))),
        "session": origin.session,
        "run": origin.run,
        "actor": origin.actor,
        "event": origin.event_type,
        "written by": f"{origin.write_source}, from {origin.data_source}",
        "reason": origin.reason,
        "sources": ", ".join(origin.sources),
        "metadata": str(dict(memory.metadata)) if memory.metadata else "",
        "used": _used(counters),
        "edges": "\n".join(edge(one) for one in edges),
    }
    return Group(Text(plain(memory.text)), Text(), pairs(rows))


def pairs(rows: "dict[str, str | None]") -> Table:
    """Names and values, without those that say nothing."""
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        if value:
            table.add_row(Text(name, style="dim"), Text(plain(value)))
    return table


def edge(one: Edge) -> str:
    """A relation in a line."""
    because = f" ({one.reason})" if one.reason else ""
    return f"{one.source} {one.type} {one.target}, weight {one.weight:g}{because}"


def version(memory: Memory) -> Text:
    """One version of a memory, with when it was believed."""
    until = "now" if memory.retired_at is None else f"{memory.retired_at:%Y-%m-%d %H:%M:%S}"
    when = f"v{memory.version}  {memory.recorded_at:%Y-%m-%d %H:%M:%S} – {until}\n"
    return Text.assemble((when, "bold"), entry(memory))


def _marks(memory: Memory) -> Iterable[str]:
    yield memory.kind
    yield "" if memory.channel == "_global" else memory.channel
    yield " ".join(f"#{tag}" for tag in memory.tags)
    yield from _protection(memory)
    yield "" if memory.state is State.ACTIVE else str(memory.state)
    yield f"session {memory.origin.session}" if memory.lane is Lane.LOG and memory.origin.session else ""


def _protection(memory: Memory) -> list[str]:
    return ["pinned"] * memory.pinned + ["immutable"] * memory.immutable


def _used(counters: Counters) -> str:
    if counters.last_accessed_at is None:
        return "never recalled"
    return f"recalled {counters.access_count}×, last {counters.last_accessed_at.isoformat()}"
