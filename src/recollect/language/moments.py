"""Moments as people and programs write them."""

from datetime import UTC, datetime
from typing import Any

from recollect.errors import InvalidInput
from recollect.model import utc


def moment_from(value: Any) -> datetime:
    """A moment from a datetime, ISO 8601 text or seconds since 1970.

    >>> moment_from("2026-03-01T10:00:00Z").isoformat()
    '2026-03-01T10:00:00+00:00'
    """
    try:
        if isinstance(value, datetime):
            return utc(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        return utc(datetime.fromisoformat(value))
    except (TypeError, ValueError, OverflowError, OSError):
        raise InvalidInput(
            f"{value!r} is not a time; write it as ISO 8601, such as 2026-03-01T10:00:00+01:00"
        ) from None
