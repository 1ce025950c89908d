"""The one table from an error to how a surface ends: the shell's exit code and the HTTP status."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from recollect import errors

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an error is told to a shell and to an HTTP client."""

    exit_code: int
    status: int


UNEXPECTED = Outcome(FAILED, 500)

OUTCOMES: Mapping[type[errors.RecollectError], Outcome] = MappingProxyType(
    {
        errors.InvalidInput: Outcome(WRONG_USAGE, 400),
        errors.NotFound: Outcome(FAILED, 404),
        errors.Refused: Outcome(FAILED, 403),
        errors.Conflict: Outcome(FAILED, 409),
        errors.StoreError: Outcome(FAILED, 500),
        errors.StoreBusy: Outcome(FAILED, 503),
        errors.StoreCorrupt: Outcome(FAILED, 500),
        errors.StoreFull: Outcome(FAILED, 507),
        errors.StoreUnavailable: Outcome(FAILED, 503),
        errors.StoreTooNew: Outcome(FAILED, 500),
        errors.ModelUnavailable: Outcome(FAILED, 503),
        errors.ModelMismatch: Outcome(FAILED, 409),
        errors.MissingExtra: Outcome(FAILED, 501),
    }
)


def outcome(error: BaseException) -> Outcome:
    """The outcome of an error, or of the nearest kind of error that the table knows.

    >>> outcome(errors.NotFound("no memory X"))
    Outcome(exit_code=1, status=404)
    """
    return next((OUTCOMES[kind] for kind in type(error).__mro__ if kind in OUTCOMES), UNEXPECTED)
