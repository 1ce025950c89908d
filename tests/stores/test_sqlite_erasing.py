"""A purge leaves no byte behind: not in the tables, free pages, unused space, the log or the copies' way there."""

import random
import secrets
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
import pytest
from store_processes import beside, heard, run
from store_values import AT, MODEL, change, keep, memory, next_version, revise

from recollect.errors import StoreBusy
from recollect.model import AuditEntry, Memory
from recollect.ports import WORD_BYTES, Change, Changes, NewText
from recollect.stores.sqlite import SQLiteStore, erasing
from recollect.stores.sqlite.residue import remains

PIECE = 8
WRITTEN = {"text", "backwards", "terms", "vector", "words"}
Opened = Callable[..., SQLiteStore]


class Secret:
    """A text, terms and vectors that are nowhere else in the world."""

    def __init__(self, padding: int = 0, words: int = 2) -> None:
        # Six bits a letter: of hexadecimal ones, pieces of two secrets are the same every third run.
        self.token = secrets.token_urlsafe(36)
        self.text = f"my {self.token} secret {'x ' * padding}{self.token[::-1]}"
        self.terms = secrets.token_bytes(40)
        self.vector = secrets.token_bytes(16)
        self.words = secrets.token_bytes(WORD_BYTES * words)
        self.incoming = secrets.token_bytes(8)
        self.incoming_words = secrets.token_bytes(WORD_BYTES * 2)

    def change(self, one: Memory) -> Change:
        return Change(
            next_version(one, text=self.text, content=0) if one.content else one,
            NewText(self.terms, self.vector, self.words),
        )

    def left_in(self, path: Path) -> set[str]:
        """What of it can still be found in any file of the store."""
        files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
        data = b"\n".join(file.read_bytes() for file in files)
        parts = {
            "text": self.token.encode(),
            "backwards": self.token[::-1].encode(),
            "terms": self.terms,
            "vector": self.vector,
            "words": self.words,
            "incoming": self.incoming,
            "incoming words": self.incoming_words,
        }
        return {name for name, part in parts.items() if any(piece in data for piece in pieces(part))}


def pieces(part: bytes) -> list[bytes]:
    return [part[start : start + PIECE] for start in range(len(part) - PIECE + 1)]


def keep_secret(store: SQLiteStore, memory_id: str, secret: Secret, user: str = "ada") -> None:
    one = memory(memory_id, secret.text, metadata={"token": secret.token}, reason=secret.token)
    store.write(user, Changes("remember", AT, (secret.change(one),), model=MODEL))


@pytest.mark.parametrize("padding", [0, 200, 20_000])
def test_nothing_of_a_purged_memory_is_left(sqlite: SQLiteStore, path: Path, padding: int) -> None:
    secret, other = Secret(padding, words=1 + padding // 100), Secret()
    keep_secret(sqlite, "01", secret)
    keep_secret(sqlite, "02", other)
    assert secret.left_in(path) == WRITTEN
    sqlite.purge("ada", ["01"], AT)
    assert secret.left_in(path) == set()
    assert other.left_in(path) == WRITTEN
    assert sqlite.verify("ada") == []


def test_every_version_and_the_incoming_vectors_go_too(sqlite: SQLiteStore, path: Path) -> None:
    hidden = [Secret(), Secret(300), Secret()]
    keep_secret(sqlite, "01", hidden[0])
    for secret in hidden[1:]:
        old = sqlite.get("ada", "01")
        assert old is not None
        sqlite.write("ada", Changes("edit", AT, (secret.change(old),), model=MODEL))
    numbers = [number for number, *_ in sqlite.unembedded("new", 0, 10)]
    sqlite.embed("new", 4, [(n, s.incoming, s.incoming_words) for n, s in zip(numbers, hidden, strict=True)])
    assert all(secret.left_in(path) == WRITTEN | {"incoming", "incoming words"} for secret in hidden)
    erased = sqlite.purge("ada", ["01"], AT)
    assert erased.contents == tuple(numbers)
    assert [secret.left_in(path) for secret in hidden] == [set()] * 3
    assert sqlite.adopt("new")
    assert sqlite.verify("ada") == []


def test_nothing_of_a_replaced_models_vectors_is_left(sqlite: SQLiteStore, path: Path) -> None:
    secret = Secret(words=100)
    keep_secret(sqlite, "01", secret)
    number = sqlite.high_water("ada")[0]
    sqlite.embed("new", 4, [(number, secret.incoming, secret.incoming_words)])
    assert sqlite.adopt("new")
    sqlite.compact()
    assert secret.left_in(path) == {"text", "backwards", "terms", "incoming", "incoming words"}
    sqlite.purge("ada", ["01"], AT)
    assert secret.left_in(path) == set()


def test_words_that_only_a_moved_row_left_behind_are_looked_for(
    sqlite: SQLiteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[bytes] = []
    monkeypatch.setattr(erasing, "remains", lambda _, sought: searched.extend(sought))
    secret = Secret()
    keep_secret(sqlite, "01", secret)
    sqlite.embed("new", 4, [(sqlite.high_water("ada")[0], secret.incoming, secret.incoming_words)])
    sqlite.purge("ada", ["01"], AT)
    assert {secret.words, secret.incoming_words, secret.vector, secret.incoming} < {*searched}


def test_tags_sessions_and_counters_of_it_go_too(sqlite: SQLiteStore, path: Path) -> None:
    token = secrets.token_hex(12)
    keep(
        sqlite,
        memory("01", tags=(token,), session=token, actor=token, kind=token, channel=token),
        memory("02"),
    )
    revise(sqlite, "01", tags=(token + "2",))
    sqlite.touch("ada", {"01": (1, AT)})
    sqlite.purge("ada", ["01"], AT)
    data = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert token.encode() not in data
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT count(*) FROM tag").get == 0
    assert connection.execute("SELECT count(*) FROM counter").get == 0
    connection.close()


def test_what_the_audit_quotes_of_it_goes_too(sqlite: SQLiteStore, path: Path) -> None:
    asked, quoted, other = (secrets.token_urlsafe(36) for _ in range(3))
    keep(sqlite, memory("01", f"the word is {quoted}"), memory("02"))
    told = {
        "r1": (asked, ("01",)),
        "r2": (f"is it so that the WORD is {quoted}?", ()),
        "r3": (other, ("02",)),
    }
    sqlite.note(
        "ada",
        [AuditEntry(name, AT, "recall", ids=ids, detail={"question": q}) for name, (q, ids) in told.items()],
    )
    sqlite.purge("ada", ["01"], AT)
    data = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert [text.encode() in data for text in (asked, quoted, other)] == [False, False, True]


def test_it_goes_while_another_connection_is_open(opened: Opened, path: Path) -> None:
    secret = Secret()
    store, other = opened(), opened()
    keep_secret(store, "01", secret)
    assert other.get("ada", "01") is not None
    store.purge("ada", ["01"], AT)
    assert secret.left_in(path) == set()
    assert other.get("ada", "01") is None


def test_it_waits_for_a_reader_in_another_process(opened: Opened, path: Path) -> None:
    secret = Secret()
    store = opened()
    keep_secret(store, "01", secret)
    with beside("read_and_stay", path, 0.6) as reader:
        assert heard(reader) == "reading"
        store.purge("ada", ["01"], AT)
    assert secret.left_in(path) == set()


def test_a_reader_that_stays_too_long_is_told_and_the_rest_done_later(
    opened: Opened, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "LOG_WAIT_SECONDS", 0.1)
    secret = Secret()
    store = opened()
    keep_secret(store, "01", secret)
    with beside("read_and_stay", path, 60) as reader:
        assert heard(reader) == "reading"
        with pytest.raises(StoreBusy, match="compact"):
            store.purge("ada", ["01"], AT)
        assert store.get("ada", "01") is None
        assert [fault.subject for fault in store.verify("ada")] == ["file"]
    store.compact()
    assert secret.left_in(path) == set()
    assert store.verify("ada") == []


def test_a_kill_before_the_bytes_are_gone_is_found_and_mended(opened: Opened, path: Path) -> None:
    secret = Secret()
    store = opened()
    keep_secret(store, "01", secret)
    assert run("purge_and_die", path, "01").returncode == 9
    assert store.get("ada", "01") is None
    assert "compact" in store.verify("ada")[0].problem
    store.compact()
    assert secret.left_in(path) == set()
    assert store.verify("ada") == []


def test_a_purge_that_fails_erases_nothing(sqlite: SQLiteStore, path: Path) -> None:
    secret = Secret()
    keep_secret(sqlite, "01", secret)
    with pytest.raises(LookupError):
        sqlite.purge("ada", ["01", "02"], AT)
    assert secret.left_in(path)
    assert sqlite.verify("ada") == []


def test_compact_gives_space_back_and_keeps_everything(sqlite: SQLiteStore, path: Path) -> None:
    keep(sqlite, *(memory(f"{n:03}", f"{n} " + "x" * 2000) for n in range(300)))
    sqlite.purge("ada", [f"{n:03}" for n in range(1, 300)], AT)
    before = path.stat().st_size
    sqlite.compact()
    assert path.stat().st_size < before / 3
    assert sqlite.verify("ada") == []
    assert sqlite.get("ada", "000") is not None


# what SQLite leaves behind when rows move between pages


def churned(store: SQLiteStore, seed: int, rounds: int) -> dict[tuple[str, str], Secret]:
    """Users write in turn, so that rows move; gives what was kept."""
    chance = random.Random(seed)
    kept: dict[tuple[str, str], Secret] = {}
    for step in range(rounds):
        user = chance.choice(("ada", "bob", "cyd"))
        batch = []
        for place in range(chance.choice((1, 3, 10))):
            secret = Secret(chance.choice((1, 3, 10, 30, 100, 300)), words=chance.choice((1, 2, 6)))
            one = memory(f"{step:04}-{place:02}", secret.text)
            batch.append(secret.change(one))
            kept[user, one.id] = secret
        store.write(user, Changes("observe", AT, tuple(batch), model=MODEL))
    return kept


def test_a_plain_delete_leaves_pieces_of_moved_rows_which_are_found(sqlite: SQLiteStore, path: Path) -> None:
    """The reason for `residue`, and the proof that the test after this one proves something."""
    churned(sqlite, 1, 120)
    sqlite.close()
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA secure_delete = ON")
    texts = dict(connection.execute("SELECT number, text FROM content").fetchall())
    gone = random.Random(0).sample(sorted(texts), len(texts) // 2)
    for number in gone:
        connection.execute("DELETE FROM content WHERE number = ?", (number,))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = path.read_bytes()
    left = [texts[number].encode() for number in gone if texts[number][:40].encode() in data]
    if not left:
        pytest.skip("this SQLite leaves nothing behind")
    assert all(remains(path, [text]) for text in left)
    assert not remains(path, [Secret().token.encode()])


@pytest.mark.slow
def test_nothing_is_left_of_rows_that_were_moved(sqlite: SQLiteStore, path: Path) -> None:
    kept = churned(sqlite, 2, 250)
    chance = random.Random(3)
    chosen = chance.sample(sorted(kept), 150)
    for count, (user, memory_id) in enumerate(chosen):
        sqlite.purge(user, [memory_id], AT)
        assert kept[user, memory_id].left_in(path) == set(), (user, memory_id)
        keep(sqlite, memory(f"more{count:03}", "y" * (count * 37 % 900)), user=user)
    for user in ("ada", "bob", "cyd"):
        assert sqlite.verify(user) == []


def test_only_unused_space_is_searched(sqlite: SQLiteStore, path: Path) -> None:
    secret = Secret()
    keep_secret(sqlite, "01", secret)
    sqlite.close()
    assert not remains(path, [secret.text.encode(), secret.terms]), "what is in use does not count"


@pytest.mark.parametrize("piece", [b"abc", b"abcdefgh", b"0123abcdefgh4567"])
def test_a_piece_in_unused_space_is_found(sqlite: SQLiteStore, path: Path, piece: bytes) -> None:
    sqlite.close()
    data = bytearray(path.read_bytes())
    page = next(start for start in range(4096, len(data), 4096) if data[start] == 13)
    data[page + 100 : page + 100 + len(piece)] = piece
    path.write_bytes(data)
    assert remains(path, [piece])
    assert remains(path, [b"........" + piece]) == (len(piece) >= PIECE)
    assert not remains(path, [b"zzz", b"not there at all"])
    assert not remains(path, [b"", bytes(100)]), "zeros are no remains"
    assert not remains(path, [])


def test_a_piece_cut_out_of_a_longer_text_is_found(sqlite: SQLiteStore, path: Path) -> None:
    sqlite.close()
    text = np.random.default_rng(0).bytes(5000)
    data = bytearray(path.read_bytes())
    page = next(start for start in range(4096, len(data), 4096) if data[start] == 13)
    data[page + 64 : page + 64 + PIECE] = text[3001 : 3001 + PIECE]
    path.write_bytes(data)
    assert remains(path, [text])


# what a tombstone refuses


@pytest.mark.parametrize(
    "again", ["My Secret Text", "my  secret\ntext", "MY SECRET TEXT ", "\tmy secret text"]
)
def test_the_same_text_is_refused_in_any_case_and_spacing(sqlite: SQLiteStore, again: str) -> None:
    keep(sqlite, memory("01", "My secret text"))
    sqlite.purge("ada", ["01"], AT)
    assert keep(sqlite, memory("02", again))[0].refusal == "tombstone"
    assert keep(sqlite, memory("03", again + "!"))[0].refusal is None


def test_a_tombstone_does_not_tell_the_text(opened: Opened, tmp_path: Path) -> None:
    """It is keyed with the store's secret: the same text has another mark in another store."""
    marks = []
    for name in ("a.db", "b.db"):
        store = opened(tmp_path / name)
        store.write("ada", Changes("remember", AT, (change(memory("01", "yes")),), model=MODEL))
        store.purge("ada", ["01"], AT)
        marks += store.tombstones("ada")
    assert len(set(marks)) == 2
