"""The columns say the same as the store about who may see what."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_stub import START, StubStore

from recollect.index.visible import Visible, is_current, is_decided
from recollect.model import Filter, Lane, State, microseconds

LABEL = {"model": "m"}
channels = st.sampled_from(["_global", "a", "b"])
sessions = st.sampled_from([None, "s1", "s2"])
days = st.sampled_from([None, 0, 1, 2]).map(lambda d: None if d is None else START + timedelta(days=d))
filters = st.builds(
    Filter,
    channels=st.none() | st.lists(channels, max_size=2).map(tuple),
    lanes=st.none() | st.lists(st.sampled_from(Lane), max_size=2).map(tuple),
    visible_session=sessions,
    any_session=st.booleans(),
    unexpired_at=days,
)
shown = st.fixed_dictionaries(
    {
        "channel": channels,
        "lane": st.sampled_from(Lane),
        "only_session": sessions,
        "valid_until": days,
        "state": st.sampled_from([State.ACTIVE, State.DORMANT]),
        "valid_from": st.sampled_from([START, START + timedelta(days=1)]),
        "confidence": st.floats(0, 1),
        "importance": st.floats(0, 1),
    }
)
steps = st.lists(
    st.tuples(st.sampled_from(["remember", "edit", "change", "purge"]), st.integers(0, 9), shown), max_size=25
)


def play(store, steps):
    """Apply random writes; yields after each."""
    for step, which, values in steps:
        alive = [i for i, m in enumerate(store.memories) if m.state != State.PURGED]
        if step == "remember" or not alive:
            store.remember(**values)
        elif step == "edit":
            store.edit(alive[which % len(alive)])
        elif step == "change":
            store.change(alive[which % len(alive)], **values)
        else:
            store.purge(alive[which % len(alive)])
        yield


def follow(visible, store):
    visible.align(np.array(sorted(store.texts), np.int64))
    visible.apply(store.visibility("", visible.version, 1_000))


def standing(store, visible):
    """By content, what the columns say of every row that is shown."""
    contents = np.array(sorted(store.texts), np.int64)
    rows = np.flatnonzero(visible.eligible(Filter(any_session=True)))
    columns = (column.tolist() for column in visible.standing(rows))
    return dict(zip(contents[rows].tolist(), zip(*columns, strict=True), strict=True))


def current(store):
    """The same as the newest versions say it."""
    return {
        m.content: (m.lane is Lane.LOG, microseconds(m.valid_from), m.confidence, m.importance)
        for m in store.memories
        if m.state is State.ACTIVE
    }


@settings(max_examples=60, deadline=None)
@given(steps, st.lists(filters, min_size=1, max_size=5))
def test_eligible_is_what_the_store_matches(steps, filters):
    store, visible = StubStore(), Visible()
    for _ in play(store, steps):
        follow(visible, store)
        for where in filters:
            eligible = np.array(sorted(store.texts), np.int64)[visible.eligible(where)]
            assert eligible.tolist() == store.matching("", where).tolist()
        assert standing(store, visible) == current(store)


@settings(max_examples=40, deadline=None)
@given(steps, steps, filters)
def test_a_saved_one_goes_on_where_it_was(tmp_path_factory, before, after, where):
    path = tmp_path_factory.getbasetemp() / "visible.columns"
    store, visible = StubStore(), Visible()
    list(play(store, before))
    follow(visible, store)
    visible.save(path, LABEL)
    list(play(store, after))
    loaded = Visible.load(path, LABEL)
    assert loaded.version == visible.version
    follow(loaded, store)
    assert (
        np.array(sorted(store.texts))[loaded.eligible(where)].tolist() == store.matching("", where).tolist()
    )
    assert standing(store, loaded) == current(store)


def test_a_file_of_another_model_or_a_broken_one_counts_as_nothing_seen(tmp_path):
    path = tmp_path / "visible.columns"
    assert Visible.load(path, LABEL).version == -1
    Visible().save(path, LABEL)
    assert Visible.load(path, {"model": "other"}).version == -1
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        assert Visible.load(path, LABEL).version == -1


def test_what_was_purged_is_told(tmp_path):
    store, visible = StubStore(), Visible()
    memory = store.remember()
    content = store.memories[memory].content
    follow(visible, store)
    store.purge(memory)
    assert visible.apply(store.visibility("", visible.version, 9)) == [content]


@pytest.mark.parametrize(
    ("where", "decided", "current"),
    [
        (Filter(), True, True),
        (Filter(channels=("a",), lanes=(Lane.LOG,), visible_session="s", unexpired_at=START), True, True),
        (Filter(any_session=True), True, True),
        (Filter(tags=("x",)), False, True),
        (Filter(kinds=("note",)), False, True),
        (Filter(since=START), False, True),
        (Filter(valid_at=START), False, True),
        (Filter(min_confidence=0.5), False, True),
        (Filter(as_of=START), False, False),
        (Filter(states=(State.ACTIVE, State.DORMANT)), False, False),
        (Filter(states=()), False, False),
    ],
)
def test_what_the_columns_can_decide(where, decided, current):
    assert (is_decided(where), is_current(where)) == (decided, current)
