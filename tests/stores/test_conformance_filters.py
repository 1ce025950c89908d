"""What every field of a filter means, in every store; what the index and the ranker are told agrees with it."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from store_values import AT, LATER, ids, keep, memory, revise

from recollect.model import Filter, Lane, Memory, Scope, State
from recollect.ports import Store

EARLY = AT - timedelta(days=900)
TURN = {"lane": Lane.LOG, "kind": "message"}
ZOO = (
    memory("01", "plain"),
    memory("02", "project", channel="proj", scope=Scope.PROJECT, kind="fact"),
    memory("03", "turn", **TURN, session="s1", run="r1", actor="bot", role="user", event_type="chat.user"),
    memory(
        "04",
        "reply",
        **TURN,
        session="s2",
        run="r2",
        actor="ada",
        role="assistant",
        event_type="chat.assistant",
    ),
    memory("05", "private", scope=Scope.SESSION, session="s1"),
    memory("06", "private too", scope=Scope.SESSION, session="s2"),
    memory("07", "nobody's session", scope=Scope.SESSION),
    memory("08", "two tags", tags=("a", "b")),
    memory("09", "one tag", tags=("b",), channel="proj"),
    memory("10", "forgotten", tags=("a",)),
    memory("11", "pinned", pinned=True),
    memory("12", "unsure", confidence=0.1 + 0.2, tags=("off",)),
    memory("13", "expired", valid_from=EARLY, valid_until=EARLY + timedelta(days=30)),
    memory("14", "to come", valid_from=LATER + timedelta(days=30)),
    memory("15", "before", tags=("old",), kind="draft"),
    memory("16", "erased", tags=("a",), session="s1"),
)
CURRENT = "01 02 03 04 05 06 07 08 09 11 12 13 14 15"
CASES = {
    "nothing asked: active, current, of no session": (Filter(), CURRENT.replace("05 06 ", "")),
    "any session": (Filter(any_session=True), CURRENT),
    "visible to one session": (Filter(visible_session="s1"), CURRENT.replace("06 ", "")),
    "any session wins over a visible one": (Filter(visible_session="s1", any_session=True), CURRENT),
    "one channel": (Filter(channels=("proj",)), "02 09"),
    "no channel": (Filter(channels=()), ""),
    "an unknown channel": (Filter(channels=("proj ", "PROJ")), ""),
    "two channels": (Filter(channels=("proj", "_global"), any_session=True), CURRENT),
    "one lane": (Filter(lanes=(Lane.LOG,)), "03 04"),
    "both lanes": (Filter(lanes=tuple(Lane), any_session=True), CURRENT),
    "no lane": (Filter(lanes=()), ""),
    "kinds": (Filter(kinds=("fact", "message")), "02 03 04"),
    "no kind": (Filter(kinds=()), ""),
    "a kind that was": (Filter(kinds=("draft",)), ""),
    "dormant": (Filter(states=(State.DORMANT,)), "10"),
    "active and dormant": (Filter(states=(State.ACTIVE, State.DORMANT), tags=("a",)), "08 10"),
    "purged": (Filter(states=(State.PURGED,), any_session=True), ""),
    "no state": (Filter(states=()), ""),
    "scopes": (Filter(scopes=(Scope.PROJECT, Scope.SESSION), any_session=True), "02 05 06 07"),
    "scope of a session": (Filter(scopes=(Scope.SESSION,), visible_session="s2"), "06 07"),
    "ids": (Filter(ids=("09", "02", "09", "99", "eve01")), "02 09"),
    "no id": (Filter(ids=()), ""),
    "ids in a channel": (Filter(ids=("01", "02", "09"), channels=("proj",)), "02 09"),
    "ids with a tag": (Filter(ids=("08", "01"), tags=("a",)), "08"),
    "ids of a session": (Filter(ids=("03", "04", "05"), session="s1", any_session=True), "03 05"),
    "ids of a kind": (Filter(ids=("02", "01"), kinds=("fact",)), "02"),
    "ids that are dormant": (Filter(ids=("10", "08"), states=(State.DORMANT,)), "10"),
    "ids, then": (Filter(ids=("10", "15", "16"), as_of=AT), "10 15"),
    "a tag": (Filter(tags=("b",)), "08 09"),
    "two tags": (Filter(tags=("b", "a")), "08"),
    "a tag twice": (Filter(tags=("b", "b")), "08 09"),
    "a tag in a channel": (Filter(tags=("b",), channels=("proj",)), "09"),
    "a tag and a kind": (Filter(tags=("b",), kinds=("note",), lanes=(Lane.MEMORY,)), "08 09"),
    "a tag and a session": (Filter(tags=("b",), session="s1"), ""),
    "a tag and a state": (Filter(tags=("a",), states=(State.DORMANT,)), "10"),
    "a tag and a pin": (Filter(tags=("b",), pinned=True), ""),
    "a tag and a role": (Filter(tags=("b",), role="user"), ""),
    "a tag since": (Filter(tags=("b",), since=LATER), ""),
    "a tag that was taken off": (Filter(tags=("off",)), ""),
    "a tag that was taken off, then": (Filter(tags=("off",), as_of=AT), "12"),
    "a tag that was put on": (Filter(tags=("on",)), "12"),
    "a tag that was": (Filter(tags=("old",)), ""),
    "a tag that is": (Filter(tags=("new",)), "15"),
    "a tag that was, then": (Filter(tags=("old",), as_of=AT), "15"),
    "a tag that is, then": (Filter(tags=("new",), as_of=AT), ""),
    "two tags, then": (Filter(tags=("a", "b"), as_of=AT), "08"),
    "an unknown tag": (Filter(tags=("",)), ""),
    "a session": (Filter(session="s1", any_session=True), "03 05"),
    "a session, seen from nowhere": (Filter(session="s1"), "03"),
    "a session before": (Filter(session="s1", as_of=AT - timedelta(days=1), any_session=True), ""),
    "a session and a kind": (Filter(session="s1", kinds=("note",), any_session=True), "05"),
    "a kind and a pin": (Filter(kinds=("note",), pinned=True), "11"),
    "a kind and a role": (Filter(kinds=("message",), role="user"), "03"),
    "a kind since": (Filter(kinds=("note",), since=LATER), "14"),
    "a kind that is dormant": (Filter(kinds=("note",), states=(State.DORMANT,)), "10"),
    "a kind until then": (Filter(kinds=("note",), until=AT), "13"),
    "a scope until then": (Filter(scopes=(Scope.PROJECT,), until=LATER), "02"),
    "a run": (Filter(run="r2"), "04"),
    "an actor": (Filter(actor="bot"), "03"),
    "a role": (Filter(role="assistant"), "04"),
    "session, run, actor, role": (Filter(session="s1", run="r1", actor="bot", role="user"), "03"),
    "session of one and run of another": (Filter(session="s1", run="r2"), ""),
    "an event type": (Filter(event_type_prefix="chat."), "03 04"),
    "a whole event type": (Filter(event_type_prefix="chat.user"), "03"),
    "any event type": (Filter(event_type_prefix=""), "03 04"),
    "an event type and a session": (Filter(event_type_prefix="chat", session="s2"), "04"),
    "since": (Filter(since=AT + timedelta(microseconds=1)), "14"),
    "since, that moment too": (Filter(since=AT, any_session=True), CURRENT.replace("13 ", "")),
    "until, that moment not": (Filter(until=AT), "13"),
    "since and until": (Filter(since=EARLY, until=EARLY + timedelta(days=1)), "13"),
    "pinned": (Filter(pinned=True), "11"),
    "not pinned": (Filter(pinned=False, kinds=("fact", "note"), channels=("proj",)), "02 09"),
    "sure enough": (Filter(min_confidence=0.1 + 0.2, kinds=("note",), tags=()), "01 07 08 09 11 12 13 14"),
    "surer": (Filter(min_confidence=0.3000000000000001, channels=("_global",), since=LATER), "14"),
    "not unsure": (Filter(min_confidence=0.5, kinds=("note",), until=AT), "13"),
    "as of the beginning": (
        Filter(as_of=AT, any_session=True),
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15",
    ),
    "as of before": (Filter(as_of=AT - timedelta(microseconds=1), any_session=True), ""),
    "as of then, dormant": (Filter(as_of=AT, states=(State.DORMANT,)), ""),
    "as of then, a kind that was": (Filter(as_of=AT, kinds=("draft",)), "15"),
    "as of then, a session": (Filter(as_of=AT, session="s1", any_session=True), "03 05"),
    "as of later": (Filter(as_of=LATER, kinds=("draft", "final")), "15"),
    "true then": (Filter(valid_at=EARLY), "13"),
    "true until then": (Filter(valid_at=EARLY + timedelta(days=30)), ""),
    "true now": (Filter(valid_at=AT, kinds=("fact", "message", "final")), "02 03 04 15"),
    "not over by then": (Filter(unexpired_at=EARLY, kinds=("note",), until=AT), "13"),
    "over by then": (Filter(unexpired_at=EARLY + timedelta(days=30), until=AT), ""),
    "known then of what was true earlier": (Filter(as_of=AT, valid_at=EARLY), "13"),
}


@pytest.fixture
def zoo(store: Store) -> Store:
    keep(store, *ZOO)
    keep(store, *(replace(one, id=f"eve{one.id}") for one in ZOO), user="eve")
    revise(store, "10", state=State.DORMANT)
    revise(store, "12", tags=("on",))
    revise(store, "15", text="after", tags=("new",), kind="final")
    store.purge("ada", ["16"], LATER)
    store.touch("ada", {"08": (3, LATER)})
    return store


@pytest.mark.parametrize("case", CASES)
def test_a_filter_finds_what_satisfies_it(zoo: Store, case: str) -> None:
    where, expected = CASES[case]
    assert ids(zoo.find("ada", where)) == expected.split()
    assert ids(zoo.find("ada", where, newest_first=True)) == expected.split()[::-1]


@pytest.mark.parametrize("case", CASES)
def test_the_index_and_the_ranker_are_told_the_same(zoo: Store, case: str) -> None:
    where, expected = CASES[case]
    found = {m.content: m for m in zoo.find("ada", where)}
    matching = zoo.matching("ada", where)
    assert matching.dtype == np.int64
    assert matching.tolist() == sorted(set(matching.tolist()))
    assert {*matching.tolist()} & visible(zoo, where) == found.keys()
    last = zoo.high_water("ada")[0]
    everyone = np.concatenate([np.arange(last - 100, last + 20, dtype=np.int64), matching, matching])
    columns = zoo.columns("ada", everyone, where)
    assert columns.contents.tolist() == sorted(found)
    assert columns.confidence.tolist() == [found[n].confidence for n in sorted(found)]
    shown = zoo.shown("ada", everyone.tolist(), where)
    assert {m.content: m for m in shown} == found
    assert len(shown) == len(found)
    assert {m.id for m in found.values()} == {*expected.split()}


def visible(store: Store, where: Filter) -> set[int]:
    """What the index's own columns let through, which `matching` may leave to them."""
    if where.as_of is not None or where.states != (State.ACTIVE,):
        return {m.content for m in store.find("ada", where)} | {*store.matching("ada", where).tolist()}
    columns = Filter(
        channels=where.channels,
        lanes=where.lanes,
        visible_session=where.visible_session,
        any_session=where.any_session,
        unexpired_at=where.unexpired_at,
    )
    return {m.content for m in store.find("ada", columns)}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("newest_first", [False, True])
def test_pages_put_together_are_the_whole(zoo: Store, case: str, newest_first: bool) -> None:
    where, _ = CASES[case]
    whole = zoo.find("ada", where, newest_first=newest_first)
    pages: list[Memory] = []
    while page := zoo.find(
        "ada", where, limit=2, after=pages[-1].id if pages else None, newest_first=newest_first
    ):
        assert len(page) <= 2
        pages += page
    assert pages == whole


def test_a_page_may_begin_anywhere(zoo: Store) -> None:
    assert ids(zoo.find("ada", Filter(), after="025", limit=1)) == ["03"]
    assert ids(zoo.find("ada", Filter(), after="025", limit=1, newest_first=True)) == ["02"]
    assert (
        zoo.find("ada", Filter(), after="99")
        == zoo.find("ada", Filter(), after="00", newest_first=True)
        == []
    )
    assert zoo.find("ada", Filter(), limit=0) == []


EVENTS = (
    "chat.%",
    "chat._",
    "chat.a",
    "Chat.a",
    "chat\0b",
    "chat",
    "chat😀",
    "chat\U0010ffff",
    "cha",
    "chau",
    "é.a",
    "é",
    "\U0010ffff!",
)


@pytest.mark.parametrize(
    "prefix",
    [
        "chat",
        "chat.",
        "chat.%",
        "chat._",
        "chat\0",
        "CHAT",
        "chat😀",
        "chat\U0010ffff",
        "é",
        "%",
        "_",
        "\U0010ffff",
        "\ud7ff",
        "*",
        "[a-z]",
    ],
)
@pytest.mark.parametrize("as_of", [None, AT])
def test_the_beginning_of_an_event_type_is_taken_literally(store: Store, prefix: str, as_of: object) -> None:
    keep(store, *(memory(f"{n:02}", event_type=event) for n, event in enumerate(EVENTS)), memory("99"))
    expected = [f"{n:02}" for n, event in enumerate(EVENTS) if event.startswith(prefix)]
    where = Filter(event_type_prefix=prefix, as_of=as_of)
    assert ids(store.find("ada", where)) == expected
    assert len(store.matching("ada", where)) == len(expected)


def test_many_matches_page_as_well_as_few(store: Store) -> None:
    """More rows than a store may want to sort for one page."""
    count = 1_200
    keep(store, *(memory(f"{n:05}", tags=("t",), session="s") for n in range(count)))
    for where in (Filter(tags=("t",)), Filter(session="s")):
        assert ids(store.find("ada", where, limit=3, after="00500")) == ["00501", "00502", "00503"]
        assert ids(store.find("ada", where, limit=2, newest_first=True)) == ["01199", "01198"]
        assert len(store.find("ada", where)) == len(store.matching("ada", where)) == count


def test_a_purged_memory_that_is_asked_for_by_its_id_matches_no_text(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    store.purge("ada", ["01"], AT)
    everyone = Filter(states=tuple(State), any_session=True, ids=("01", "02"))
    assert store.matching("ada", everyone).tolist() == [m.content for m in store.find("ada", everyone)]
