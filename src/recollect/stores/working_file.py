"""Working memory in a file that the processes of one machine share: gone when whoever made the file removes it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from recollect.errors import InvalidInput
from recollect.ports import Clock
from recollect.short_lived import Desk
from recollect.stores.working import MOST_VALUES, encoded, too_many

WAIT_MILLISECONDS = 10_000
SWEEP_EVERY = 1_000
"""After how many changes what is over is taken out, whoever's it is."""
SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS value (
  desk TEXT, name TEXT, json TEXT, until REAL, PRIMARY KEY (desk, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS listed (
  number INTEGER PRIMARY KEY AUTOINCREMENT, desk TEXT, name TEXT, json TEXT, until REAL
);
CREATE INDEX IF NOT EXISTS listed_by_desk ON listed (desk, name, number);
"""


class FileWorkingStore:
    """The same as in one process, for several; nothing is forced to the disk, because it need not outlive them."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._clock, self._lock, self._changes = clock, threading.Lock(), 0
        self._connection = apsw.Connection(str(path))
        self._connection.set_busy_timeout(WAIT_MILLISECONDS)
        self._rows("PRAGMA synchronous = OFF", ())
        self._rows(SCHEMA, ())

    def put(self, desk: Desk, name: str, value: Any, ttl_seconds: float) -> None:
        text = encoded(value)
        with self._changing() as now:
            own = (_place(desk), now)
            self._rows("DELETE FROM value WHERE desk = ? AND until <= ?", own)
            (count,) = self._rows(
                "SELECT count(*) FROM value WHERE desk = ? AND name <> ?", (own[0], _text(name))
            )[0]
            if count >= MOST_VALUES:
                raise InvalidInput(too_many())
            self._rows(
                "INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?)",
                (own[0], _text(name), text, now + ttl_seconds),
            )

    def get(self, desk: Desk, name: str) -> Any | None:
        return self.values(desk).get(name)

    def delete(self, desk: Desk, name: str) -> None:
        with self._changing():
            self._rows("DELETE FROM value WHERE desk = ? AND name = ?", (_place(desk), _text(name)))

    def values(self, desk: Desk) -> dict[str, Any]:
        asked = "SELECT name, json FROM value WHERE desk = ? AND until > ?"
        with self._lock:
            found = self._rows(asked, (_place(desk), self._now()))
        return {json.loads(name): json.loads(text) for name, text in found}

    def push(self, desk: Desk, name: str, value: Any, *, keep: int, ttl_seconds: float) -> None:
        text = encoded(value)
        with self._changing() as now:
            own = (_place(desk), _text(name))
            self._rows("DELETE FROM listed WHERE desk = ? AND name = ? AND until <= ?", (*own, now))
            # The whole list lives as long as its newest.
            self._rows("UPDATE listed SET until = ? WHERE desk = ? AND name = ?", (now + ttl_seconds, *own))
            self._rows(
                "INSERT INTO listed (desk, name, json, until) VALUES (?, ?, ?, ?)",
                (*own, text, now + ttl_seconds),
            )
            self._rows(
                """DELETE FROM listed WHERE desk = ?1 AND name = ?2 AND number <= (
                     SELECT number FROM listed WHERE desk = ?1 AND name = ?2
                     ORDER BY number DESC LIMIT 1 OFFSET ?3)""",
                (*own, keep),
            )

    def listed(self, desk: Desk, name: str, limit: int) -> list[Any]:
        asked = (
            "SELECT json FROM listed WHERE desk = ? AND name = ? AND until > ? ORDER BY number DESC LIMIT ?"
        )
        with self._lock:
            found = self._rows(asked, (_place(desk), _text(name), self._now(), limit))
        return [json.loads(text) for (text,) in reversed(found)]

    def clear(self, desk: Desk) -> None:
        with self._changing():
            for table in ("value", "listed"):
                self._rows(f"DELETE FROM {table} WHERE desk = ?", (_place(desk),))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _changing(self) -> Iterator[float]:
        """One transaction, with the time that it is; what is over goes now and then."""
        with self._lock:
            self._rows("BEGIN IMMEDIATE", ())
            try:
                now = self._now()
                self._changes += 1
                if self._changes % SWEEP_EVERY == 0:
                    for table in ("value", "listed"):
                        self._rows(f"DELETE FROM {table} WHERE until <= ?", (now,))
                yield now
            except BaseException:
                self._rows("ROLLBACK", ())
                raise
            self._rows("COMMIT", ())

    def _rows(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        return list(self._connection.execute(statement, values))

    def _now(self) -> float:
        return self._clock.now().timestamp()


def _place(desk: Desk) -> str:
    """A conversation in one text that no other has, whatever its names are made of."""
    return json.dumps([desk.user, desk.channel, desk.conversation])


def _text(name: str) -> str:
    """A name as SQLite can hold it: also one with half a character."""
    return json.dumps(name)
