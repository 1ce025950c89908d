"""Whatever is remembered, published, granted, revoked and asked: nothing private of one user is seen by another.

Each user's private words are unlike anybody else's, so that whatever answers with one of them is a leak, wherever
it stands: in a hit, a context, an explanation, statistics, an error, an export, a log or what was published.
"""

import json
import logging

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import RecollectError
from recollect.serve import shapes
from recollect.testing import FakeClock, HashEmbedder

USERS = ("ada", "ben", "eve")
CHANNELS = ("_global", "apollo", "gemini")
ACCESS = ("public", "users:ben", "users:eve", "organisation:acme", "tier:pro")
user = st.sampled_from(USERS)
channel = st.sampled_from(CHANNELS)
act = st.one_of(
    st.tuples(st.just("remember"), user, channel),
    st.tuples(st.just("observe"), user, channel),
    st.tuples(st.just("publish"), user, st.sampled_from(ACCESS)),
    st.tuples(st.just("unpublish"), user, st.booleans()),
    st.tuples(st.just("grant"), user, user, channel, st.sampled_from(("reader", "writer", "owner"))),
    st.tuples(st.just("revoke"), user, user, channel),
    st.tuples(st.just("contribute"), user, user, channel),
    st.tuples(st.just("enrol"), user, st.booleans()),
    st.tuples(st.just("report"), user),
    st.tuples(st.just("forget"), user),
)


class World:
    """What was done, and who may therefore read which word."""

    def __init__(self, first, log):
        self.people = {name: first.beside(name) for name in USERS}
        for one in self.people.values():
            one.configure({"shared.enabled": True, "shared.deadline_ms": 60_000.0})
        self.log = log
        self.words = {}
        """Each secret word: its owner, the channel or item that it is in."""
        self.grants = set()
        self.members = {name: set() for name in USERS}
        self.items = {}
        self.ids = {name: set() for name in USERS}
        self.number = 0

    def word(self, owner, place):
        self.number += 1
        word = f"zq{owner}{self.number}x"
        self.words[word] = (owner, place)
        return word

    def may_read(self, reader, word):
        owner, place = self.words[word]
        if owner == reader:
            return True
        if isinstance(place, int):
            access, is_there = self.items[place][1:]
            group = access.partition(":")[2]
            named = reader == group or group in self.members[reader]
            return is_there and (access == "public" or named)
        return (owner, place, reader) in self.grants

    def do(self, kind, *args):
        try:
            getattr(self, kind)(*args)
        except RecollectError as error:
            self.check(args[0], str(error))

    def remember(self, who, where):
        text = f"The deploy of {self.word(who, where)} goes through staging"
        self.ids[who].add(self.people[who].remember(text, channel=where).id)

    def observe(self, who, where):
        text = f"I told {self.word(who, where)} about the staging deploy"
        told = self.people[who].observe({"role": "user", "content": text}, session="s1", channel=where)
        self.ids[who] |= {one.id for one in told}

    def publish(self, who, access):
        place = len(self.items)
        self.items[place] = ("", access, False)
        word = self.word(who, place)
        title = f"How to deploy {word}"
        if access == "organisation:acme" and "acme" not in self.members[who]:
            with pytest.raises(RecollectError):
                self.people[who].publish(title, "Deploys go through staging", access=access)
            return
        made = self.people[who].publish(title, "Deploys go through staging", access=access)
        self.items[place] = (made.id, access, True)

    def unpublish(self, who, erase):
        mine = [place for place, one in self.items.items() if one[2] and self.owner(place) == who]
        if mine:
            item, access, _ = self.items[mine[-1]]
            self.items[mine[-1]] = (item, access, False)
            self.people[who].unpublish(item, erase=erase)

    def owner(self, place):
        return next(who for who, where in self.words.values() if where == place and isinstance(where, int))

    def grant(self, who, other, where, role):
        self.people[who].grant(other, where, role)
        self.grants.add((who, where, other))

    def revoke(self, who, other, where):
        self.people[who].revoke(other, where)
        self.grants.discard((who, where, other))

    def contribute(self, who, other, where):
        word = self.word(other, where)
        self.people[who].contribute(f"The deploy of {word} is done", owner=other, channel=where)

    def enrol(self, who, is_in):
        self.members[who] = {"acme", "pro"} if is_in else set()
        groups = {"organisations": ["acme"], "tiers": ["pro"]} if is_in else {}
        self.people[who].enrol(who, **groups)

    def report(self, who):
        ids = [item for item, _, is_there in self.items.values() if item and is_there]
        self.people[who].report(ids, success=True)
        self.people[who].coordinate()

    def forget(self, who):
        for one in sorted(self.ids[who])[:1]:
            self.people[who].forget(one)

    def check(self, reader, told):
        """Nothing that is told has a word, or an id, that the reader may not know."""
        leaked = [word for word in self.words if word in told and not self.may_read(reader, word)]
        assert not leaked, (reader, leaked, told[:2_000])
        for other in USERS:
            private = self.ids[other] if other != reader else set()
            shared = any(owner == other and who == reader for owner, _, who in self.grants)
            assert shared or not [one for one in private if one in told], (reader, other, told[:2_000])

    def look(self, reader):
        """Everything that a reader can ask."""
        memory = self.people[reader]
        told = []
        for where in CHANNELS:
            found = memory.recall("how does the deploy go through staging?", 20, channel=where)
            told += [json.dumps(shapes.recalled(found), default=str)]
            told += [memory.context("staging deploy", channel=where), str(memory.timeline(channel=where))]
        told += [str(memory.search_library("deploy staging", 20)), str(memory.published())]
        told += [str(memory.stats()), str(memory.grants()), str(memory.entities())]
        told += list(memory.export()) + list(memory.export(format="markdown"))
        told += [self.refused(memory, one) for other in USERS if other != reader for one in self.ids[other]]
        told += [self.refused_item(memory, one) for one, *_ in self.items.values() if one]
        for one in told:
            self.check(reader, one)

    def refused(self, memory, foreign):
        """A foreign id is answered as one that nobody ever had; what it says is not looked at, only how."""
        answers = set()
        for asked in (foreign, "01ZZZZZZZZZZZZZZZZZZZZZZZZ"):
            for call in (memory.get, memory.history, memory.forget, memory.edges, memory.counters):
                with pytest.raises(RecollectError) as error:
                    call(asked)
                answers.add((type(error.value), str(error.value).replace(asked, "ID")))
        assert len(answers) == 1
        return ""

    def refused_item(self, memory, item):
        try:
            return str(memory.item(item))
        except RecollectError as error:
            told = str(error)
        assert told == f"no published item {item}"
        return ""


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(act, min_size=1, max_size=12))
def test_nothing_private_is_seen_by_anybody_else(acts):
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logging.getLogger().addHandler(handler)
    first = Recollect(":memory:", user="_first", embedder=HashEmbedder(), clock=FakeClock())
    try:
        world = World(first, lines)
        for who in USERS:
            for where in CHANNELS:
                world.remember(who, where)
        for kind, *args in acts:
            world.do(kind, *args)
        for reader in USERS:
            world.look(reader)
        for one in lines:
            assert not [word for word in world.words if word in one]
        statistics = str([first.store.records("_library", kind) for kind in ("voice", "item_quality")])
        assert not [word for word in world.words if word in statistics]
        assert not [name for name in USERS if name in statistics]
    finally:
        logging.getLogger().removeHandler(handler)
        first.close()
