"""Another Recollect behind its HTTP service: bounded in time, and what goes wrong told as errors of our own."""

import json
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

from recollect.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    RecollectError,
    Refused,
    StoreError,
    StoreUnavailable,
)

MOST_BYTES: Final = 64 * 2**20
PREFIX: Final = "/api/memory"
SCHEMES: Final = ("http://", "https://")
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


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An address that leads elsewhere is not followed: the key goes to nobody else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Remote:
    """A service that `recollect serve` runs, asked with somebody's key."""

    def __init__(self, address: str, key: str = "", timeout_seconds: float = 60.0) -> None:
        self.host = _host(address)
        if key and not (key.isascii() and key.isprintable()):
            raise InvalidInput("the key holds characters that cannot be sent, such as a line break")
        self._address = address.rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._opener = urllib.request.build_opener(_NoRedirect)

    def get(self, path: str, **asked: Any) -> Any:
        """What is there, asked for by what is not None."""
        given = urlencode({name: value for name, value in asked.items() if value is not None})
        return self._call("GET", f"{path}?{given}" if given else path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """What a call with a body gives back."""
        return self._call("POST", path, json.dumps(body).encode())

    def _call(self, method: str, path: str, body: bytes | None) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the scheme was looked at
            f"{self._address}{PREFIX}{path}", body, self._headers, method=method
        )
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as answer:
                return json.loads(answer.read(MOST_BYTES))
        except HTTPError as error:
            with error:
                raise ERRORS.get(error.code, StoreError)(_told(error, self.host)) from None
        except (OSError, HTTPException, ValueError) as error:
            raise StoreUnavailable(
                f"{self.host} does not answer ({type(error).__name__}); try again later"
            ) from None


def _host(address: str) -> str:
    try:
        parts = urlsplit(address)
        fine = address.startswith(SCHEMES) and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        fine = False
    if not fine:
        # Not quoted: an address that is refused may carry a password.
        raise InvalidInput("a service's address looks like https://host:8420; its key is given apart")
    return parts.netloc


def _told(error: HTTPError, host: str) -> str:
    try:
        detail = json.loads(error.read(100_000)).get("detail", "")
    except (OSError, ValueError, AttributeError):
        detail = ""
    return f"{host} answered {error.code}: {detail or 'nothing more'}"
