"""Random operations on every store at once: after each step they must agree with the reference."""

import random
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from store_values import AT, EVERYTHING, MODEL, change, memory, next_version, vector, words

from recollect.assembly import on_server
from recollect.errors import RecollectError
from recollect.model import AuditEntry, AuditFilter, Edge, Filter, Lane, Memory, Scope, State
from recollect.ports import SURVEY_COLUMNS, Change, Changes, NewText, RecordChange, Store
from recollect.removals import REMOVAL
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore

USERS = ("ada", "bob")
CHANNELS = ("_global", "proj")
KINDS = ("note", "fact")
SESSIONS = ("s1", "s2", None)
TAGS = ("a", "b", "ç")
EVENTS = ("chat.user", "chat.tool", "run", None)
RECORD_KINDS = ("goal", "key")
MODELS = ("hash-8", "small-4")
TEXTS = (*(f"text {n}" for n in range(8)), "TEXT  1", "Text\t2")
MEMORY_FOLDER = Path("/dev/shm")

users = st.sampled_from(USERS)
picks = st.integers(0, 1 << 20)
places = st.fixed_dictionaries(
    {
        "channel": st.sampled_from(CHANNELS),
        "lane": st.sampled_from(Lane),
        "kind": st.sampled_from(KINDS),
        "scope": st.sampled_from(Scope),
        "session": st.sampled_from(SESSIONS),
        "run": st.sampled_from(("r1", None)),
        "role": st.sampled_from(("user", "assistant", None)),
        "event_type": st.sampled_from(EVENTS),
        "write_source": st.sampled_from(("manual", "observer")),
        "tags": st.lists(st.sampled_from(TAGS), unique=True, max_size=2).map(tuple),
        "confidence": st.sampled_from((0.3, 0.1 + 0.2, 1.0)),
        "pinned": st.booleans(),
    }
)
observations = st.lists(st.tuples(st.sampled_from(TEXTS), places, st.booleans()), min_size=1, max_size=4)


class Stores(RuleBasedStateMachine):
    """Everything is done to each; what they answer, errors included, must be the same."""

    databases: Any = None
    """Where to take one on a server from, for a machine that has a server."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None))
        self.sqlite = SQLiteStore(self.folder / "store.db")
        self.stores: tuple[Store, ...] = (ReferenceStore(), self.sqlite)
        if self.databases is not None:
            self.address = self.databases.take()
            self.stores = (*self.stores, on_server(self.address))
        self.known: dict[str, list[str]] = {user: [] for user in USERS}
        self.step = 0

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)
        if self.databases is not None:
            self.databases.give(self.address)

    @initialize(seed=st.integers(0, 1 << 30))
    def begin(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def each(self, act: Callable[[Store], Any]) -> Any:
        answers = [self.answer(store, act) for store in self.stores]
        for answer in answers[1:]:
            assert answer == answers[0]
        return answers[0]

    @staticmethod
    def answer(store: Store, act: Callable[[Store], Any]) -> Any:
        try:
            return act(store)
        except RecollectError as error:
            return type(error)

    def now(self) -> Any:
        self.step += 1
        return AT + timedelta(hours=self.step)

    def one_of(self, user: str, pick: int) -> str:
        return self.known[user][pick % len(self.known[user])]

    def revise(self, user: str, pick: int, make: Callable[[Memory], Change]) -> None:
        memory_id = self.one_of(user, pick)
        old = self.stores[0].get(user, memory_id)
        if old is not None:
            self.each(
                lambda store: store.write(
                    user, Changes("revise", self.stamp, (make(old),), model=self.model())
                )
            )

    def model(self) -> str:
        known = self.stores[0].model()
        return MODEL if known is None else known[0]

    def text(self, one: Memory, *, once: bool = False) -> Change:
        made = change(one, once=once)
        dimension = 4 if self.model() == MODELS[1] else 8
        assert made.new is not None
        assert made.new.vector is not None
        given = None if one.text.isupper() else made.new.words
        return Change(one, NewText(made.new.terms, made.new.vector[: 2 * dimension], given), once)

    # what happens

    @rule(user=users, batch=observations)
    def observe(self, user: str, batch: list[tuple[str, dict[str, Any], bool]]) -> None:
        at = self.now()
        changes = []
        for place, (text, values, once) in enumerate(batch):
            one = memory(f"{user}-{self.step:03}-{place}", text, at, **values)
            changes.append(self.text(one, once=once))
        written = self.each(
            lambda store: store.write(user, Changes("observe", at, tuple(changes), model=self.model()))
        )
        self.known[user] += [w.id for w in written if w.refusal is None]

    @precondition(lambda self: any(self.known.values()))
    @rule(user=users, pick=picks, text=st.sampled_from(TEXTS))
    def edit(self, user: str, pick: int, text: str) -> None:
        self.stamp = self.now()
        if self.known[user]:
            self.revise(
                user, pick, lambda old: self.text(next_version(old, self.stamp, text=text, content=0))
            )

    @precondition(lambda self: any(self.known.values()))
    @rule(
        user=users,
        pick=picks,
        values=st.one_of(
            st.just({"state": State.DORMANT}),
            st.just({"state": State.ACTIVE}),
            st.fixed_dictionaries({"tags": st.lists(st.sampled_from(TAGS), unique=True).map(tuple)}),
            st.fixed_dictionaries({"pinned": st.booleans(), "confidence": st.sampled_from((0.5, 0.9))}),
            st.fixed_dictionaries({"scope": st.sampled_from(Scope), "channel": st.sampled_from(CHANNELS)}),
            st.just({"valid_until": AT + timedelta(hours=10)}),
        ),
    )
    def revise_without_text(self, user: str, pick: int, values: dict[str, Any]) -> None:
        self.stamp = self.now()
        if self.known[user]:
            self.revise(user, pick, lambda old: Change(next_version(old, self.stamp, **values)))

    @precondition(lambda self: any(self.known.values()))
    @rule(user=users, pick=picks, text=st.sampled_from(TEXTS))
    def supersede(self, user: str, pick: int, text: str) -> None:
        at = self.now()
        old = self.stores[0].get(user, self.one_of(user, pick)) if self.known[user] else None
        if old is None:
            return
        fresh = memory(f"{user}-{self.step:03}", text, at, supersedes=old.id, channel=old.channel)
        ended = next_version(old, at, valid_until=max(at, old.valid_from), superseded_by=fresh.id)
        changes = Changes(
            *("supersede", at, (self.text(fresh), Change(ended)), (Edge(fresh.id, old.id, "supersedes"),)),
            model=self.model(),
        )
        written = self.each(lambda store: store.write(user, changes))
        self.known[user] += [w.id for w in written if w.refusal is None and w.id == fresh.id]

    @precondition(lambda self: any(self.known.values()))
    @rule(user=users, whose=users, pick=picks, version=st.integers(1, 4))
    def write_blindly(self, user: str, whose: str, pick: int, version: int) -> None:
        at = self.now()
        if self.known[whose]:
            blind = memory(self.one_of(whose, pick), "blind", at, version=version)
            if user != whose and version == 1:
                return  # it would be a memory of its own
            self.each(
                lambda store: store.write(user, Changes("edit", at, (self.text(blind),), model=self.model()))
            )

    @precondition(lambda self: any(self.known.values()))
    @rule(user=users, chosen=st.lists(picks, min_size=1, max_size=2))
    def purge(self, user: str, chosen: list[int]) -> None:
        at = self.now()
        if self.known[user]:
            self.each(lambda store: store.purge(user, [self.one_of(user, pick) for pick in chosen], at))

    @precondition(lambda self: any(self.known.values()))
    @rule(
        user=users,
        ends=st.tuples(picks, picks),
        kind=st.sampled_from(("causes", "related_to", "derived_from")),
        weight=st.floats(0.1, 1),
    )
    def link(self, user: str, ends: tuple[int, int], kind: str, weight: float) -> None:
        at = self.now()
        if self.known[user]:
            edge = Edge(self.one_of(user, ends[0]), self.one_of(user, ends[1]), kind, weight)
            self.each(lambda store: store.write(user, Changes("link", at, edges=(edge,))))

    @precondition(lambda self: any(self.known.values()))
    @rule(user=users, whose=users, pick=picks, weight=st.floats(0.1, 1), gone=st.booleans())
    def change_an_edge(self, user: str, whose: str, pick: int, weight: float, gone: bool) -> None:
        at, known = self.now(), list(self.stores[0].all_edges(whose))
        if known:
            edge = (replace(known[pick % len(known)], weight=weight),)
            self.each(
                lambda store: store.write(
                    user,
                    Changes("unlink", at, unlinked=edge) if gone else Changes("weigh", at, reweighed=edge),
                )
            )

    @rule(
        user=users,
        kind=st.sampled_from(RECORD_KINDS),
        key=st.sampled_from(("a", "ab", "ç")),
        value=st.one_of(st.none(), st.integers(), st.lists(st.text(max_size=3), max_size=2)),
        expected=st.sampled_from((None, 0, "known", 99)),
    )
    def record(self, user: str, kind: str, key: str, value: Any, expected: Any) -> None:
        at, known = self.now(), self.stores[0].record(user, kind, key)
        if expected == "known":
            expected = 0 if known is None else known.revision
        change = RecordChange(kind, key, value, expected)
        self.each(lambda store: store.write(user, Changes("record", at, records=(change,))))

    @precondition(lambda self: any(self.known.values()))
    @rule(
        user=users,
        whose=users,
        pick=picks,
        values=st.dictionaries(
            st.sampled_from(("wins", "utility", "tier")), st.sampled_from((1, 0.25, "semantic"))
        ),
    )
    def learn(self, user: str, whose: str, pick: int, values: dict[str, Any]) -> None:
        at = self.now()
        if self.known[whose]:
            learnt = {self.one_of(whose, pick): values}
            accesses = {self.one_of(whose, pick + 1): (2, at)}
            changes = Changes("learn", at, counters=learnt, accesses=accesses)
            self.each(lambda store: store.write(user, changes))

    @precondition(lambda self: any(self.known.values()))
    @rule(user=users, whose=users, chosen=st.lists(picks, max_size=3), count=st.integers(1, 3))
    def touch(self, user: str, whose: str, chosen: list[int], count: int) -> None:
        at = self.now()
        accesses = {self.one_of(whose, pick): (count, at) for pick in chosen if self.known[whose]}
        self.each(lambda store: store.touch(user, accesses))

    @rule(
        user=users,
        whose=users,
        chosen=st.lists(picks, max_size=3),
        session=st.sampled_from(SESSIONS),
        question=st.sampled_from((None, *TEXTS)),
    )
    def read(
        self, user: str, whose: str, chosen: list[int], session: str | None, question: str | None
    ) -> None:
        at = self.now()
        ids = tuple(self.one_of(whose, pick) for pick in chosen if self.known[whose])
        detail = {} if question is None else {"question": f"was it {question}?"}
        entry = AuditEntry(f"r{self.step:03}", at, "recall", session=session, ids=ids, detail=detail)
        self.each(lambda store: store.note(user, [entry]))

    @rule(user=users, hours=st.integers(0, 10))
    def forget_reads(self, user: str, hours: int) -> None:
        at = self.now()
        before = at - timedelta(hours=hours)
        self.each(lambda store: store.forget_reads(user, before, at, lambda: None))

    @rule(user=users, value=st.one_of(st.none(), st.integers(), st.text(max_size=5)))
    def configure(self, user: str, value: Any) -> None:
        at = self.now()
        self.each(lambda store: store.set_settings(user, {"name": value}, at))

    @rule(model=st.sampled_from(MODELS), limit=st.integers(1, 20), worded=st.booleans())
    def reembed(self, model: str, limit: int, worded: bool) -> None:
        dimension = 4 if model == MODELS[1] else 8
        self.each(lambda store: store.unembedded_count(model, words=worded))
        missing = self.each(lambda store: store.unembedded(model, 0, limit, words=worded))
        vectors = [
            (number, vector(number % 1000, dimension), words(number % 1000) if worded else None)
            for number, *_ in missing
        ]
        self.each(lambda store: store.embed(model, dimension, vectors))
        self.each(lambda store: store.adopt(model))

    # what must hold after every step

    def some_filter(self) -> Filter:
        def maybe(values: Any) -> Any:
            return self.chance.choice(values) if self.chance.random() < 0.3 else None

        def some(values: Any) -> Any:
            return (
                tuple(self.chance.sample(values, self.chance.randint(1, len(values))))
                if self.chance.random() < 0.3
                else None
            )

        moments = [AT + timedelta(hours=hour) for hour in range(-1, self.step + 2)]
        return Filter(
            channels=some(CHANNELS),
            lanes=some(tuple(Lane)),
            kinds=some(KINDS),
            states=some(tuple(State)) or (State.ACTIVE,),
            scopes=some(tuple(Scope)),
            visible_session=maybe(SESSIONS),
            any_session=self.chance.random() < 0.5,
            ids=some((*self.known["ada"], *self.known["bob"], "unknown")),
            tags=some(TAGS) or (),
            session=maybe(SESSIONS),
            run=maybe(("r1",)),
            event_type_prefix=maybe(("", "chat", "chat.u", "x")),
            since=maybe(moments),
            until=maybe(moments),
            pinned=maybe((True, False)),
            min_confidence=maybe((0.3, 0.1 + 0.2, 0.5)),
            as_of=maybe(moments),
            valid_at=maybe(moments),
            unexpired_at=maybe(moments),
        )

    def agree(self, ask: Callable[[Store, str], Any]) -> None:
        for user in USERS:
            self.each(partial(ask, user=user))

    @invariant()
    def the_same_is_found_by_any_filter(self) -> None:
        for _ in range(2):
            where, newest = self.some_filter(), self.chance.random() < 0.5
            limit = self.chance.choice((None, 2))
            after = self.chance.choice([None, *self.known["ada"], *self.known["bob"]])
            self.agree(partial(answers, where=where, limit=limit, after=after, newest_first=newest))

    @invariant()
    def the_same_histories_are_kept(self) -> None:
        moment = AT + timedelta(hours=self.chance.randint(-1, self.step))
        self.agree(lambda s, user: [(s.versions(user, i), s.get(user, i, moment)) for i in self.known[user]])
        self.agree(lambda s, user: s.resolve(user, f"{user}-00"))
        self.agree(lambda s, user: s.changed(user, s.high_water(user)[1] - self.step % 5))

    @invariant()
    def the_same_edges_and_counters_are_kept(self) -> None:
        self.agree(lambda s, user: list(s.all_edges(user)))
        self.agree(lambda s, user: [list(s.all_edges(user, e.edges[1])) for e in s.witness(user)[-3:]])
        self.agree(lambda s, user: s.records(user, REMOVAL))
        self.agree(lambda s, user: s.edges(user, self.known[user], ["causes"]))
        self.agree(lambda s, user: s.edges(user, self.known[user][:2], ends=["source"]))
        self.agree(lambda s, user: s.edges(user, self.known[user][:2], ends=["target"]))
        self.agree(lambda s, user: s.counters(user, self.known["ada"] + self.known["bob"]))

    @invariant()
    def the_same_records_are_kept(self) -> None:
        after = self.chance.choice((None, "a"))
        for kind in RECORD_KINDS:
            self.agree(lambda s, user, kind=kind: s.records(user, kind, prefix="a", after=after, limit=2))
            self.agree(lambda s, user, kind=kind: (s.records(user, kind), s.record(user, kind, "ç")))
            self.agree(lambda s, user, kind=kind: s.records_named(user, kind, ["ç", "a", "none", "a"]))

    @invariant()
    def the_index_is_told_the_same(self) -> None:
        self.agree(lambda s, user: s.documents(user, 0, 1000))
        self.agree(lambda s, user: s.visibility(user, 0, 1000))
        self.agree(lambda s, user: s.high_water(user))
        numbers = np.array([d.content for u in USERS for d in self.stores[0].documents(u, 0, 1000)], np.int64)
        self.agree(lambda s, user: [part.tolist() for part in s.words(user, numbers)])

    @invariant()
    def the_same_is_counted_and_witnessed(self) -> None:
        self.agree(lambda s, user: without_hash(s.counts(user)))
        self.agree(lambda s, user: [replace(entry, digest=b"", hash=b"") for entry in s.witness(user)])
        self.agree(lambda s, user: (s.settings(user), len(s.tombstones(user)), s.model(), s.users()))

    @invariant()
    def the_same_is_audited(self) -> None:
        some = self.chance.choice([None, *self.known["ada"], *self.known["bob"]])
        for where in (AuditFilter(), AuditFilter(memory_id=some, session=self.chance.choice(SESSIONS))):
            self.agree(lambda s, user, where=where: s.reads(user, where, limit=1000))
            self.agree(lambda s, user, where=where: s.writes(user, where, limit=1000))

    @invariant()
    def nothing_is_found_to_be_wrong(self) -> None:
        assert [fault for store in self.stores for user in USERS for fault in store.verify(user)] == []


def answers(store: Store, user: str, where: Filter, **page: Any) -> Any:
    """All that a store tells about the memories which satisfy a filter."""
    contents = [m.content for m in store.find(user, EVERYTHING)]
    columns, accesses = (
        ask(user, np.array(contents, np.int64), where) for ask in (store.columns, store.accesses)
    )
    survey = store.survey(user, where)
    return (
        [getattr(survey, name).tolist() for name in SURVEY_COLUMNS],
        store.find(user, where, **page),
        {m.content: m for m in store.shown(user, contents, where)},
        [getattr(columns, name).tolist() for name in columns.__slots__],
        [getattr(accesses, name).tolist() for name in accesses.__slots__],
        matched(store, user, where),
        store.stated(user, np.array(contents, np.int64), where.as_of),
        store.edges_between(user, np.array(contents[::3], np.int64), np.array(contents[1:], np.int64)),
    )


def matched(store: Store, user: str, where: Filter) -> list[int]:
    """What `matching` gives after the index has left out what its own columns keep out."""
    found = store.matching(user, where)
    if where.as_of is not None or where.states != (State.ACTIVE,):
        return found.tolist()
    seen = Filter(
        channels=where.channels,
        lanes=where.lanes,
        visible_session=where.visible_session,
        any_session=where.any_session,
        unexpired_at=where.unexpired_at,
    )
    return sorted({*found.tolist()} & {m.content for m in store.find(user, seen)})


def without_hash(counts: dict[str, Any]) -> dict[str, Any]:
    return {**counts, "witness": None if counts["witness"] is None else counts["witness"]["entries"]}


OFTEN = settings(
    max_examples=40,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def test_sqlite_agrees_with_the_reference() -> None:
    run_state_machine_as_test(Stores, settings=OFTEN)


@pytest.mark.server
@pytest.mark.timeout(600)
def test_postgres_agrees_with_both(postgres_databases: Any) -> None:
    class OnAServerToo(Stores):
        databases = postgres_databases

    run_state_machine_as_test(OnAServerToo, settings=settings(OFTEN, max_examples=12))
