"""What was formed and from what, as JSON-shaped values: ended sessions, sessions that nobody ended, entities."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from recollect.exchange.values import iso, memory_value

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.write.entities import Entity
    from recollect.write.sessions import Unread


def ended(
    memory: "Recollect", session: str, channel: str | None = None, *, dry_run: bool = False
) -> dict[str, Any]:
    """Ends a session: how many of its turns were read now, what was decided about them, and what it has taught."""
    told = memory.form_session(session, channel=channel, dry_run=dry_run)
    read = [turn for turn in told if turn.id is not None]
    decided = Counter(str(one.action) for turn in read for one in turn.formed)
    taught = memory.taught_by(session, channel=channel)
    return {
        "session": session,
        "channel": memory.channel if channel is None else channel,
        "turns": len(read),
        "statements": dict(sorted(decided.items())),
        "memories": [{"id": one.id, "text": one.text} for one in taught],
    }


def unread(one: "Unread") -> dict[str, Any]:
    """A session with turns that no memories were formed from yet."""
    return {
        "session": one.session,
        "channel": one.channel,
        "turns": one.turns,
        "last_at": iso(one.last_at),
    }


def named(one: "Entity") -> dict[str, Any]:
    """Who or what it is, and how many memories name it."""
    return _entity(one) | {"memories": len(one.memories)}


def entity(one: "Entity") -> dict[str, Any]:
    """All that is known about somebody or something."""
    relations = [
        {
            "source": r.source,
            "type": r.type,
            "target": r.target,
            "attribute": r.attribute,
            "memory": r.memory,
        }
        for r in one.relations
    ]
    return _entity(one) | {
        "relations": relations,
        "near": [{"id": other, "steps": steps} for other, steps in one.near],
        "memories": [memory_value(memory) for memory in one.memories],
    }


def _entity(one: "Entity") -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "name": one.name,
        "aliases": list(one.aliases),
        "salience": round(one.salience, 4),
    }
