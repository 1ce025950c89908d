"""Questions to the graph in Cypher, answered by a copy in a process of its own that can only read and can be ended."""

import json
import os
import select
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from recollect.errors import InvalidInput, MissingExtra, StoreBusy
from recollect.graph.following import Followed
from recollect.graph.growing import Difference, difference
from recollect.graph.guard import reading_only
from recollect.graph.phrasing import phrased
from recollect.graph.shape import COLUMNS, ENTITY, LABELS, LINKED, MEMORY, NAMED, TAG, Pair, Rows
from recollect.relations import EDGE_TYPES

MOST_ROWS: Final = 10_000
MOST_CHARACTERS: Final = 16_000_000
"""So long an answer is at most: whoever asked has to hold it, and is not limited as the other process is."""
GRACE_SECONDS: Final = 3.0
"""So much longer than its limit a query may take before its process is ended."""
LOADING_SECONDS: Final = 600.0
MOST_RUNNING: Final = 4
SENT_AT_ONCE: Final = 20_000
SEEN: Final = ("PATH", "PYTHONPATH", "LANG", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""What of the environment the other process sees: no key, no address of a store."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take."""

    seconds: float = 5.0
    megabytes: int = 1_024


@dataclass(frozen=True, slots=True)
class Table:
    """What a query gives: columns, rows, and whether there were more."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    elapsed_ms: float


class CypherCopy:
    """A copy of one user's graph in another process; made anew whenever that is gone."""

    def __init__(self, limits: Limits, followed: Callable[[], Followed]) -> None:
        if find_spec("ladybug") is None:
            raise MissingExtra("Cypher needs an engine: install it with `pip install 'recollect[cypher]'`")
        self.limits = limits
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ending: weakref.finalize[Any, Any] | None = None
        """Ends the other process with this copy, for an engine that nobody closes: a service lets go of idle ones."""
        self._left = b""
        self._held = Rows({}, {})
        self._tables: set[Pair] = set()
        self._seen = 0
        self._follows, self._source = followed, followed()

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def ask(self, query: str, parameters: Mapping[str, Any], limit: int) -> Table:
        """The rows of a query that only reads, over the graph as it is now."""
        asked = reading_only(query)
        if not 1 <= limit <= MOST_ROWS:
            raise InvalidInput(f"the limit lies between 1 and {MOST_ROWS:,} rows, not {limit}")
        with self._lock:
            self._follow()
            began = time.perf_counter()
            answer = self._do(
                "ask",
                self.limits.seconds + GRACE_SECONDS,
                phrased=phrased(asked),
                query=asked,
                parameters=dict(parameters),
                limit=limit,
            )
        elapsed_ms = (time.perf_counter() - began) * 1e3
        return Table(
            tuple(answer["columns"]), tuple(map(tuple, answer["rows"])), answer["truncated"], elapsed_ms
        )

    def end(self) -> None:
        """Ends the other process once it has answered; nothing of the graph is left."""
        with self._lock:
            self.close()

    def close(self) -> None:
        """Ends the other process at once, and forgets what was read."""
        self._stop()
        self._source = self._follows()

    def _stop(self) -> None:
        self._process, self._held, self._left = None, Rows({}, {}), b""
        _RUNNING.discard(self)
        if self._ending is not None:
            self._ending()

    def _follow(self) -> None:
        """Brings the copy to what the store holds, by what has changed since it was brought there last."""
        told = self._source.news(self._seen if self.is_running else None)
        if told is None:
            return
        # A type between labels that it never was between before needs another table.
        if self.is_running and told.rows.links.keys() <= self._tables:
            self._change(told.difference or difference(self._held, told.rows))
        else:
            self._load(told.rows)
        self._held, self._seen = told.rows, told.sequence

    def _load(self, rows: Rows) -> None:
        self._stop()
        _make_room()
        _RUNNING.add(self)
        environment = {name: os.environ[name] for name in SEEN if name in os.environ}
        self._process = subprocess.Popen(
            # Without the folder that it is started in, which may hold anybody's modules.
            [sys.executable, "-P", "-m", "recollect.graph.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._ending = weakref.finalize(self, _ended, self._process)
        limits = self.limits
        self._make("open", seconds=limits.seconds, megabytes=limits.megabytes, characters=MOST_CHARACTERS)
        for label in LABELS:
            self._make("node_table", label=label, columns=_columns(label))
        self._tables = {*rows.links, *map(_usual, EDGE_TYPES)}
        for type_ in EDGE_TYPES:
            pairs = sorted((pair.source, pair.target) for pair in self._tables if pair.type == type_)
            self._make("link_table", type=type_, pairs=pairs, columns=dict(LINKED))
        for label, nodes in rows.nodes.items():
            self._add_nodes(label, list(nodes.values()))
        for pair, links in rows.links.items():
            self._add_links(pair, list(links.values()))
        self._make("seal")

    def _change(self, told: Difference) -> None:
        for pair, apart in told.unlinked.items():
            ends = [pair.source, pair.target]
            self._in_parts("remove_links", "pairs", apart, type=pair.type, ends=ends)
        for label, ids in told.removed.items():
            self._in_parts("remove_nodes", "ids", ids, label=label)
        for label, rows in told.changed.items():
            self._in_parts("change_nodes", "rows", rows, label=label, columns=_columns(label))
        for label, rows in told.added.items():
            self._add_nodes(label, rows)
        for pair, rows in told.linked.items():
            self._add_links(pair, rows)

    def _add_nodes(self, label: str, rows: Sequence[Sequence[Any]]) -> None:
        self._in_parts("add_nodes", "rows", rows, label=label, columns=_columns(label))

    def _add_links(self, pair: Pair, rows: Sequence[Sequence[Any]]) -> None:
        self._in_parts(
            "add_links", "rows", rows, type=pair.type, ends=[pair.source, pair.target], columns=dict(LINKED)
        )

    def _in_parts(self, name: str, what: str, rows: Sequence[Any], /, **given: Any) -> None:
        for at in range(0, len(rows), SENT_AT_ONCE):
            self._make(name, **given, **{what: rows[at : at + SENT_AT_ONCE]})

    def _make(self, name: str, /, **given: Any) -> None:
        try:
            self._do(name, LOADING_SECONDS, **given)
        except InvalidInput as error:
            self.close()
            raise StoreBusy(f"the copy of the graph could not be made ({error}): ask again") from error

    def _do(self, name: str, patience: float, /, **given: Any) -> Any:
        """Has the other process do something; one that does not answer in time is ended."""
        if self._process is None or self._process.stdin is None:
            raise StoreBusy("the copy of the graph is gone: ask again")
        try:
            self._process.stdin.write(json.dumps({"do": name, "with": given}).encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._line(patience))
        except (BrokenPipeError, EOFError):
            self.close()
            raise InvalidInput(
                f"the query was ended: it needs more than {self.limits.megabytes} MB; ask for less"
            ) from None
        except TimeoutError:
            self.close()
            raise InvalidInput(self._too_long()) from None
        if "problem" in answer:
            problem = answer["problem"]
            raise InvalidInput(self._too_long() if problem.startswith("Interrupted") else _plain(problem))
        return answer["done"]

    def _line(self, seconds: float) -> bytes:
        """The next line of the other process."""
        assert self._process is not None  # noqa: S101 - whoever asks has started it
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        number, until = self._process.stdout.fileno(), time.monotonic() + seconds
        parts, room = [self._left], 2 * MOST_CHARACTERS
        while b"\n" not in parts[-1]:
            ready, _, _ = select.select([number], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            part = os.read(number, 1 << 20)
            room -= len(part)
            if not part or room < 0:
                raise EOFError
            parts.append(part)
        line, _, self._left = b"".join(parts).partition(b"\n")
        return line

    def _too_long(self) -> str:
        return f"the query was stopped after {self.limits.seconds:g} s: ask for less, or raise graph.cypher_seconds"


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


_RUNNING: weakref.WeakSet[CypherCopy] = weakref.WeakSet()
"""The copies of this process: of many users only the last few stay, so that the machine is not filled with them."""


def _make_room() -> None:
    for other in list(_RUNNING)[: max(0, len(_RUNNING) - MOST_RUNNING + 1)]:
        # One that is answering is left alone.
        if other._lock.acquire(blocking=False):  # noqa: SLF001 - of the same class
            try:
                other.close()
            finally:
                other._lock.release()  # noqa: SLF001


def _columns(label: str) -> dict[str, str]:
    return dict(NAMED if label in (ENTITY, TAG) else COLUMNS)


def _usual(type_: str) -> Pair:
    """Between which labels a type usually is, so that it can be asked for before anything is related by it."""
    return Pair(type_, MEMORY, {"has_tag": TAG, "mentions": ENTITY, "about": ENTITY}.get(type_, MEMORY))


def _plain(problem: str) -> str:
    """What the engine says, without what it calls the kind of it."""
    if "Buffer manager" in problem or "bad_alloc" in problem:
        return "the query needs more memory than it may have: ask for less, or raise graph.cypher_megabytes"
    return f"the query cannot be answered: {problem.rpartition('exception: ')[2]}"
