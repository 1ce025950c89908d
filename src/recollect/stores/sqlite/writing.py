"""The one write transaction: versions, texts, edges and their link in the chain, all or nothing."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

import apsw

from recollect.errors import Conflict, NotFound
from recollect.formulas import chain
from recollect.model import KEYED, Memory, Scope, microseconds
from recollect.ports import Change, Changes, NewText, Written
from recollect.stores.changes import applied, check_model, happened, refusable, retold, vector_bytes
from recollect.stores.rows import MEMORY_COLUMNS, json_or_none, memory_from, version_values
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.edges import relate, reweigh, unlink
from recollect.stores.sqlite.ledger import Ledger
from recollect.stores.sqlite.records import count, keep, learn, removed
from recollect.stores.sqlite.rows import MEMORY_TABLES, pairs, rows, user_number, value


class Writing:
    """Store's writing part."""

    _connections: Connections
    _key: bytes

    def write(self, user: str, changes: Changes) -> list[Written]:
        with self._connections.writing(hurried=changes.hurried) as connection:
            ledger = Ledger(connection, user, self._key, microseconds(changes.at))
            self._check_model(connection, changes)
            written, edges = applied(changes, lambda change: self._apply(ledger, change))
            added = [edge for edge in edges if relate(ledger, edge)]
            for edge in changes.reweighed:
                reweigh(ledger, edge)
            for edge in changes.unlinked:
                unlink(ledger, edge)
            learn(ledger, changes.counters)
            count(connection, ledger.user, changes.accesses)
            keep(ledger, (*happened(changes, added, partial(removed, ledger)), *changes.records))
            if ledger.digests or not refusable(changes):
                ledger.seal(changes.operation, changes.detail)
            return written

    def touch(self, user: str, accesses: Mapping[str, tuple[int, datetime]]) -> bool:
        with self._connections.counting() as connection:
            if connection is None:
                return False
            count(connection, user_number(connection, user), accesses)
            return True

    def set_settings(self, user: str, values: Mapping[str, Any], at: datetime) -> None:
        with self._connections.writing() as connection:
            ledger = Ledger(connection, user, self._key, microseconds(at))
            for name, chosen in values.items():
                if chosen is None:
                    connection.execute("DELETE FROM setting WHERE user = ? AND name = ?", (ledger.user, name))
                else:
                    connection.execute(
                        "INSERT OR REPLACE INTO setting VALUES (?, ?, ?)",
                        (ledger.user, name, json.dumps(chosen, ensure_ascii=False)),
                    )
            ledger.seal("config", dict(values))

    def _check_model(self, connection: apsw.Connection, changes: Changes) -> None:
        size = vector_bytes(changes)
        if changes.model is None:
            return
        known = pairs(connection, "SELECT name, value FROM meta WHERE name IN ('model', 'dimension')")
        if not known and size is not None:
            connection.execute(
                "INSERT INTO meta VALUES ('model', ?), ('dimension', ?)", (changes.model, size // 2)
            )
        elif known:
            check_model(changes, size, known["model"], known["dimension"])

    def _apply(self, ledger: Ledger, change: Change) -> Written:
        memory, connection = change.memory, ledger.connection
        if memory.retired_at is not None:
            memory = replace(memory, retired_at=None)
        mark = b""
        if change.new is not None:
            mark = chain.fingerprint(self._key, ledger.user, memory.text)
            refusal = _refusal(connection, mark, change)
            if refusal is not None:
                return refusal
        node, past = self._previous(ledger, memory)
        if change.new is None:
            memory = retold(memory, past)
            digest = value(connection, "SELECT digest FROM content WHERE number = ?", (memory.content,))
        else:
            digest = _add_content(ledger, node, memory, change.new, mark)
            memory = replace(memory, content=ledger.content)
        past_content = None if past is None or past.content == memory.content else past.content
        if past is not None and (past_content is not None or set(memory.tags) != set(past.tags)):
            connection.executemany(
                "DELETE FROM tag WHERE name = ? AND content = ?", [(tag, past.content) for tag in past.tags]
            )
        if memory.tags:
            connection.executemany(
                "INSERT OR IGNORE INTO tag VALUES (?, ?)", [(tag, memory.content) for tag in memory.tags]
            )
        add_version(ledger, node, memory, digest, past_content)
        return Written(memory.id)

    def _previous(self, ledger: Ledger, memory: Memory) -> tuple[int, Memory | None]:
        """The memory's node and its version until now, which this retires."""
        connection = ledger.connection
        if memory.version == 1:
            connection.execute(
                "INSERT INTO node VALUES (?, ?, ?, 'memory') ON CONFLICT DO NOTHING",
                (ledger.node + 1, ledger.user, memory.id),
            )
            if not connection.changes():
                raise Conflict(f"{memory.id} exists already")
            ledger.node += 1
            return ledger.node, None
        node = value(
            connection, "SELECT number FROM node WHERE user = ? AND id = ?", (ledger.user, memory.id)
        )
        found = rows(
            connection,
            f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_TABLES} WHERE v.node = ? ORDER BY v.version DESC LIMIT 1",
            (node,),
        )
        if not found:
            raise NotFound(f"no memory {memory.id}")
        past = memory_from(found[0])
        if past.version != memory.version - 1:
            raise Conflict(f"{memory.id} was changed by somebody else in the meantime; read it again")
        connection.execute(
            "UPDATE version SET retired_at = ? WHERE node = ? AND version = ?",
            (microseconds(memory.recorded_at), node, past.version),
        )
        return node, past


def add_version(
    ledger: Ledger, node: int, memory: Memory, content_digest: bytes, past_content: int | None
) -> None:
    """Writes the version row and takes its digest into the chain."""
    m = memory
    ledger.version += 1
    digest = chain.version_digest(ledger.key, m, content_digest)
    ledger.digests.append(digest)
    ledger.connection.execute(
        "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(ledger.version, ledger.user, node, m.version, m.content, past_content),
            *version_values(m),
            *(json_or_none(list(m.tags)), int(m.pinned), int(m.immutable)),
            *(float(m.confidence), float(m.importance), digest),
        ),
    )


def _add_content(ledger: Ledger, node: int, memory: Memory, new: NewText, mark: bytes) -> bytes:
    o = memory.origin
    ledger.content += 1
    digest = chain.content_digest(ledger.key, memory)
    ledger.connection.execute(
        "INSERT INTO content VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(ledger.content, node, memory.text, new.terms),
            *(o.session, o.run, o.actor, o.event_type, o.role, o.speaker, json_or_none(list(o.sources))),
            *(o.write_source, o.data_source, o.reason, json_or_none(dict(memory.metadata)), mark, digest),
        ),
    )
    if new.vector is not None:
        ledger.connection.execute("INSERT INTO vector VALUES (?, ?)", (ledger.content, new.vector))
    if new.words is not None:
        ledger.connection.execute("INSERT INTO words VALUES (?, ?)", (ledger.content, new.words))
    return digest


def _refusal(connection: apsw.Connection, mark: bytes, change: Change) -> Written | None:
    if value(connection, "SELECT 1 FROM tombstone WHERE fingerprint = ?", (mark,)):
        return Written(change.memory.id, "tombstone")
    if not change.once:
        return None
    # Nearly every text is new, and this look costs a tenth of the join and its sorting.
    if value(connection, "SELECT 1 FROM content WHERE fingerprint = ?", (mark,)) is None:
        return None
    m = change.memory
    twin = value(
        connection,
        "SELECT n.id FROM content c CROSS JOIN version v ON v.content = c.number CROSS JOIN node n ON n.number = v.node"
        " WHERE c.fingerprint = ? AND v.retired_at IS NULL AND v.state = 'active' AND v.valid_until IS NULL"
        " AND v.lane = ? AND v.channel = ? AND v.only_session IS ? AND (v.kind = ? OR v.kind NOT IN (?, ?))"
        " ORDER BY v.number LIMIT 1",
        (mark, m.lane, m.channel, m.origin.session if m.scope == Scope.SESSION else None, m.kind, *KEYED),
    )
    return None if twin is None else Written(twin, "duplicate")
