"""The audit's months on a server: made ahead, guarded like every table, and dropped whole when nobody keeps them."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from store_values import AT, keep, memory

from recollect.errors import StoreBusy
from recollect.model import AuditEntry, AuditFilter
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.months import AHEAD

pytestmark = pytest.mark.server

MARCH = datetime(2026, 3, 15, tzinfo=UTC)
GUARDED = """SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, p.qual FROM pg_class c
LEFT JOIN pg_policies p ON p.schemaname = 'recollect' AND p.tablename = c.relname
WHERE c.relnamespace = 'recollect'::regnamespace AND c.relname ~ '^audit' AND c.relkind IN ('r', 'p') ORDER BY 1"""


@pytest.fixture
def store(postgres_address):
    made = PostgresStore(postgres_address)
    yield made
    made.close()


def read(at, name="r"):
    return AuditEntry(f"{name} {at:%Y-%m-%d}", at, "recall")


def months(address):
    with psycopg.connect(address) as connection:
        found = connection.execute(GUARDED.encode()).fetchall()
    return [name for name, *_ in found if name[-1].isdigit()]


def held(address, table):
    with psycopg.connect(address) as connection:
        connection.execute(b"SET LOCAL search_path = recollect; SET LOCAL recollect.everyone = on")
        return [
            one for (one,) in connection.execute(f"SELECT id FROM {table} ORDER BY 1".encode()).fetchall()
        ]


def day_after_day(store, *days, before=None, everyones=None, user="ada"):
    for at in days:
        store.forget_reads(user, before, at, lambda: everyones)


def test_this_month_and_the_next_are_made_ahead_and_hold_what_is_theirs(store, postgres_address):
    day_after_day(store, MARCH)
    assert months(postgres_address) == ["audit_202603", "audit_202604", "audit_202605"]
    assert len(months(postgres_address)) == 1 + AHEAD
    store.note("ada", [read(MARCH), read(datetime(2026, 4, 1, tzinfo=UTC)), read(AT)])
    assert held(postgres_address, "audit_202603") == ["r 2026-03-15"]
    assert held(postgres_address, "audit_202604") == ["r 2026-04-01"]
    assert held(postgres_address, "audit_default") == ["r 2026-01-01"], "no month was there for it"
    assert len(store.reads("ada", AuditFilter(), limit=10)) == 3


def test_every_month_is_guarded_like_the_whole(store, postgres_address):
    day_after_day(store, MARCH)
    with psycopg.connect(postgres_address) as connection:
        found = connection.execute(GUARDED.encode()).fetchall()
    assert len(found) == 2 + 1 + AHEAD
    assert all(guarded for _, guarded, _ in found)
    assert len({policy for *_, policy in found}) == 1


def test_what_lay_in_the_default_partition_moves_into_its_month(store, postgres_address):
    store.note("ada", [read(MARCH)])
    store.note("bob", [read(MARCH), read(AT)])
    day_after_day(store, MARCH)
    assert held(postgres_address, "audit_202603") == ["r 2026-03-15"] * 2
    assert held(postgres_address, "audit_default") == ["r 2026-01-01"]
    assert [one.id for one in store.reads("bob", AuditFilter(), limit=9)] == ["r 2026-03-15", "r 2026-01-01"]


def test_a_month_that_nobody_keeps_anything_of_is_dropped_whole(store, postgres_address):
    day_after_day(store, MARCH)
    store.note("ada", [read(MARCH)])
    store.note("bob", [read(MARCH)])
    later = datetime(2026, 6, 20, tzinfo=UTC)
    day_after_day(store, later, before=later, everyones=later - timedelta(days=60))
    assert "audit_202603" not in months(postgres_address)
    assert "audit_202604" not in months(postgres_address), "nothing was in it"
    assert "audit_202606" in months(postgres_address)
    assert store.reads("bob", AuditFilter(), limit=9) == []


def test_a_month_that_somebody_keeps_stays_for_them(store, postgres_address):
    day_after_day(store, MARCH)
    store.note("ada", [read(MARCH)])
    store.note("bob", [read(MARCH)])
    later = datetime(2026, 6, 20, tzinfo=UTC)
    day_after_day(store, later, before=later - timedelta(days=30), everyones=None)
    assert held(postgres_address, "audit_202603") == ["r 2026-03-15"]
    assert len(store.reads("bob", AuditFilter(), limit=9)) == 1
    assert store.reads("ada", AuditFilter(), limit=9) == []


def test_the_partitions_are_looked_after_once_a_day(store, postgres_address):
    asked = []
    for user in ("ada", "bob"):
        keep(store, memory("01"), user=user)
        store.forget_reads(user, MARCH - timedelta(days=9), MARCH, lambda: asked.append(1))
    assert asked == [1]
    store.forget_reads("ada", MARCH, MARCH + timedelta(days=1), lambda: asked.append(2))
    assert asked == [1, 2]


def test_who_does_not_own_the_tables_notes_and_forgets_all_the_same(store, postgres_address):
    keep(store, memory("01"))
    with psycopg.connect(postgres_address.replace("//agents@", "//postgres@"), autocommit=True) as superuser:
        superuser.execute(b"DROP ROLE IF EXISTS guest")
        superuser.execute(b"CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA recollect TO guest")
        superuser.execute(b"GRANT ALL ON ALL TABLES IN SCHEMA recollect TO guest")
    guest = PostgresStore(postgres_address.replace("//agents@", "//guest@"))
    try:
        guest.note("ada", [read(MARCH)])
        assert guest.forget_reads("ada", MARCH + timedelta(days=1), MARCH, lambda: None) == 1
        assert months(postgres_address) == []
    finally:
        guest.close()
        with psycopg.connect(
            postgres_address.replace("//agents@", "//postgres@"), autocommit=True
        ) as superuser:
            superuser.execute(b"DROP OWNED BY guest; DROP ROLE guest")


def test_a_reader_that_stays_does_not_let_everybody_wait(store, postgres_address, monkeypatch):
    monkeypatch.setattr("recollect.stores.postgres.months.LOCK_SECONDS", 0.1)
    monkeypatch.setattr("recollect.stores.postgres.session.TRIES", 1)
    with psycopg.connect(postgres_address) as reader:
        reader.execute(b"SELECT count(*) FROM recollect.audit_default")
        with pytest.raises(StoreBusy):
            day_after_day(store, MARCH)
    day_after_day(store, MARCH)
    assert len(months(postgres_address)) == 1 + AHEAD
