"""A server that stops, is busy, or was tampered with."""

import signal
import threading
import time

import psycopg
import pytest
from store_values import AT, EVERYTHING, ids, keep, memory, revise

from postgres_server import ROLE, Databases, server
from recollect.errors import StoreBusy, StoreUnavailable
from recollect.model import AuditEntry, Edge
from recollect.stores.postgres import PostgresStore

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def own_server():
    """One that may be stopped, and writes to its log what is committed and nothing before."""
    with server() as made:
        for lazy in ("wal_writer_delay = '10s'", "autovacuum = off"):
            configure(made, lazy)
        yield made


def configure(made, setting):
    with psycopg.connect(made.address(role="postgres"), autocommit=True) as superuser:
        superuser.execute(f"ALTER SYSTEM SET {setting}".encode())
        superuser.execute(b"SELECT pg_reload_conf()")


@pytest.fixture(scope="module")
def databases(own_server):
    return Databases(own_server.address())


@pytest.fixture
def address(databases):
    taken = databases.take()
    yield taken
    databases.give(taken)


def test_a_server_that_is_not_there_is_told_in_time(tmp_path):
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"does not answer.*try again"):
        PostgresStore(f"postgresql://ada@/x?host={tmp_path}&wait_seconds=0.5")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
def test_a_store_goes_on_after_its_server_was_away(own_server, address, how):
    store = PostgresStore(f"{address}&wait_seconds=0.3")
    keep(store, memory("01"))
    own_server.stop(how)
    with pytest.raises(StoreUnavailable):
        store.get("ada", "01")
    with pytest.raises(StoreUnavailable):
        keep(store, memory("02"))
    own_server.start()
    assert ids(store.find("ada", EVERYTHING)) == ["01"]
    keep(store, memory("02"))
    assert store.verify("ada") == []
    store.close()


def test_a_short_absence_is_waited_out(own_server, address):
    store = PostgresStore(f"{address}&wait_seconds=30")
    keep(store, memory("01"))
    own_server.stop()
    threading.Timer(0.5, own_server.start).start()
    keep(store, memory("02"))
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]
    store.close()


def test_a_commit_whose_answer_was_lost_is_not_done_twice(address, monkeypatch):
    store = PostgresStore(address)
    keep(store, memory("01"))
    execute, lost = psycopg.Connection.execute, []

    def losing(self, query, *args, **options):
        done = execute(self, query, *args, **options)
        if query == b"COMMIT" and not lost:
            lost.append(self)
            self.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return done

    monkeypatch.setattr(psycopg.Connection, "execute", losing)
    keep(store, memory("02"))
    monkeypatch.undo()
    assert lost
    assert len(store.witness("ada")) == 2
    assert store.verify("ada") == []
    store.close()


def test_a_commit_that_did_not_reach_the_server_is_done_again(address, monkeypatch):
    store = PostgresStore(address)
    keep(store, memory("01"))
    execute, lost = psycopg.Connection.execute, []

    def losing(self, query, *args, **options):
        if query == b"COMMIT" and not lost:
            lost.append(self)
            self.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return execute(self, query, *args, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", losing)
    keep(store, memory("02"))
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]
    assert len(store.witness("ada")) == 2
    store.close()


def number_of(connection):
    """What the server calls the transaction."""
    return int(connection.execute("SELECT pg_current_xact_id()::text").fetchone()[0])


def crash_before_the_commit(own_server, monkeypatch, meanwhile=lambda number: None):
    """The next transaction loses its server, which comes back and has never heard of it."""
    execute, lost = psycopg.Connection.execute, []

    def crashing(self, query, *args, **options):
        if query == b"COMMIT" and not lost:
            lost.append(number_of(self))
            own_server.stop(signal.SIGQUIT)
            own_server.start()
            meanwhile(lost[0])
        return execute(self, query, *args, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", crashing)
    return lost


def test_a_commit_that_a_crashed_server_never_heard_of_is_done_again(own_server, address, monkeypatch):
    store = PostgresStore(address)
    keep(store, memory("01"))
    lost = crash_before_the_commit(own_server, monkeypatch)
    keep(store, memory("02"))
    assert lost
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]
    assert store.verify("ada") == []
    store.close()


def test_a_number_that_a_crashed_server_gave_to_another_proves_nothing(own_server, address, monkeypatch):
    store = PostgresStore(address)
    keep(store, memory("01"))
    given = [0]

    def others(number):
        with psycopg.connect(address, autocommit=True) as other:
            while given[-1] < number:
                given.append(number_of(other))

    lost = crash_before_the_commit(own_server, monkeypatch, others)
    keep(store, memory("02"))
    assert lost[0] in given
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]
    assert store.verify("ada") == []
    store.close()


def test_a_commit_that_goes_on_after_its_connection_broke_is_waited_for(own_server, address, monkeypatch):
    """As when a standby has to confirm it: until then nobody knows how it ends, and done again it were there twice."""
    store = PostgresStore(f"{address}&connections=1&wait_seconds=30")
    keep(store, memory("01"))
    execute, lost = psycopg.Connection.execute, []

    def confirmed_by(standby):
        configure(own_server, f"synchronous_standby_names = '{standby}'")

    def breaking(self, query, *args, **options):
        if query == b"COMMIT" and not lost:
            lost.append(self)
            confirmed_by("nobody")
            time.sleep(0.5)
            self.pgconn.send_query(b"COMMIT")
            self.pgconn.flush()
            time.sleep(0.5)
            self.close()
            threading.Timer(1, confirmed_by, [""]).start()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return execute(self, query, *args, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", breaking)
    keep(store, memory("02"))
    monkeypatch.undo()
    assert lost
    assert len(store.witness("ada")) == 2
    assert store.verify("ada") == []
    store.close()


def test_a_deadlock_is_tried_again(address):
    store = PostgresStore(address)
    keep(store, memory("01"))
    tries = []

    def unlucky(session):
        tries.append(session)
        if len(tries) < 3:
            raise psycopg.errors.DeadlockDetected("deadlock detected")
        return session.value("SELECT 7")

    assert store._sessions.writing(1, unlucky) == 7
    assert len(tries) == 3
    store.close()


def test_a_statement_that_takes_too_long_is_given_up(address):
    store = PostgresStore(f"{address}&timeout_seconds=0.2")
    keep(store, memory("01"))
    with psycopg.connect(address) as other:
        other.execute(b"SET recollect.everyone = on; LOCK TABLE recollect.ledger")
        with pytest.raises(StoreBusy, match="try again"):
            keep(store, memory("02"))
    assert ids(store.find("ada", EVERYTHING)) == ["01"]
    store.close()


def test_counting_does_not_wait_for_a_writer(address):
    store = PostgresStore(address)
    keep(store, memory("01"))
    with psycopg.connect(address) as other:
        other.execute(b"SET recollect.everyone = on; SELECT 1 FROM recollect.ledger FOR UPDATE")
        assert store.touch("ada", {"01": (1, AT)}) is False
    assert store.touch("ada", {"01": (1, AT)}) is True
    store.close()


def test_all_connections_in_use_is_a_busy_store(address):
    store = PostgresStore(f"{address}&connections=1&wait_seconds=0.2")
    keep(store, memory("01"))
    held, done = threading.Event(), threading.Event()

    def hold():
        with store.reading():
            store.get("ada", "01")
            held.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    with pytest.raises(StoreBusy, match="connections"):
        store.get("ada", "01")
    done.set()
    thread.join()
    assert store.get("ada", "01") is not None
    store.close()


def test_writers_at_once_lose_nothing(address):
    stores = [PostgresStore(address) for _ in range(4)]

    def write(store, name):
        for number in range(15):
            keep(store, memory(f"{name}{number:02}"), user="ada" if number % 2 else name)

    threads = [
        threading.Thread(target=write, args=(store, name)) for store, name in zip(stores, "wxyz", strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores[0].find("ada", EVERYTHING)) == 28
    for user in stores[1].users():
        assert stores[2].verify(user) == []
    assert sum(len(stores[3].find(user, EVERYTHING)) for user in stores[3].users()) == 60
    for store in stores:
        store.close()


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE content SET text = 'forged' WHERE text = 'text of 01'", "01"),
        ("UPDATE version SET confidence = 0.1 WHERE version = 1", "version 1 was changed"),
        ("UPDATE edge SET type = 'mentions'", "edge"),
        ("DELETE FROM version WHERE version = 2", "01"),
        ("DELETE FROM witness WHERE sequence = 2", "witness 2"),
        ("UPDATE witness SET operation = 'x' WHERE sequence = 1", "witness 1"),
        ("UPDATE content SET metadata = '{' WHERE text = 'text of 01'", "cannot be read"),
        ("DELETE FROM tag", "tags"),
        ("UPDATE vector SET data = 'x'", "vector"),
        ("DELETE FROM node WHERE id = '02'", "missing"),
    ],
)
def test_verify_names_what_was_changed_behind_the_engines_back(address, statement, named):
    store = PostgresStore(address)
    keep(store, memory("01", tags=("t",)), memory("02"), edges=[Edge("01", "02", "causes")])
    revise(store, "01", pinned=True)
    assert store.verify("ada") == []
    with psycopg.connect(address) as other:
        other.execute(b"SET search_path = recollect; SET recollect.everyone = on")
        assert other.execute(statement.encode()).rowcount > 0
    faults = store.verify("ada")
    assert any(named in f"{fault.subject} {fault.problem}" for fault in faults), faults
    store.close()


def test_an_erased_text_is_in_no_table(databases):
    address = databases.new()
    store = PostgresStore(address)
    keep(store, memory("01", "Xyzzy the secret word", metadata={"why": "plugh"}), memory("02"))
    revise(store, "01", text="Xyzzy again")
    store.note("ada", [AuditEntry("r1", AT, "recall", ids=("01",), detail={"question": "plugh?"})])
    store.purge("ada", ["01"], AT)
    with psycopg.connect(address) as connection:
        connection.execute(b"SET search_path = recollect; SET recollect.everyone = on")
        names = connection.execute(
            b"SELECT relname FROM pg_class WHERE relnamespace = 'recollect'::regnamespace AND relkind = 'p'"
        ).fetchall()
        for (name,) in names:
            found = connection.execute(f"SELECT t::text FROM {name} t".encode()).fetchall()
            assert not [row for row in found if "xyzzy" in row[0].lower() or "plugh" in row[0]], name
    # Counted in the tables themselves: the server's statistics are told late, also those of others.
    with psycopg.connect(address.replace(f"//{ROLE}@", "//postgres@")) as superuser:
        superuser.execute(b"CREATE EXTENSION IF NOT EXISTS pgstattuple SCHEMA public")
        dead = superuser.execute(
            b"SELECT sum((public.pgstattuple(oid)).dead_tuple_count) FROM pg_class"
            b" WHERE relnamespace = 'recollect'::regnamespace AND relkind = 'r' AND relname ~ '^(content|audit)'"
        ).fetchone()[0]
    assert dead == 0, "its space was cleared"
    store.close()
