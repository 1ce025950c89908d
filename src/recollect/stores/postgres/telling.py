"""The driver's errors as ours, once, with what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from recollect.errors import (
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

SERVER_GONE = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.ConnectionException,
)
AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)
"""Nothing has happened, and the same may succeed at once."""


def is_lost(error: psycopg.Error) -> bool:
    """Whether the server, and not the statement, is the problem."""
    if isinstance(error, SERVER_GONE):
        return True
    if isinstance(error, errors.TooManyConnections):
        return True
    # Without an SQLSTATE it is libpq that speaks: it cannot connect, or was cut off.
    return isinstance(error, psycopg.OperationalError) and error.sqlstate is None and not _refused(error)


def _refused(error: psycopg.Error) -> bool:
    """Whether the server is there and does not let us in."""
    said = str(error)
    return "authentication failed" in said or "does not exist" in said or "no pg_hba.conf entry" in said


@contextmanager
def told(location: str) -> Iterator[None]:
    """Wraps the driver's errors into ours."""
    try:
        yield
    except psycopg.Error as error:
        raise _told(location, error) from error
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"a text with half a character (a lone surrogate) cannot be stored ({error})"
        ) from error


def _told(location: str, error: psycopg.Error) -> Exception:
    said = " ".join(str(error).split())
    if is_lost(error):
        return StoreUnavailable(f"the server of {location} does not answer ({said}); try again shortly")
    if isinstance(error, (errors.QueryCanceled, errors.LockNotAvailable, *AGAIN)):
        return StoreBusy(f"{location} is busy ({said}); try again")
    if isinstance(error, errors.DataCorrupted | errors.IndexCorrupted):
        return StoreCorrupt(f"{location} is damaged ({said}); restore a backup")
    if isinstance(error, errors.ReadOnlySqlTransaction | errors.DiskFull | errors.InsufficientPrivilege):
        return StoreFull(f"{location} cannot be written ({said}); check its space and the role's rights")
    if isinstance(error, errors.ProgramLimitExceeded):
        return InvalidInput(
            f"a name or a text is too long for PostgreSQL ({said}); names take up to 2,600 bytes"
        )
    return StoreError(f"{location}: {said}")
