"""Rows on their way from or to another store."""

from collections.abc import Sequence
from typing import Any

from recollect.stores.parts import MARK, PARTS, is_moved
from recollect.stores.rows import Row
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import rows, value


class Moving:
    """Store's part that gives its rows away and takes others'."""

    _connections: Connections

    def size(self, part: str) -> int:
        """How many rows a part has."""
        with self._connections.reading() as connection:
            return int(value(connection, f"SELECT count(*) FROM {part}"))

    def dump(self, part: str, after: Row | None, limit: int) -> list[Row]:
        """The rows of a part that come after a key, in the order of keys."""
        known = PARTS[part]
        key, marks = ", ".join(known.key), ", ".join("?" for _ in known.key)
        later = "" if after is None else f"WHERE ({key}) > ({marks})"
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {', '.join(known.columns)} FROM {part} {later} ORDER BY {key} LIMIT ?",
                (*(after or ()), limit),
            )
        return [(name, _said(held)) for name, held in found if is_moved(name)] if part == "meta" else found

    def load(self, part: str, taken: Sequence[Row], mark: str | None) -> None:
        """Takes rows in, and how far that is, in one transaction."""
        with self._connections.writing() as connection:
            if part == "meta":
                taken = [(name, _meant(name, held)) for name, held in taken]
            places = ", ".join("?" for _ in PARTS[part].columns)
            columns = ", ".join(PARTS[part].columns)
            connection.executemany(f"INSERT OR REPLACE INTO {part} ({columns}) VALUES ({places})", taken)
            if mark is None:
                connection.execute("DELETE FROM meta WHERE name = ?", (MARK,))
            else:
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARK, mark))

    def mark(self) -> str | None:
        """How far it is filled from another store; None where it is not."""
        with self._connections.reading() as connection:
            found: str | None = value(connection, "SELECT value FROM meta WHERE name = ?", (MARK,))
        return found

    def clear(self) -> None:
        """Forgets everything that was moved into it."""
        with self._connections.writing() as connection:
            for part in PARTS:
                if part != "meta":
                    connection.execute(f"DELETE FROM {part}")
            connection.execute("DELETE FROM meta WHERE name NOT IN ('identity', 'key')")


def _said(held: Any) -> str:
    return held.hex() if isinstance(held, bytes) else str(held)


def _meant(name: str, said: str) -> Any:
    if name == "key":
        return bytes.fromhex(said)
    return int(said) if name.endswith("dimension") else said
