"""Asking SQLite: rows, one value, pairs."""

from collections.abc import Iterator
from typing import Any

import apsw

from recollect.stores.rows import Row

Bound = dict[str, Any] | tuple[Any, ...]

MEMORY_TABLES = "version v JOIN content c ON c.number = v.content JOIN node n ON n.number = v.node"


def rows(connection: apsw.Connection, query: str, bound: Bound = ()) -> list[Row]:
    """Every row of a query."""
    try:
        return connection.execute(query, bound).fetchall()
    except UnicodeDecodeError as error:
        raise apsw.CorruptError("it holds a text that is not UTF-8") from error


def each(connection: apsw.Connection, query: str, bound: Bound = ()) -> Iterator[Row]:
    """The rows of a query, one at a time."""
    try:
        yield from connection.execute(query, bound)
    except UnicodeDecodeError as error:
        raise apsw.CorruptError("it holds a text that is not UTF-8") from error


def value(connection: apsw.Connection, query: str, bound: Bound = ()) -> Any:
    """The one value that a query gives, or None."""
    found = rows(connection, query, bound)
    return found[0][0] if found else None


def pairs(connection: apsw.Connection, query: str, bound: Bound = ()) -> dict[str, Any]:
    """The rows of a query of names and values."""
    return {name: found for name, found in rows(connection, query, bound)}  # noqa: C416 - mypy knows no dict of rows


def user_number(connection: apsw.Connection, name: str) -> int | None:
    """The number of a user who has written before."""
    number: int | None = value(connection, "SELECT number FROM user WHERE name = ?", (name,))
    return number
