"""Rows on their way from or to another store: the tenant is taken off them, and put before them."""

import json
from collections.abc import Sequence
from typing import Any

from recollect.stores.ledger import LEDGER_COLUMNS
from recollect.stores.parts import FLAGS, LISTS, MARK, PARTS, Part, is_moved
from recollect.stores.postgres.models import SET_META
from recollect.stores.postgres.session import EVERYONE, Session, Sessions
from recollect.stores.rows import Row, json_or_none

USERS = f"""SELECT t.number, t.name, t.created_at, {LEDGER_COLUMNS} FROM tenant t JOIN ledger l ON l.tenant = t.number
WHERE t.number > %s ORDER BY t.number LIMIT %s"""
WHOLE = {"meta", "lineage"}


class Moving:
    """Store's part that gives its rows away and takes others'."""

    _sessions: Sessions

    def size(self, part: str) -> int:
        """How many rows a part has."""
        with self._sessions.reading(EVERYONE) as session:
            return int(session.value(f"SELECT count(*) FROM {'tenant' if part == 'user' else part}"))

    def dump(self, part: str, after: Row | None, limit: int) -> list[Row]:
        """The rows of a part that come after a key, tenant by tenant."""
        known = PARTS[part]
        with self._sessions.reading(EVERYONE) as session:
            if part == "user":
                return session.rows(USERS, (-1 if after is None else after[0], limit))
            if part in WHOLE:
                return _dumped_whole(session, part, after, limit)
            return _dumped(session, part, known, after, limit)

    def load(self, part: str, taken: Sequence[Row], mark: str | None) -> None:
        """Takes rows in, and how far that is, in one transaction."""

        def loaded(session: Session) -> None:
            if part == "user":
                session.executemany(_insertion("tenant", 3), [row[:3] for row in taken])
                session.executemany(_insertion("ledger", 7), [(row[0], *row[3:]) for row in taken])
            elif part == "meta":
                session.executemany(SET_META, taken)
            elif part in WHOLE:
                session.executemany(_insertion(part, len(PARTS[part].columns)), taken)
            else:
                rows = [_owned(PARTS[part], row) for row in taken]
                session.executemany(_insertion(part, len(_own(PARTS[part])) + 1), rows)
            if mark is None:
                session.execute("DELETE FROM meta WHERE name = %s", (MARK,))
            else:
                session.execute(SET_META, (MARK, mark))

        self._sessions.writing(EVERYONE, loaded, lasting=True)

    def mark(self) -> str | None:
        """How far it is filled from another store; None where it is not."""
        with self._sessions.reading(EVERYONE) as session:
            found: str | None = session.value("SELECT value FROM meta WHERE name = %s", (MARK,))
        return found

    def clear(self) -> None:
        """Forgets everything that was moved into it."""

        def cleared(session: Session) -> None:
            for part in PARTS:
                if part == "user":
                    session.execute("DELETE FROM tenant")
                    session.execute("DELETE FROM ledger")
                elif part != "meta":
                    session.execute(f"DELETE FROM {part}")
            session.execute("DELETE FROM meta WHERE name NOT IN ('identity', 'key', 'schema')")

        self._sessions.writing(EVERYONE, cleared, lasting=True)


def _own(part: Part) -> tuple[str, ...]:
    """Its columns here, after the tenant: what is a user's number elsewhere is the tenant."""
    return tuple(name for name in part.columns if name != "user")


def _dumped_whole(session: Session, part: str, after: Row | None, limit: int) -> list[Row]:
    (key,) = PARTS[part].key
    later = "" if after is None else f"WHERE {key} > %(after)s"
    found = session.rows(
        f"SELECT {', '.join(PARTS[part].columns)} FROM {part} {later} ORDER BY {key} LIMIT %(limit)s",
        {"after": None if after is None else after[0], "limit": limit},
    )
    return [row for row in found if is_moved(row[0])] if part == "meta" else found


def _dumped(session: Session, part: str, known: Part, after: Row | None, limit: int) -> list[Row]:
    key = ("tenant", *(name for name in known.key if name != "user"))
    later, bound = "", ()
    if after is not None:
        later = f"WHERE ({', '.join(key)}) > ({', '.join(['%s'] * len(key))})"
        ours = (value for name, value in zip(known.key, after, strict=True) if name != "user")
        bound = (known.tenant(known.key, after), *ours)
    found = session.rows(
        f"SELECT {', '.join('tenant' if name == 'user' else name for name in known.columns)} FROM {part}"
        f" {later} ORDER BY {', '.join(key)} LIMIT %s",
        (*bound, limit),
    )
    special = [place for place, name in enumerate(known.columns) if name in LISTS | FLAGS]
    return [_plain(row, special) for row in found] if special else found


def _plain(row: Row, special: Sequence[int]) -> Row:
    """Lists as JSON, flags as numbers."""
    told = list(row)
    for place in special:
        told[place] = int(row[place]) if isinstance(row[place], bool) else json_or_none(row[place])
    return tuple(told)


def _owned(part: Part, row: Row) -> list[Any]:
    """The row with its tenant before it."""
    told = [_typed(name, value) for name, value in zip(part.columns, row, strict=True) if name != "user"]
    return [part.tenant(part.columns, row), *told]


def _typed(name: str, value: Any) -> Any:
    if name in LISTS:
        return None if value is None else json.loads(value)
    return bool(value) if name in FLAGS else value


def _insertion(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join(['%s'] * columns)}) ON CONFLICT DO NOTHING"
