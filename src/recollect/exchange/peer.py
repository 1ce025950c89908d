"""Another store behind an HTTP service: bounded in time, and what goes wrong told as errors of our own."""

import json
import urllib.request
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit

from recollect.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    RecollectError,
    Refused,
    StoreError,
    StoreUnavailable,
)

TIMEOUT_SECONDS: Final = 60.0
MOST_BYTES: Final = 64 * 2**20
PREFIX: Final = "/api/memory/sync/"
ERRORS: Final[Mapping[int, type[RecollectError]]] = {
    400: InvalidInput,
    401: Refused,
    403: Refused,
    404: NotFound,
    409: Conflict,
    422: InvalidInput,
    429: StoreUnavailable,
    503: StoreUnavailable,
    504: StoreUnavailable,
}


class HttpPeer:
    """A store that `recollect serve` serves, with the key of the user whose memory is synced."""

    def __init__(self, address: str, key: str = "") -> None:
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
            # Not quoted: an address that is refused may carry a password.
            raise InvalidInput(
                "the other store's address looks like https://host:8420; its key is given apart"
            )
        self._host = parts.netloc
        self._address = address.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def place(self, sender: str) -> Any:
        return self._post("place", {"sender": sender})

    def give(self, place: Mapping[str, Any], channels: Sequence[str] | None) -> Any:
        return self._post(
            "give", {"place": dict(place), "channels": None if channels is None else list(channels)}
        )

    def take(self, message: Mapping[str, Any]) -> Any:
        return self._post("take", message)

    def _post(self, verb: str, body: Mapping[str, Any]) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the scheme was looked at
            f"{self._address}{PREFIX}{verb}", json.dumps(body).encode(), self._headers, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                return json.loads(answer.read(MOST_BYTES))
        except HTTPError as error:
            with error:
                raise ERRORS.get(error.code, StoreError)(_told(error, self._host)) from None
        except (OSError, HTTPException, ValueError) as error:
            raise StoreUnavailable(
                f"{self._host} does not answer ({type(error).__name__}); sync again later"
            ) from None


def _told(error: HTTPError, host: str) -> str:
    try:
        detail = json.loads(error.read(100_000)).get("detail", "")
    except (OSError, ValueError, AttributeError):
        detail = ""
    return f"{host} answered {error.code}: {detail or 'nothing more'}"
