"""A filter as SQL: constant fragments, every value bound."""

from typing import Any

import apsw

from recollect.model import Filter, microseconds

Fragments = tuple[str, dict[str, Any]]


def where_sql(where: Filter) -> Fragments:
    """Conditions on `v` (version) and `c` (content), starting with AND, and their bindings."""
    parts, bound = _in_time(where)
    for name, column, values in (
        ("channels", "v.channel", where.channels),
        ("lanes", "v.lane", where.lanes),
        ("kinds", "v.kind", where.kinds),
        ("states", "v.state", where.states),
        ("scopes", "v.scope", where.scopes),
    ):
        if values is not None:
            parts.append(f"{column} IN carray(:{name})")
            bound[name] = apsw.carray(tuple(str(v) for v in values))
    if not where.any_session:
        parts.append("(v.only_session IS NULL OR v.only_session = :visible_session)")
        bound["visible_session"] = where.visible_session
    for name in ("session", "run", "actor", "role"):
        if getattr(where, name) is not None:
            parts.append(f"c.{name} = :{name}")
            bound[name] = getattr(where, name)
    if where.event_type_prefix is not None:
        parts.append("c.event_type >= :event AND substr(c.event_type, 1, length(:event)) = :event")
        bound["event"] = where.event_type_prefix
    if where.pinned is not None:
        parts.append("v.pinned = :pinned")
        bound["pinned"] = int(where.pinned)
    if where.min_confidence is not None:
        parts.append("v.confidence >= :min_confidence")
        bound["min_confidence"] = where.min_confidence
    for index, tag in enumerate(where.tags):
        # Past versions keep their tags as JSON; current ones have an index of their own.
        if where.as_of is None:
            parts.append(f"EXISTS (SELECT 1 FROM tag WHERE name = :tag{index} AND content = v.content)")
        else:
            parts.append(f"EXISTS (SELECT 1 FROM json_each(v.tags) WHERE value = :tag{index})")
        bound[f"tag{index}"] = tag
    return "".join(f" AND {part}" for part in parts), bound


def _in_time(where: Filter) -> tuple[list[str], dict[str, Any]]:
    parts: list[str] = []
    bound: dict[str, Any] = {}
    if where.as_of is None:
        parts.append("v.retired_at IS NULL")
    else:
        parts.append("v.recorded_at <= :as_of AND (v.retired_at IS NULL OR v.retired_at > :as_of)")
        bound["as_of"] = microseconds(where.as_of)
    if where.valid_at is not None:
        parts.append("v.valid_from <= :valid_at AND (v.valid_until IS NULL OR v.valid_until > :valid_at)")
        bound["valid_at"] = microseconds(where.valid_at)
    if where.unexpired_at is not None:
        parts.append("(v.valid_until IS NULL OR v.valid_until > :unexpired_at)")
        bound["unexpired_at"] = microseconds(where.unexpired_at)
    if where.since is not None:
        parts.append("v.valid_from >= :since")
        bound["since"] = microseconds(where.since)
    if where.until is not None:
        parts.append("v.valid_from < :until")
        bound["until"] = microseconds(where.until)
    return parts, bound


def reads_content(where: Filter) -> bool:
    """Whether the conditions look at `c`, so that a query without them can leave the join out."""
    return any(v is not None for v in (where.session, where.run, where.actor, where.role, where.event_type_prefix))
