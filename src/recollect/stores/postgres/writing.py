"""The one write transaction: versions, texts, edges and their link in the chain, all or nothing."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from recollect.errors import Conflict, NotFound
from recollect.formulas import chain
from recollect.model import KEYED, Memory, Scope, microseconds
from recollect.ports import Change, Changes, NewText, Written
from recollect.stores.changes import applied, check_model, happened, refusable, retold, vector_bytes
from recollect.stores.postgres.ahead import Ahead, ahead
from recollect.stores.postgres.edges import relate, reweigh, unlink
from recollect.stores.postgres.ledger import Ledger
from recollect.stores.postgres.migrations import lock_number
from recollect.stores.postgres.reading import MEMORIES, memory_of
from recollect.stores.postgres.records import count, keep, learn, removed
from recollect.stores.postgres.session import NOBODY, Session
from recollect.stores.postgres.tenants import Tenants, joined
from recollect.stores.rows import json_or_none, version_values

T = TypeVar("T")
TWINS = """SELECT v.number, n.id FROM version v JOIN node n ON n.tenant = v.tenant AND n.number = v.node
WHERE v.tenant = %(user)s AND v.retired_at IS NULL AND v.state = 'active' AND v.valid_until IS NULL
AND v.lane = %(lane)s AND v.channel = %(channel)s AND v.only_session IS NOT DISTINCT FROM %(session)s
AND (v.kind = %(kind)s OR v.kind <> ALL(%(keyed)s))
AND v.content = ANY(ARRAY(SELECT number FROM content WHERE tenant = %(user)s AND fingerprint = %(mark)s))"""
"""The texts are looked up first, and the oldest is chosen here: asked to order, a planner that knows nothing of the
tables yet walks all versions of the tenant, once for each text that is written."""
MODEL = "SELECT name, value FROM meta WHERE name IN ('model', 'dimension')"


class Writing(Tenants):
    """Store's writing part."""

    _key: bytes

    def write(self, user: str, changes: Changes) -> list[Written]:
        def wrote(ledger: Ledger) -> list[Written]:
            _check_model(ledger.session, changes)
            known = ahead(ledger, changes.memories)
            written, edges = applied(changes, lambda change: self._apply(ledger, known, change))
            added = [edge for edge in edges if relate(ledger, edge)]
            for edge in changes.reweighed:
                reweigh(ledger, edge)
            for edge in changes.unlinked:
                unlink(ledger, edge)
            learn(ledger, changes.counters)
            count(ledger.session, changes.accesses)
            keep(ledger, (*happened(changes, added, partial(removed, ledger)), *changes.records))
            if ledger.digests or not refusable(changes):
                ledger.seal(changes.operation, changes.detail)
            return written

        return self._sealed(user, changes.at, wrote)

    def touch(self, user: str, accesses: Mapping[str, tuple[int, datetime]]) -> bool:
        number = self._number(user)
        if number == NOBODY or not accesses:
            return True

        def touched(session: Session) -> bool:
            free = session.value(
                "SELECT 1 FROM ledger WHERE tenant = %s FOR UPDATE SKIP LOCKED", (session.tenant,)
            )
            if free is None:
                return False
            session.execute("SET LOCAL synchronous_commit = off")
            count(session, accesses)
            return True

        return self._sessions.writing(number, touched)

    def set_settings(self, user: str, values: Mapping[str, Any], at: datetime) -> None:
        def configured(ledger: Ledger) -> None:
            for name, chosen in values.items():
                ledger.session.execute(
                    "DELETE FROM setting WHERE tenant = %s AND name = %s", (ledger.user, name)
                )
                if chosen is not None:
                    ledger.session.execute(
                        "INSERT INTO setting VALUES (%s, %s, %s)",
                        (ledger.user, name, json.dumps(chosen, ensure_ascii=False)),
                    )
            ledger.seal("config", dict(values))

        self._sealed(user, at, configured)

    def _sealed(self, user: str, at: datetime, act: Callable[[Ledger], T]) -> T:
        """Does something in a transaction of the user's, as its only writer."""
        number = self._number(user)
        schema = self._sessions.address.schema

        def acted(session: Session) -> tuple[int, T]:
            # Shared by all who write, so that nobody does while the store's model is exchanged.
            session.execute("SELECT pg_advisory_xact_lock_shared(%s)", (lock_number("model", schema),))
            if number == NOBODY:
                joined(session, schema, user, microseconds(at))
            ledger = Ledger(session, self._key, microseconds(at))
            with session.connection.pipeline():
                return session.tenant, act(ledger)

        known, result = self._sessions.writing(number, acted)
        self._numbers[user] = known
        return result

    def _apply(self, ledger: Ledger, known: Ahead, change: Change) -> Written:
        memory, session = replace(change.memory, retired_at=None), ledger.session
        if change.new is not None and (refusal := _refusal(session, known, change)) is not None:
            return refusal
        node, past = self._previous(ledger, known, memory)
        if change.new is None:
            memory = retold(memory, past)
            digest = session.value(
                "SELECT digest FROM content WHERE tenant = %s AND number = %s", (ledger.user, memory.content)
            )
        else:
            mark = known.marks[memory.text]
            digest = _add_content(ledger, node, memory, change.new, mark)
            known.told.add(mark)
            memory = replace(memory, content=ledger.content)
        past_content = None if past is None or past.content == memory.content else past.content
        if past is not None and (past_content is not None or set(memory.tags) != set(past.tags)):
            session.execute(
                "DELETE FROM tag WHERE tenant = %s AND content = %s AND name = ANY(%s::text[])",
                (ledger.user, past.content, list(past.tags)),
            )
        if memory.tags:
            session.execute(
                "INSERT INTO tag SELECT %s, name, %s FROM unnest(%s::text[]) AS name ON CONFLICT DO NOTHING",
                (ledger.user, memory.content, list(memory.tags)),
            )
        add_version(ledger, node, memory, digest, past_content)
        return Written(memory.id)

    def _previous(self, ledger: Ledger, known: Ahead, memory: Memory) -> tuple[int, Memory | None]:
        """The memory's node and its version until now, which this retires."""
        session = ledger.session
        if memory.version == 1:
            if memory.id in known.taken:
                raise Conflict(f"{memory.id} exists already")
            known.taken.add(memory.id)
            ledger.node += 1
            session.execute(
                "INSERT INTO node VALUES (%s, %s, %s, 'memory')", (ledger.user, ledger.node, memory.id)
            )
            return ledger.node, None
        node = session.value(
            "SELECT number FROM node WHERE tenant = %s AND id = %s", (ledger.user, memory.id)
        )
        found = session.rows(
            f"{MEMORIES} WHERE v.tenant = %s AND v.node = %s ORDER BY v.version DESC LIMIT 1",
            (ledger.user, node),
        )
        if not found:
            raise NotFound(f"no memory {memory.id}")
        past = memory_of(found[0])
        if past.version != memory.version - 1:
            raise Conflict(f"{memory.id} was changed by somebody else in the meantime; read it again")
        session.execute(
            "UPDATE version SET retired_at = %s WHERE tenant = %s AND node = %s AND version = %s",
            (microseconds(memory.recorded_at), ledger.user, node, past.version),
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
    ledger.session.execute(
        f"INSERT INTO version VALUES ({', '.join(['%s'] * 24)})",
        (
            *(ledger.user, ledger.version, node, m.version, m.content, past_content),
            *version_values(m),
            *(list(m.tags) or None, bool(m.pinned), bool(m.immutable)),
            *(float(m.confidence), float(m.importance), digest),
        ),
    )


def _add_content(ledger: Ledger, node: int, memory: Memory, new: NewText, mark: bytes) -> bytes:
    o = memory.origin
    ledger.content += 1
    digest = chain.content_digest(ledger.key, memory)
    ledger.session.execute(
        f"INSERT INTO content VALUES ({', '.join(['%s'] * 18)})",
        (
            *(ledger.user, ledger.content, node, memory.text, new.terms),
            *(o.session, o.run, o.actor, o.event_type, o.role, o.speaker, list(o.sources) or None),
            *(o.write_source, o.data_source, o.reason, json_or_none(dict(memory.metadata)), mark, digest),
        ),
    )
    for table, data in (("vector", new.vector), ("words", new.words)):
        if data is not None:
            ledger.session.execute(
                f"INSERT INTO {table} VALUES (%s, %s, %s)", (ledger.user, ledger.content, data)
            )
    return digest


def _refusal(session: Session, known: Ahead, change: Change) -> Written | None:
    m = change.memory
    mark = known.marks[m.text]
    if mark in known.erased:
        return Written(m.id, "tombstone")
    if not change.once or mark not in known.told:
        return None
    twins = session.rows(
        TWINS,
        {
            "user": session.tenant,
            "mark": mark,
            "lane": m.lane,
            "channel": m.channel,
            "session": m.origin.session if m.scope == Scope.SESSION else None,
            "kind": m.kind,
            "keyed": list(KEYED),
        },
    )
    return Written(str(min(twins)[1]), "duplicate") if twins else None


def _check_model(session: Session, changes: Changes) -> None:
    size = vector_bytes(changes)
    if changes.model is None:
        return
    known = session.pairs(MODEL)
    if not known and size is not None:
        session.execute(
            "INSERT INTO meta VALUES ('model', %s), ('dimension', %s) ON CONFLICT DO NOTHING",
            (changes.model, str(size // 2)),
        )
        known = session.pairs(MODEL)  # of whoever was first
    if known:
        check_model(changes, size, known["model"], int(known["dimension"]))
