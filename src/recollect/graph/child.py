"""The process that holds the copy of one user's graph and answers queries; it ends when its parent does.

It is told what to do in lines of JSON on standard input and answers each in one line. Once the graph is loaded it
gives up what queries have no need of: it can open no file, write none, and grow no further than it is told.
"""

import csv
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import ladybug

BATCH = 2_000
POOL_MEGABYTES = 256
"""The least that the engine's own pool has."""
RESERVED = 1 << 32
"""How much the engine may address; without it, it reserves so much that no limit could be set."""

_AT_A_LIMIT = ("Interrupted", "Buffer manager exception")
_RENAMED = (
    (re.compile(r"LABEL\((\w+)\._ID,\[[^\]]*\]\)"), r"label(\1)"),
    (re.compile(r"STRUCT_EXTRACT\((\w+),(\w+)\)"), r"\1.\2"),
    (re.compile(r"COUNT_STAR\(\)"), "count(*)"),
)


class Copy:
    """The graph in the engine, and what may be done with it."""

    def __init__(self, *, seconds: float, megabytes: int, characters: int) -> None:
        pool = max(POOL_MEGABYTES, megabytes // 2) << 20
        self._database = ladybug.Database(
            ":memory:", buffer_pool_size=pool, max_num_threads=1, max_db_size=RESERVED
        )
        self._connection = ladybug.Connection(self._database, num_threads=1)
        self._megabytes = megabytes
        self._characters = characters
        self._milliseconds = int(seconds * 1000)
        self._sealed = False

    def node_table(self, label: str, columns: Mapping[str, str]) -> None:
        told = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        self._connection.execute(f"CREATE NODE TABLE {label}({told}, PRIMARY KEY(id))")

    def link_table(self, type: str, pairs: Sequence[tuple[str, str]], columns: Mapping[str, str]) -> None:
        ends = ", ".join(f"FROM {source} TO {target}" for source, target in pairs)
        told = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        self._connection.execute(f"CREATE REL TABLE {type}({ends}, {told})")

    def add_nodes(self, label: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        if not self._copied(f"COPY {label}", "", rows):
            told = ", ".join(f"{name}: {_value(name, kind)}" for name, kind in columns.items())
            self._each(f"UNWIND $rows AS r CREATE (:{label} {{{told}}})", columns, rows)

    def add_links(
        self, type: str, ends: tuple[str, str], columns: Mapping[str, str], rows: Sequence[Sequence[Any]]
    ) -> None:
        source, target = ends
        pair = f", from='{source}', to='{target}'"
        if not self._copied(f"COPY {type}", pair, [(row[0], row[1], *row) for row in rows]):
            told = ", ".join(f"{name}: {_value(name, kind)}" for name, kind in columns.items())
            self._each(
                f"UNWIND $rows AS r MATCH (a:{source} {{id: r.source}}), (b:{target} {{id: r.target}})"
                f" CREATE (a)-[:{type} {{{told}}}]->(b)",
                columns,
                rows,
            )

    def change_nodes(self, label: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        told = ", ".join(f"n.{name} = {_value(name, kind)}" for name, kind in columns.items() if name != "id")
        self._each(f"UNWIND $rows AS r MATCH (n:{label} {{id: r.id}}) SET {told}", columns, rows)

    def remove_nodes(self, label: str, ids: Sequence[str]) -> None:
        for batch in _batches([{"id": one} for one in ids]):
            self._run(f"UNWIND $rows AS r MATCH (n:{label} {{id: r.id}}) DETACH DELETE n", batch)

    def remove_links(self, type: str, ends: tuple[str, str], pairs: Sequence[Sequence[str]]) -> None:
        source, target = ends
        for batch in _batches([{"source": one, "target": other} for one, other in pairs]):
            self._run(
                f"UNWIND $rows AS r MATCH (:{source} {{id: r.source}})-[e:{type}]->(:{target} {{id: r.target}})"
                " DELETE e",
                batch,
            )

    def seal(self) -> None:
        """Gives up files and further growth, for good; elsewhere than on Linux only the engine's own limits hold."""
        if sys.platform != "linux":
            return
        import resource  # noqa: PLC0415 - there is none on Windows

        # What the engine imports when it first meets a kind of value cannot be opened later.
        for name in ("decimal", "uuid", "inspect", "warnings", "datetime"):
            import_module(name)
        sample = [
            {
                "text": "x",
                "nothing": None,
                "number": 1,
                "part": 0.5,
                "sure": True,
                "at": "2026-01-01 00:00:00",
            }
        ]
        told = "r.text, r.nothing, r.number, r.part, r.sure, timestamp(r.at), interval('1 day'), [r], {a: r.part}"
        _only(self._connection.execute(f"UNWIND $rows AS r RETURN {told}", {"rows": sample})).get_next()
        self._sealed = True
        with Path("/proc/self/statm").open(encoding="ascii") as statm:
            pages = int(statm.read().split()[0])
        most = pages * resource.getpagesize() + (self._megabytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # Nothing can be opened any more; what is open stays so.
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))

    def ask(self, phrased: str, query: str, parameters: Mapping[str, Any], limit: int) -> dict[str, Any]:
        """The rows of a query, at most so many; as it was written where the engine stumbles over how it is phrased."""
        try:
            return self._rows(phrased, parameters, limit)
        except RuntimeError as error:
            if phrased == query or str(error).startswith(_AT_A_LIMIT):
                raise
        return self._rows(query, parameters, limit)

    def _rows(self, query: str, parameters: Mapping[str, Any], limit: int) -> dict[str, Any]:
        """In a transaction that cannot write."""
        self._connection.set_query_timeout(self._milliseconds)
        self._connection.execute("BEGIN TRANSACTION READ ONLY")
        try:
            answer = _only(self._connection.execute(query, dict(parameters)))
            rows: list[list[Any]] = []
            room = self._characters
            while answer.has_next() and len(rows) <= limit:
                rows.append([_told(one) for one in answer.get_next()])
                room -= len(json.dumps(rows[-1]))
                if room < 0:
                    # Whoever asked would have to hold it too.
                    raise ValueError(
                        f"its answer is longer than {self._characters:,} characters: ask for less"
                    )
            columns = [_column(name) for name in answer.get_column_names()]
        finally:
            # A query that fails has ended its transaction already.
            with suppress(RuntimeError):
                self._connection.execute("ROLLBACK")
            self._connection.set_query_timeout(0)
        return {"columns": columns, "rows": rows[:limit], "truncated": len(rows) > limit}

    def _copied(self, into: str, options: str, rows: Sequence[Sequence[Any]]) -> bool:
        """Many rows at once, by way of a file that only this process has and that no disk sees."""
        if self._sealed or len(rows) < BATCH or not hasattr(os, "memfd_create"):
            return False
        number = os.memfd_create("recollect")
        try:
            with open(number, "w", encoding="utf-8", newline="", closefd=False) as file:
                csv.writer(file).writerows(rows)
            source = f"/proc/self/fd/{number}"
            kind = "file_format='csv', parallel=false, header=false, escape='\"'"
            self._connection.execute(f"{into} FROM '{source}' ({kind}{options})")
        finally:
            os.close(number)
        return True

    def _each(self, query: str, columns: Iterable[str], rows: Sequence[Sequence[Any]]) -> None:
        names = list(columns)
        for batch in _batches([dict(zip(names, row, strict=True)) for row in rows]):
            self._run(query, batch)

    def _run(self, query: str, rows: Sequence[Mapping[str, Any]]) -> None:
        self._connection.execute(query, {"rows": list(rows)})


def _only(answer: Any) -> Any:
    """The answer to one query; of several there are as many."""
    if isinstance(answer, list):
        raise TypeError("one query at a time")
    return answer


def _value(name: str, kind: str) -> str:
    return f"timestamp(r.{name})" if kind == "TIMESTAMP" else f"cast(r.{name}, '{kind}')"


def _column(name: str) -> str:
    """As it was written, for what the engine renames."""
    for pattern, put in _RENAMED:
        name = pattern.sub(put, name)
    return name


def _batches(rows: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (rows[at : at + BATCH] for at in range(0, len(rows), BATCH))


def _told(value: Any) -> Any:
    """A value as JSON holds it: a node with its label, a link with its type, a path as both in turns."""
    if isinstance(value, dict):
        return _thing(value)
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    if isinstance(value, datetime | date):
        return value.isoformat() + ("Z" if isinstance(value, datetime) else "")
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _thing(value: Mapping[str, Any]) -> dict[str, Any]:
    if "_NODES" in value:
        nodes, links = ([_told(one) for one in value[part]] for part in ("_NODES", "_RELS"))
        return {"path": {"nodes": nodes, "links": links}}
    own = {name: _told(one) for name, one in value.items() if not name.startswith("_") and one is not None}
    if "_SRC" in value:
        return {"link": value["_LABEL"], **own}
    return {"node": value["_LABEL"], **own} if "_LABEL" in value else own


def serve(told: Iterable[str], answers: IO[str]) -> None:
    """Does what each line says, and answers it."""
    copy: Copy | None = None
    for line in told:
        asked = json.loads(line)
        name, given = asked["do"], asked.get("with", {})
        try:
            if name == "open":
                copy = Copy(**given)
                done: Any = None
            else:
                done = getattr(copy, name)(**given)
            answer = {"done": done}
        except (RuntimeError, ValueError, TypeError, MemoryError, OSError) as error:
            answer = {"problem": str(error) or type(error).__name__}
        answers.write(json.dumps(answer, ensure_ascii=True) + "\n")
        answers.flush()


def main() -> None:
    """`python -m recollect.graph.child`."""
    # What the engine may print must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
