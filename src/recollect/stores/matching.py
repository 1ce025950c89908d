"""Whether one version satisfies a filter: the meaning of `Filter`, in plain Python."""

from recollect.model import Filter, Memory, Scope


def matches(where: Filter, memory: Memory) -> bool:
    """Every given condition holds."""
    m = memory
    return (
        _in_time(where, m)
        and (where.channels is None or m.channel in where.channels)
        and (where.lanes is None or m.lane in where.lanes)
        and (where.kinds is None or m.kind in where.kinds)
        and m.state in where.states
        and (where.scopes is None or m.scope in where.scopes)
        and (
            where.any_session or m.scope != Scope.SESSION or m.origin.session in (None, where.visible_session)
        )
        and (where.ids is None or m.id in where.ids)
        and set(where.tags) <= set(m.tags)
        and all(wanted is None or wanted == getattr(m.origin, name) for name, wanted in _provenance(where))
        and (
            where.event_type_prefix is None or (m.origin.event_type or "").startswith(where.event_type_prefix)
        )
        and (where.event_type_prefix is None or m.origin.event_type is not None)
        and (where.pinned is None or m.pinned == where.pinned)
        and (where.min_confidence is None or m.confidence >= where.min_confidence)
    )


def _in_time(where: Filter, m: Memory) -> bool:
    if where.as_of is None:
        believed = m.retired_at is None
    else:
        believed = m.recorded_at <= where.as_of and (m.retired_at is None or m.retired_at > where.as_of)
    return (
        believed
        and (
            where.valid_at is None
            or (m.valid_from <= where.valid_at and (m.valid_until is None or m.valid_until > where.valid_at))
        )
        and (where.unexpired_at is None or m.valid_until is None or m.valid_until > where.unexpired_at)
        and (where.since is None or m.valid_from >= where.since)
        and (where.until is None or m.valid_from < where.until)
    )


def _provenance(where: Filter) -> tuple[tuple[str, str | None], ...]:
    return ("session", where.session), ("run", where.run), ("actor", where.actor), ("role", where.role)
