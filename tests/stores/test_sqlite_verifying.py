"""Whatever is changed behind the engine's back is found by `verify`, which names it."""

import re
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
import pytest
from store_processes import beside, heard
from store_values import AT, LATER, keep, link, memory, revise, vector, words

from recollect.errors import StoreCorrupt
from recollect.model import Edge, Scope, State
from recollect.ports import WORD_BYTES
from recollect.stores.sqlite import SQLiteStore

FIRST = 1 << 40


def flip(connection: apsw.Connection, column: str, where: str, bit: int) -> None:
    """Changes one bit in the middle of a stored text, whether it is still UTF-8 then or not."""
    table = column.split(".", maxsplit=1)[0]
    name = column.split(".")[1]
    data = bytearray(connection.execute(f"SELECT CAST({name} AS BLOB) FROM {table} WHERE {where}").get)
    data[len(data) // 2] ^= bit
    connection.execute(f"UPDATE {table} SET {name} = CAST(? AS TEXT) WHERE {where}", (bytes(data),))


def swap_witnesses(connection: apsw.Connection) -> None:
    connection.execute("UPDATE witness SET sequence = 1000 WHERE user = 1 AND sequence = 2")
    connection.execute("UPDATE witness SET sequence = 2 WHERE user = 1 AND sequence = 3")
    connection.execute("UPDATE witness SET sequence = 3 WHERE user = 1 AND sequence = 1000")


def forge_the_end(connection: apsw.Connection) -> None:
    """Cuts the chain and makes its head fit, as somebody who knows the tables would."""
    connection.execute(
        "DELETE FROM witness WHERE user = 1 AND sequence = (SELECT max(sequence) FROM witness WHERE user = 1)"
    )
    sequence, link_hash, version, edge = connection.execute(
        "SELECT sequence, hash, last_version, last_edge FROM witness WHERE user = 1 ORDER BY sequence DESC LIMIT 1"
    ).fetchall()[0]
    connection.execute(
        "UPDATE user SET witness_sequence = ?, witness_hash = ?, last_version = ?, last_edge = ? WHERE number = 1",
        (sequence, link_hash, version, edge),
    )


Deed = str | Callable[[apsw.Connection], None]
OF_01 = "node = (SELECT number FROM node WHERE id = '01')"
OF_02 = "node = (SELECT number FROM node WHERE id = '02')"
DEEDS: dict[str, tuple[Deed, str, str]] = {
    "one bit of a text": (lambda c: flip(c, "content.text", OF_02, 1), "02", "text"),
    "a byte that is no UTF-8": (lambda c: flip(c, "content.text", OF_02, 0x80), "02", "cannot be read"),
    "one bit of an old text": (
        lambda c: flip(c, "content.text", f"{OF_01} AND number = {FIRST + 1}", 1),
        "01",
        "text",
    ),
    "a whole text": ("UPDATE content SET text = 'other' WHERE " + OF_02, "02", "text"),
    "provenance": ("UPDATE content SET session = 'other' WHERE " + OF_02, "02", "provenance"),
    "metadata": ("UPDATE content SET metadata = '{\"a\":2}' WHERE " + OF_02, "02", "metadata"),
    "broken metadata": ("UPDATE content SET metadata = '{' WHERE " + OF_02, "02", "cannot be read"),
    "a fingerprint": ("UPDATE content SET fingerprint = x'00' WHERE " + OF_02, "02", "fingerprint"),
    "the digest of a text": ("UPDATE content SET digest = x'00' WHERE " + OF_02, "02", "text"),
    "confidence": ("UPDATE version SET confidence = 0.1 WHERE " + OF_02, "02", "version 1 was changed"),
    "confidence by the last bit": (
        "UPDATE version SET confidence = 0.30000000000000004 WHERE " + OF_02,
        "02",
        "version 1",
    ),
    "a state": (
        f"UPDATE version SET state = 'dormant' WHERE {OF_01} AND version = 2",
        "01",
        "version 2 was changed",
    ),
    "a state that is none": (f"UPDATE version SET state = 'x' WHERE {OF_02}", "02", "cannot be read"),
    "a time": (
        "UPDATE version SET valid_from = valid_from + 1 WHERE " + OF_02,
        "02",
        "version 1 was changed",
    ),
    "an impossible time": (
        f"UPDATE version SET valid_from = {1 << 62} WHERE {OF_02}",
        "02",
        "cannot be read",
    ),
    "when it was retired": (
        f"UPDATE version SET retired_at = retired_at + 1 WHERE {OF_01} AND version = 1",
        "01",
        "does not end",
    ),
    "that it was retired": (
        "UPDATE version SET retired_at = 5 WHERE " + OF_02,
        "02",
        "newest version is missing",
    ),
    "tags": ("UPDATE version SET tags = '[\"x\"]' WHERE " + OF_02, "02", "version 1 was changed"),
    "a channel": ("UPDATE version SET channel = 'x' WHERE " + OF_02, "02", "version 1 was changed"),
    "a session's own": (
        "UPDATE version SET only_session = NULL WHERE only_session IS NOT NULL",
        "03",
        "version 1",
    ),
    "the owner of a version": ("UPDATE version SET user = 2 WHERE " + OF_02, "02", "version 1 was changed"),
    "which text is shown": (
        f"UPDATE version SET content = {FIRST + 1} WHERE {OF_02}",
        "02",
        "version 1 was changed",
    ),
    "which memory it is of": (
        f"UPDATE version SET node = {FIRST + 3}, version = 9 WHERE {OF_02}",
        "03",
        "version 9",
    ),
    "an id": ("UPDATE node SET id = '0x' WHERE id = '02'", "0x", "version 1 was changed"),
    "a version, the newest": (
        f"DELETE FROM version WHERE {OF_01} AND version = 3",
        "01",
        "newest version is missing",
    ),
    "a version, one between": (
        f"DELETE FROM version WHERE {OF_01} AND version = 2",
        "01",
        "version 2 is missing",
    ),
    "a version, the first": (
        f"DELETE FROM version WHERE {OF_01} AND version = 1",
        "01",
        "version 1 is missing",
    ),
    "a version, the only": (f"DELETE FROM version WHERE {OF_02}", "02", "every version of it is missing"),
    "a memory's node": (
        "DELETE FROM node WHERE id = '02'",
        f"version row {FIRST + 2}",
        "belongs to is missing",
    ),
    "a text's row": ("DELETE FROM content WHERE " + OF_02, "02", "its text is missing"),
    "an old text's row": (f"DELETE FROM content WHERE number = {FIRST + 1}", "01", "its text is missing"),
    "a vector's size": (
        "UPDATE vector SET data = x'0000' WHERE content = (SELECT number FROM content WHERE " + OF_02 + ")",
        "02",
        "vector has 2 bytes",
    ),
    "half a word": (
        f"UPDATE words SET data = x'0000' WHERE content = {FIRST + 2}",
        "02",
        "words have 2 bytes",
    ),
    "half a word of an old text": (
        f"UPDATE words SET data = x'0000' WHERE content = {FIRST + 1}",
        "01",
        "words have 2 bytes",
    ),
    **{
        f"a row of {table} without a text": (
            f"INSERT INTO {table} VALUES ({FIRST + 99}, x'')",
            f"{table} row {FIRST + 99}",
            "text that it belongs to is missing",
        )
        for table in ("vector", "vector_incoming", "words", "words_incoming")
    },
    "a tag's row": ("DELETE FROM tag WHERE name = 't2'", "02", "tags"),
    "a tag's row that was not": (f"INSERT INTO tag VALUES ('x', {FIRST + 2})", "02", "tags"),
    "an edge": ("DELETE FROM edge WHERE type = 'causes'", "witness 2", r"removed.*edges"),
    "an edge's reason": ("UPDATE edge SET reason = 'x' WHERE type = 'causes'", "edge", "changed"),
    "an edge's reason, broken": (
        lambda c: flip(c, "edge.reason", "reason IS NOT NULL", 0x80),
        "edge",
        "cannot be read",
    ),
    "an edge's end": (f"UPDATE edge SET target = {FIRST + 3} WHERE type = 'causes'", "edge", "01 causes 03"),
    "a digest of what was erased": ("DELETE FROM erased", "witness 1", "removed"),
    "a witness between": ("DELETE FROM witness WHERE user = 1 AND sequence = 2", "witness 2", "missing"),
    "the first witness": ("DELETE FROM witness WHERE user = 1 AND sequence = 1", "witness 1", "missing"),
    "the last witness": (
        "DELETE FROM witness WHERE user = 1 AND sequence = (SELECT max(sequence) FROM witness WHERE user = 1)",
        "witness 6",
        "the chain ends at 5",
    ),
    "all witnesses": ("DELETE FROM witness WHERE user = 1", "witness 1", "the chain ends at 0, but 6"),
    "the order of witnesses": (swap_witnesses, "witness 2", "changed|continue"),
    "a witness's operation": (
        "UPDATE witness SET operation = 'x' WHERE user = 1 AND sequence = 3",
        "witness 3",
        "changed",
    ),
    "a witness's operation, broken": (
        lambda c: flip(c, "witness.operation", "user = 1 AND sequence = 3", 0x80),
        "witness 3",
        "cannot be read",
    ),
    "a witness's time": (
        "UPDATE witness SET at = at + 1 WHERE user = 1 AND sequence = 3",
        "witness 3",
        "changed",
    ),
    "a witness's detail": (
        "UPDATE witness SET detail = '{\"ids\":[]}' WHERE operation = 'purge'",
        "witness 6",
        "changed",
    ),
    "what a witness covers": (
        "UPDATE witness SET last_version = last_version - 1 WHERE user = 1 AND sequence = 1",
        "witness 1",
        "removed|changed",
    ),
    "a witness's hash": (
        "UPDATE witness SET hash = x'00' WHERE user = 1 AND sequence = 3",
        "witness 3",
        "changed",
    ),
    "the head of the chain": (
        "UPDATE user SET witness_sequence = 99 WHERE number = 1",
        "witness 7",
        "99 entries were written",
    ),
    "the chain and its head": (forge_the_end, "version row", "does not cover"),
    "the owner of a memory": (
        "UPDATE node SET user = 99 WHERE id = '02'",
        f"node row {FIRST + 2}",
        "user 99",
    ),
    "the owner of an erased one": (
        "UPDATE node SET user = 99 WHERE type = 'purged'",
        f"node row {FIRST + 4}",
        "user 99",
    ),
    "a setting": ("UPDATE setting SET value = '9' WHERE name = 'x'", "setting x", "set to last"),
    "a setting, broken": ("UPDATE setting SET value = '{' WHERE name = 'x'", "setting x", "set to last"),
    "a setting that is no UTF-8": (
        lambda c: flip(c, "setting.value", "name = 'x'", 0x80),
        "setting x",
        "set to last",
    ),
    "a setting's row": ("DELETE FROM setting WHERE name = 'x'", "setting x", "set to last"),
    "a setting that nobody set": ("INSERT INTO setting VALUES (1, 'z', '1')", "setting z", "set to last"),
    "a setting that was taken back": (
        "INSERT INTO setting VALUES (1, 'y', '2')",
        "setting y",
        "set to last",
    ),
    "what keeps an erased text away": ("DELETE FROM tombstone", "tombstones", "could be written again"),
    "what keeps a text away that nobody erased": (
        "INSERT INTO tombstone VALUES (x'00', 1, 5)",
        "tombstones",
        "of no purge",
    ),
}


@pytest.fixture
def tampered(opened: Callable[..., SQLiteStore], path: Path) -> Callable[[Deed], SQLiteStore]:
    store = opened()
    keep(
        store,
        memory("01", "the first text", tags=("t1",)),
        memory("02", "the second text", confidence=0.3, tags=("t2",), metadata={"a": 1}),
        memory("03", "the third text", scope=Scope.SESSION, session="s"),
        memory("04", "to be erased"),
    )
    link(store, Edge("01", "02", "causes", reason="because"), Edge("04", "01", "causes"))
    revise(store, "01", text="the first text, edited")
    revise(store, "01", state=State.DORMANT, at=LATER)
    store.touch("ada", {"01": (1, AT)})
    store.embed("new", 4, [(FIRST + 1, vector(0, 4), words(0, 2))])
    store.set_settings("ada", {"x": 1, "y": None}, AT)
    store.purge("ada", ["04"], AT)
    keep(store, memory("01", "of another"), user="eve")
    assert store.verify("ada") == []
    store.close()

    def tamper(deed: Deed) -> SQLiteStore:
        connection = apsw.Connection(str(path))
        if isinstance(deed, str):
            connection.execute(deed)
            assert connection.changes() > 0
        else:
            deed(connection)
        connection.close()
        return opened()

    return tamper


@pytest.mark.parametrize("name", DEEDS)
def test_a_change_behind_the_engines_back_is_found_and_named(
    tampered: Callable[[Deed], SQLiteStore], name: str
) -> None:
    deed, subject, problem = DEEDS[name]
    store = tampered(deed)
    faults = store.verify("ada")
    assert any(
        f.subject.startswith(subject) and re.search(problem, f"{f.subject} {f.problem}") for f in faults
    ), faults
    assert store.verify("eve") == [], "it is not another's fault"


def test_nothing_is_found_where_nothing_was_changed(tampered: Callable[[Deed], SQLiteStore]) -> None:
    store = tampered(lambda c: None)
    assert store.verify("ada") == store.verify("eve") == store.verify("nobody") == []


def test_two_purges_of_one_text_are_whole(opened: Callable[..., SQLiteStore]) -> None:
    store = opened()
    keep(store, memory("01", "said twice"), memory("02", "said twice", channel="apollo"))
    store.purge("ada", ["01"], AT)
    store.purge("ada", ["02"], LATER)
    assert store.verify("ada") == []


def test_counters_and_weights_are_learnt_and_may_move(tampered: Callable[[Deed], SQLiteStore]) -> None:
    store = tampered("UPDATE counter SET access_count = 99")
    assert store.verify("ada") == []
    store.close()
    assert tampered("UPDATE edge SET weight = 0.5").verify("ada") == []


def test_a_text_that_is_no_utf8_is_a_clear_error_to_a_reader(tampered: Callable[[Deed], SQLiteStore]) -> None:
    store = tampered(lambda c: flip(c, "content.text", OF_02, 0x80))
    with pytest.raises(StoreCorrupt, match="UTF-8"):
        store.get("ada", "02")
    assert store.get("ada", "03") is not None


def test_vectors_of_different_sizes_are_a_clear_error(tampered: Callable[[Deed], SQLiteStore]) -> None:
    store = tampered(f"UPDATE vector SET data = x'0000' WHERE content = {FIRST + 2}")
    with pytest.raises(StoreCorrupt, match="verify"):
        store.vectors("ada", np.array([FIRST + 1, FIRST + 2]))


def test_half_a_word_is_a_clear_error(tampered: Callable[[Deed], SQLiteStore]) -> None:
    """Two halves that together are a whole would shift every word between them."""
    halves = (
        f"UPDATE words SET data = zeroblob({WORD_BYTES // 2}) WHERE content IN ({FIRST + 1}, {FIRST + 2})"
    )
    store = tampered(halves)
    with pytest.raises(StoreCorrupt, match="verify"):
        store.words("ada", np.array([FIRST + 1, FIRST + 2]))


def test_a_damaged_page_is_found(opened: Callable[..., SQLiteStore], path: Path) -> None:
    store = opened()
    keep(store, *(memory(f"{n:03}", f"text {n} " + "x" * 400) for n in range(200)))
    store.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 8192 * 4096
    data[middle : middle + 200] = bytes(range(200))
    path.write_bytes(data)
    try:
        faults = opened().verify("ada")
    except StoreCorrupt as error:
        assert "damaged" in str(error)  # noqa: PT017 - either is a clear answer
    else:
        assert faults


def test_every_row_is_looked_at_beyond_a_page(sqlite: SQLiteStore, path: Path) -> None:
    keep(sqlite, *(memory(f"{n:04}") for n in range(1200)))
    connection = apsw.Connection(str(path))
    for number in (1, 700, 1200):
        flip(connection, "content.text", f"number = {FIRST + number}", 0x80)
    connection.close()
    seen: list[tuple[int, int]] = []
    faults = sqlite.verify("ada", lambda done, total: seen.append((done, total)))
    assert [f.subject for f in faults] == ["0000", "0699", "1199"]
    assert seen == [(512, 1200), (1024, 1200), (1200, 1200)]


def test_verify_sees_one_moment_while_others_write(opened: Callable[..., SQLiteStore], path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    with beside("write_for", path, 1.0) as writer:
        assert heard(writer) == "began"
        for _ in range(5):
            assert store.verify("ada") == []
        heard(writer)
