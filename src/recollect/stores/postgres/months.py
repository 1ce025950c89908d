"""The audit's partitions: one a month, made ahead, and dropped whole when nobody keeps what is in them.

What no month is there for lies in the default partition, so that a note never fails for want of one.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from recollect.model import microseconds
from recollect.stores.postgres.migrations import lock_number
from recollect.stores.postgres.models import SET_META
from recollect.stores.postgres.session import Session

AHEAD = 2
"""So many months after the present one have their partition already."""
LOCK_SECONDS = 5.0
MARK = "audit_day"
"""The name in `meta` of the day on which the partitions were last looked after."""
POLICY = "SELECT pg_get_expr(polqual, polrelid) FROM pg_policy WHERE polrelid = 'audit'::regclass"
MONTHS = """SELECT child.relname FROM pg_inherits i JOIN pg_class child ON child.oid = i.inhrelid
WHERE i.inhparent = 'audit'::regclass AND child.relname ~ '^audit_[0-9]{6}$' ORDER BY 1"""


def prepared(session: Session, at: datetime) -> bool:
    """Whether somebody has looked after the partitions today."""
    return bool(session.value("SELECT 1 FROM meta WHERE name = %s AND value >= %s", (MARK, _day(at))))


def upkeep(session: Session, schema: str, at: datetime, oldest: datetime | None) -> None:
    """Makes this month and the next ones, and drops months that nobody keeps anything of; once a day.

    A role that does not own the table leaves both: everything is kept and removed as well, only less quickly.
    """
    session.execute("SELECT pg_advisory_xact_lock(%s)", (lock_number("audit", schema),))
    owns = session.value("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'audit'::regclass")
    if prepared(session, at):
        return
    if owns:
        # Who reads for long must not hold up everybody else behind this.
        session.execute(f"SET LOCAL lock_timeout = {int(LOCK_SECONDS * 1_000)}")
        there = [str(name) for (name,) in session.rows(MONTHS)]
        for first, end in _coming(at):
            if _name(first) not in there:
                _make(session, first, end)
        for name in there:
            over = _next(_first(name))
            nobodys = oldest is not None and over <= oldest
            if over <= at and (nobodys or _is_empty(session, name)):
                session.execute(f"DROP TABLE {name}")
    session.execute(SET_META, (MARK, _day(at)))


def holding(session: Session, moments: Sequence[datetime]) -> list[str]:
    """The partitions in which what was read at these moments lies."""
    there = {str(name) for (name,) in session.rows(MONTHS)} if moments else set()
    return sorted({name if (name := _name(at)) in there else "audit_default" for at in moments})


def _make(session: Session, first: datetime, end: datetime) -> None:
    """A month's partition, with what of it lies in the default one."""
    name, span = _name(first), (microseconds(first), microseconds(end))
    session.execute("LOCK TABLE audit_default IN ACCESS EXCLUSIVE MODE")
    session.execute(f"CREATE TABLE {name} (LIKE audit INCLUDING ALL)")
    session.execute(f"INSERT INTO {name} SELECT * FROM audit_default WHERE at >= %s AND at < %s", span)
    session.execute("DELETE FROM audit_default WHERE at >= %s AND at < %s", span)
    session.execute(f"ALTER TABLE audit ATTACH PARTITION {name} FOR VALUES FROM ({span[0]}) TO ({span[1]})")
    session.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
    session.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
    session.execute(f"CREATE POLICY tenant_alone ON {name} USING ({session.value(POLICY)})")


def _is_empty(session: Session, name: str) -> bool:
    return session.value(f"SELECT 1 FROM {name} LIMIT 1") is None


def _coming(at: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The present month and the next ones, each from its first moment to that of the one after it."""
    first = datetime(at.year, at.month, 1, tzinfo=UTC)
    for _ in range(1 + AHEAD):
        yield first, _next(first)
        first = _next(first)


def _next(first: datetime) -> datetime:
    return first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)


def _name(first: datetime) -> str:
    return f"audit_{first:%Y%m}"


def _first(name: str) -> datetime:
    """The first moment of a month's partition.

    >>> _first("audit_202612"), _next(_first("audit_202612"))
    (datetime.datetime(2026, 12, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2027, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))
    """
    digits = name.removeprefix("audit_")
    return datetime(int(digits[:4]), int(digits[4:]), 1, tzinfo=UTC)


def _day(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d}"
