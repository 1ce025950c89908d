"""The same memories in one PostgreSQL for pgvector and for the derived index, and what keeping them costs."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.types import TypeInfo
from tests.postgres_server import Server

from benchmarks.measure import summary
from benchmarks.pgvector_rows import Tenant
from recollect.language.terms import term_hashes
from recollect.model import Lane, State
from recollect.ports import Document, Visibility
from recollect.stores.feeding import vectors_of

DATABASE = "pgvector"
START = datetime(2026, 1, 1, tzinfo=UTC)
PARTITIONS = 8
PARTITIONED = {
    "memory": """tenant bigint, number bigint, text text NOT NULL, embedding halfvec(384) NOT NULL,
        simple tsvector GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED,
        english tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED,
        PRIMARY KEY (tenant, number)""",
    "held": "tenant bigint, content bigint, data bytea NOT NULL, PRIMARY KEY (tenant, content)",
    "posting": """tenant bigint, lexeme text COLLATE "C", number bigint, times smallint, length smallint,
        PRIMARY KEY (tenant, lexeme, number) INCLUDE (times, length)""",
}
OTHERS = """
CREATE TABLE ledger (tenant bigint PRIMARY KEY, last bigint NOT NULL, mean_length float8);
CREATE TABLE lexeme (tenant bigint, lexeme text COLLATE "C", documents bigint, PRIMARY KEY (tenant, lexeme))
"""
"""`ledger` and `lexeme` have what BM25 must know of a tenant: how many texts, how long, and who has a word."""
OWN = "tenant = (SELECT nullif(current_setting('recollect.tenant', true), '')::bigint)"
INDEXES = {
    "hnsw": "CREATE INDEX hnsw ON memory USING hnsw (embedding halfvec_cosine_ops)",
    "gin_simple": "CREATE INDEX gin_simple ON memory USING gin (simple)",
    "gin_english": "CREATE INDEX gin_english ON memory USING gin (english)",
}
COUNTED = """
INSERT INTO posting SELECT m.tenant, w.lexeme, m.number, least(cardinality(w.positions), 99),
    sum(cardinality(w.positions)) OVER (PARTITION BY m.tenant, m.number) FROM memory m, unnest(m.english) w;
INSERT INTO lexeme SELECT tenant, lexeme, count(*) FROM posting GROUP BY 1, 2;
UPDATE ledger t SET mean_length = p.mean
    FROM (SELECT tenant, sum(times)::float8 / count(DISTINCT number) mean FROM posting GROUP BY 1) p
    WHERE p.tenant = t.tenant
"""


def made(server: Server) -> psycopg.Connection[Any]:
    """A connection to a database of that name, new and empty."""
    with psycopg.connect(server.address(role="postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
        connection.execute(f"CREATE DATABASE {DATABASE}")
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'agents'").fetchone():
            connection.execute("CREATE ROLE agents LOGIN")
    connection = opened(server, "postgres")
    for name, columns in PARTITIONED.items():
        connection.execute(f"CREATE TABLE {name} ({columns}) PARTITION BY HASH (tenant)")
        for at in range(PARTITIONS):
            connection.execute(
                f"CREATE TABLE {name}_{at} PARTITION OF {name} FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {at})"
            )
    connection.execute(OTHERS)
    connection.execute(
        f"ALTER TABLE memory ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON memory USING ({OWN})"
    )
    connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO agents")
    return connection


def opened(server: Server, role: str) -> psycopg.Connection[Any]:
    """A connection that sends arrays of numpy as halfvec."""
    connection = psycopg.connect(server.address(DATABASE, role), autocommit=True)
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    found = TypeInfo.fetch(connection, "halfvec")
    assert found is not None
    dumper = type("HalfvecDumper", (_Halfvec,), {"oid": found.oid})
    connection.adapters.register_dumper(np.ndarray, dumper)
    return connection


class _Halfvec(Dumper):
    format = Format.BINARY

    def dump(self, obj: NDArray[Any]) -> bytes:
        return halfvec(obj)


def halfvec(vector: NDArray[Any]) -> bytes:
    """As pgvector receives it."""
    return len(vector).to_bytes(2, "big") + b"\0\0" + vector.astype(">f2").tobytes()


def fill(connection: psycopg.Connection[Any], everyone: list[Tenant]) -> dict[str, Any]:
    """All rows, then the indexes one after another: how long each takes and how large it is."""
    with connection.cursor() as cursor:
        with cursor.copy("COPY memory (tenant, number, text, embedding) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int8", "int8", "text", "bytea"])
            for tenant in everyone:
                for number, (text, vector) in enumerate(zip(tenant.texts, tenant.vectors, strict=True), 1):
                    copy.write_row((tenant.number, number, text, halfvec(vector)))
        with cursor.copy("COPY held FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int8", "int8", "bytea"])
            for tenant in everyone:
                for number, vector in enumerate(tenant.vectors, 1):
                    copy.write_row((tenant.number, number, vector.tobytes()))
        cursor.executemany(
            "INSERT INTO ledger VALUES (%s, %s)", [(tenant.number, len(tenant.texts)) for tenant in everyone]
        )
    seconds = {name: _seconds(connection, statement) for name, statement in INDEXES.items()}
    seconds["postings"] = _seconds(connection, COUNTED)
    connection.execute("VACUUM ANALYZE")
    rows = sum(len(tenant.texts) for tenant in everyone)
    sizes = {
        "text": "sum(octet_length(text)) FROM memory",
        "halfvec": "sum(pg_column_size(embedding)) FROM memory",
        "tsvector_simple": "sum(pg_column_size(simple)) FROM memory",
        "tsvector_english": "sum(pg_column_size(english)) FROM memory",
        "table_without_indexes": _size("memory", "pg_table_size"),
        "key": _size("memory_pkey", "pg_relation_size"),
        **{name: _size(name, "pg_relation_size") for name in INDEXES},
        "postings_and_their_key": _size("posting", "pg_total_relation_size"),
        "bytea_and_its_key": _size("held", "pg_total_relation_size"),
    }
    return {
        "rows": rows,
        "build_seconds": seconds,
        "bytes_a_row": {
            name: round(connection.execute(f"SELECT {what}").fetchone()[0] / rows)
            for name, what in sizes.items()
        },
    }


def inserting(connection: psycopg.Connection[Any], tenant: Tenant, rows: int) -> dict[str, Any]:
    """Milliseconds of an insert, one a transaction that is durable: with all indexes, then with ever fewer."""
    rng, took = np.random.default_rng(9), {}
    first = len(tenant.texts)
    for name, dropped in (
        ("with_all", None),
        ("without_hnsw", "hnsw"),
        ("without_hnsw_and_gin", "gin_simple, gin_english"),
    ):
        if dropped:
            connection.execute(f"DROP INDEX {dropped}")
        connection.execute("CHECKPOINT")
        times, cpu = [], server_cpu_ms(connection)
        for number in range(first, first + rows):
            at = int(rng.integers(len(tenant.texts)))
            vector = tenant.vectors[at] + 0.02 * rng.standard_normal(tenant.vectors.shape[1])
            row = (tenant.number, number + 1, tenant.texts[at], vector)
            began = time.perf_counter()
            connection.execute(
                "INSERT INTO memory (tenant, number, text, embedding) VALUES (%s, %s, %s, %s)", row
            )
            times.append((time.perf_counter() - began) * 1e3)
        took[name] = {
            "ms": summary(times),
            "server_cpu_ms": round((server_cpu_ms(connection) - cpu) / rows, 2),
        }
        first += rows
    return took


def server_cpu_ms(connection: psycopg.Connection[Any]) -> float:
    """What the server's side of a connection has taken of the processor."""
    return int(Path(f"/proc/{connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e6


def _seconds(connection: psycopg.Connection[Any], statement: str) -> float:
    began = time.perf_counter()
    connection.execute(statement)
    return round(time.perf_counter() - began, 1)


def _size(of: str, measure: str) -> str:
    """Of a table or index with all of its partitions."""
    return f"sum({measure}(relid)) FROM pg_partition_tree('{of}')"


class Fed:
    """What the derived index follows: texts from here, its running number and vectors from the server, as our store."""

    identity = "pgvector"

    def __init__(self, connection: psycopg.Connection[Any], everyone: list[Tenant]) -> None:
        self._connection = connection
        self._tenants = {str(tenant.number): tenant for tenant in everyone}

    def documents(self, user: str, after: int, limit: int) -> list[Document]:
        return [
            Document(number, term_hashes(text).tobytes(), vector.tobytes(), None, False)
            for number, text, vector in self._following(user, after, limit)
        ]

    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]:
        return [
            Visibility(
                *(number, number, None, Lane.MEMORY, State.ACTIVE, "_global", None, START, None, 1.0, 0.5)
            )
            for number, _, _ in self._following(user, after, limit)
        ]

    def high_water(self, user: str) -> tuple[int, int]:
        found = self._connection.execute(
            "SELECT last, last FROM ledger WHERE tenant = %s", (int(user),), prepare=True, binary=True
        )
        return found.fetchone()

    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        found = self._connection.execute(
            "SELECT content, data FROM held WHERE tenant = %s AND content = ANY(%s) ORDER BY content",
            (int(user), contents),
            prepare=True,
            binary=True,
        )
        return vectors_of(found.fetchall())

    def _following(self, user: str, after: int, limit: int) -> Iterator[tuple[int, str, NDArray[np.float16]]]:
        tenant = self._tenants[user]
        upto = slice(max(after, 0), max(after, 0) + limit)
        return zip(count(upto.start + 1), tenant.texts[upto], tenant.vectors[upto], strict=False)
