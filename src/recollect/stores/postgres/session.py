"""One transaction, as the store's parts use it, and how transactions begin, are tried again and end."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from psycopg import sql

from recollect.errors import StoreUnavailable
from recollect.stores.address import Address
from recollect.stores.postgres.pool import Connection, Pool
from recollect.stores.postgres.replica import Replica
from recollect.stores.postgres.telling import AGAIN, is_lost, told
from recollect.stores.rows import Row

T = TypeVar("T")
Bound = Mapping[str, Any] | Sequence[Any] | None

NOBODY, EVERYONE = -1, 0
"""Instead of a user's number: sees no row; sees those of all, for what concerns the whole store."""
TRIES = 8
FIRST_PAUSE_SECONDS = 0.01
LONGEST_PAUSE_SECONDS = 0.5


class Transaction:
    """A connection on which a transaction goes on, and whose rows it sees at the moment."""

    def __init__(self, connection: Connection, tenant: int) -> None:
        self.connection = connection
        self.tenant = tenant
        self.number = ""
        """What the server calls it, where it writes: whoever loses its answer asks by that."""
        self.link: tuple[int, int, bytes] | None = None
        """What it added to a tenant's chain, by tenant, sequence and hash: nobody else's is the same."""
        self.known: dict[tuple[int, str, Bound], list[Row]] = {}
        """What was asked already, where it only reads: the answer stays the same."""

    def seen_by(self, tenant: int) -> Connection:
        """The connection, with only this tenant's rows in sight."""
        if tenant != self.tenant:
            self.connection.execute(_whose(tenant))
            self.tenant = tenant
        return self.connection


class Session:
    """A transaction as the store's parts use it: each of its queries sees the rows of one tenant."""

    def __init__(self, transaction: Transaction, tenant: int) -> None:
        self._transaction = transaction
        self.tenant = tenant

    @property
    def connection(self) -> Connection:
        return self._transaction.seen_by(self.tenant)

    def rows(self, query: str, bound: Bound = None) -> list[Row]:
        """Every row of a query."""
        return self.connection.execute(query, bound, binary=True).fetchall()

    def known(self, query: str, bound: tuple[Any, ...] | None = None) -> list[Row]:
        """The same for what is asked again and again by who reads: one view has one answer."""
        key = (self.tenant, query, bound)
        found = self._transaction.known.get(key)
        if found is None:
            found = self._transaction.known[key] = self.rows(query, bound)
        return found

    def value(self, query: str, bound: Bound = None) -> Any:
        """The one value that a query gives, or None."""
        found = self.rows(query, bound)
        return found[0][0] if found else None

    def pairs(self, query: str, bound: Bound = None) -> dict[str, Any]:
        """The rows of a query of names and values."""
        return {name: found for name, found in self.rows(query, bound)}  # noqa: C416 - mypy knows no dict of rows

    def execute(self, query: str, bound: Bound = None) -> None:
        """A statement whose result is not needed."""
        self.connection.execute(query, bound)

    def executemany(self, query: str, bounds: Sequence[Bound]) -> None:
        """A statement for each of some bindings."""
        if bounds:
            with self.connection.cursor() as cursor:
                cursor.executemany(query, bounds)  # type: ignore[arg-type]

    def sealed(self, sequence: int, link: bytes) -> None:
        """Tells by which link of the tenant's chain the transaction can be known when it is over."""
        self._transaction.link = self.tenant, sequence, link

    def become(self, tenant: int) -> None:
        """Sees this tenant's rows from here on."""
        self.tenant = tenant


class Sessions:
    """Transactions on one store: many that read, and those that write."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.location = address.location
        self._schema = sql.Identifier(address.schema).as_string()
        self._writers = self._pool(address.conninfo)
        self._readers = self._pool(address.conninfo)
        self._replica = None if address.read is None else Replica(self._pool(address.read))
        self._local = threading.local()
        self.plans_for_any = True
        """Whether a plan may be made for any tenant: Citus has to know where the tenant's rows lie."""

    @contextmanager
    def reading(self, tenant: int) -> Iterator[Session]:
        """A consistent view: every query in the block, and in blocks within it, sees the same moment."""
        begun: Transaction | None = getattr(self._local, "reading", None)
        block: ExitStack | None = getattr(self._local, "block", None)
        if begun is None and block is None:
            with self.consistent(), self.reading(tenant) as session:
                yield session
            return
        if begun is None and block is not None:
            begun = self._local.reading = block.enter_context(self._begun_to_read(tenant))
        assert begun is not None  # noqa: S101 - for mypy: one of the two is there
        yield Session(begun, tenant)

    @contextmanager
    def consistent(self) -> Iterator[None]:
        """The same for whatever is asked in the block; it begins with the first question, as its asker."""
        if getattr(self._local, "block", None) is not None:
            yield
            return
        with told(self.location), ExitStack() as block:
            self._local.block = block
            try:
                yield
            finally:
                self._local.block = self._local.reading = None

    def asker(self) -> int:
        """Whose rows are in sight here already: what everybody may see need not be asked for as somebody else."""
        begun: Transaction | None = getattr(self._local, "reading", None)
        return EVERYONE if begun is None or begun.tenant == NOBODY else begun.tenant

    def writing(self, tenant: int, act: Callable[[Session], T], *, lasting: bool = False) -> T:
        """A transaction that is wholly durable when this returns, or has not happened.

        One that lost against another, or its server before it was committed, is done again.
        """
        with told(self.location):
            return self._repeated(lambda: self._committed(tenant, act, lasting=lasting))

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A connection outside a transaction, for what PostgreSQL does not allow within one."""
        with told(self.location), self._writers.connection() as connection:
            connection.execute(f"SET search_path = {self._schema}".encode())
            try:
                yield connection
            finally:
                connection.execute(b"RESET search_path")

    def close(self) -> None:
        self._readers.close()
        self._writers.close()
        if self._replica is not None:
            self._replica.pool.close()

    def _pool(self, conninfo: str) -> Pool:
        return Pool(conninfo, self.address.connections, self.address.wait_seconds)

    def _committed(self, tenant: int, act: Callable[[Session], T], *, lasting: bool) -> T:
        begin = self._write_begin(lasting=lasting)
        with self._begun(self._writers, tenant, begin) as transaction:
            session = Session(transaction, tenant)
            transaction.number = session.value("SELECT pg_current_xact_id()::text")
            result = act(session)
            try:
                transaction.connection.execute(b"COMMIT")
            except psycopg.OperationalError as error:
                if not is_lost(error):
                    raise
                lost = error
            else:
                if self._replica is not None:
                    self._replica.wrote(transaction.connection)
                return result
        # Asked when the place of the lost connection is free again: else all who lost theirs wait for each other.
        if not self._happened(transaction):
            raise lost
        return result

    def _happened(self, transaction: Transaction) -> bool:
        """Whether a transaction whose end was not heard was committed; waits until it is over."""
        deadline = time.monotonic() + self.address.wait_seconds
        asker = NOBODY if transaction.link is None else transaction.link[0]
        cut: psycopg.OperationalError | None = None
        while True:
            self._writers.forget()
            try:
                with self._begun(self._writers, asker, self._write_begin(lasting=False)) as asked:
                    status = _status(asked.connection, transaction.number)
                    if status != "in progress":
                        return status == "committed" and _is_linked(asked.connection, transaction)
            except psycopg.OperationalError as error:
                cut = error
            if time.monotonic() > deadline:
                raise StoreUnavailable(
                    f"the server of {self.location} was lost while a change was being committed:"
                    " whether it happened is not known; look before you repeat it"
                ) from cut
            time.sleep(LONGEST_PAUSE_SECONDS)

    def _repeated(self, act: Callable[[], T]) -> T:
        deadline = time.monotonic() + self.address.wait_seconds
        for attempt in range(1, 1 << 30):
            try:
                return act()
            except psycopg.OperationalError as error:
                lost = is_lost(error)
                if not (lost and time.monotonic() < deadline) and not (
                    isinstance(error, AGAIN) and attempt < TRIES
                ):
                    raise
                if lost:
                    self._writers.forget()
            time.sleep(_pause(attempt))
        raise AssertionError

    @contextmanager
    def _begun_to_read(self, tenant: int) -> Iterator[Transaction]:
        """On the replica where there is one and it has all that was written here, else on the primary."""
        with ExitStack() as begun:
            transaction = None
            if self._replica is not None and self._replica.is_current():
                try:
                    transaction = begun.enter_context(
                        self._begun(self._replica.pool, tenant, self._read_begin, wait_seconds=0)
                    )
                except psycopg.OperationalError as error:
                    if not is_lost(error):
                        raise
                    self._replica.lost()
            yield transaction or begun.enter_context(self._begun(self._readers, tenant, self._read_begin))

    @contextmanager
    def _begun(
        self, pool: Pool, tenant: int, begin: str, wait_seconds: float | None = None
    ) -> Iterator[Transaction]:
        with self._answering(pool, f"{begin}; {_whose(tenant).decode()}", wait_seconds) as connection:
            try:
                yield Transaction(connection, tenant)
            finally:
                if connection.info.transaction_status not in {
                    psycopg.pq.TransactionStatus.IDLE,
                    psycopg.pq.TransactionStatus.UNKNOWN,
                }:
                    with suppress(psycopg.Error):  # a connection that cannot be rolled back is not used again
                        connection.execute(b"ROLLBACK")

    @contextmanager
    def _answering(self, pool: Pool, begin: str, wait_seconds: float | None) -> Iterator[Connection]:
        """A connection on which the transaction has begun: one that broke while it was idle is passed over."""
        deadline = time.monotonic() + (self.address.wait_seconds if wait_seconds is None else wait_seconds)
        for attempt in range(1, 1 << 30):
            taken = pool.connection()
            try:
                connection = taken.__enter__()
            except psycopg.OperationalError as error:
                if not is_lost(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_pause(attempt))
                continue
            try:
                connection.execute(begin.encode())
            except psycopg.OperationalError as error:
                taken.__exit__(None, None, None)
                if not is_lost(error) or time.monotonic() > deadline:
                    raise
                pool.forget()
                continue
            try:
                yield connection
            finally:
                taken.__exit__(None, None, None)
            return

    @property
    def _read_begin(self) -> str:
        # A plan for any tenant is as good as one for this one, and need not be made each time. Not for who writes:
        # with such a plan, who has waited for a row (FOR UPDATE) is told that it is not there (PostgreSQL 18).
        plans = "; SET LOCAL plan_cache_mode = force_generic_plan" if self.plans_for_any else ""
        return f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {self._set(self.address.timeout_seconds)}{plans}"

    def _write_begin(self, *, lasting: bool) -> str:
        seconds = 0 if lasting else self.address.timeout_seconds
        return (
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; {self._set(seconds)}"
        )

    def _set(self, seconds: float) -> str:
        """For this transaction alone, so that a pooler between us and the server may share connections."""
        return f"SET LOCAL search_path = {self._schema}; SET LOCAL statement_timeout = {int(seconds * 1000)}"


def _status(connection: Connection, number: str) -> object:
    """What became of the transaction that the server called so: "committed", "aborted" or "in progress"."""
    try:
        found = connection.execute("SELECT pg_xact_status(%s::xid8)", (number,)).fetchone()
    except psycopg.errors.InvalidParameterValue:
        return "aborted"  # a number of the future: the server crashed and has never heard of it
    return found[0] if found else None


def _is_linked(connection: Connection, transaction: Transaction) -> bool:
    """Whether what it added to the chain is there: after a crash the server gives numbers away again."""
    if transaction.link is None:
        return True
    found = connection.execute(
        "SELECT 1 FROM witness WHERE tenant = %s AND sequence = %s AND hash = %s", transaction.link
    )
    return found.fetchone() is not None


def _whose(tenant: int) -> bytes:
    """Says whose rows the transaction sees."""
    everyone = "on" if tenant == EVERYONE else "off"
    number = "" if tenant in {EVERYONE, NOBODY} else str(int(tenant))
    return f"SET LOCAL recollect.tenant = '{number}'; SET LOCAL recollect.everyone = '{everyone}'".encode()


def _pause(attempt: int) -> float:
    """Longer each time, and not the same for all who wait."""
    longest: float = min(FIRST_PAUSE_SECONDS * 2**attempt, LONGEST_PAUSE_SECONDS)
    return longest * random.uniform(0.5, 1)  # noqa: S311 - it only spreads the tries
