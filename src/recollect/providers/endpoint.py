"""Posts JSON to a model served over HTTP: bounded in time, retried when that can help, silent about secrets.

An error's message never quotes what was sent or what came back: both may hold the user's text or the key.
"""

import json
import time
import urllib.request
from collections.abc import Callable, Mapping
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from recollect.errors import InvalidInput, ModelUnavailable

MAX_ANSWER_BYTES = 64 * 2**20
CHUNK_BYTES = 2**16
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0


NOT_TAKEN = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)


class NotTaken(ModelUnavailable):
    """The service does not take what it was sent; something else it might."""


class Endpoint:
    """A base URL such as https://host/v1. Timeouts, 429, 5xx and broken connections are tried again."""

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        timeout_seconds: float = 30.0,
        retries: int = 2,
        sleep: Callable[[float], None] = time.sleep,
        max_bytes: int | None = None,
    ) -> None:
        try:
            parts = urlsplit(url)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or "@" in parts.netloc:
            # Not quoted: a URL that is refused may carry a password.
            raise InvalidInput("The service's URL must look like https://host/v1; a key goes into api_key.")
        if api_key and not (api_key.isascii() and api_key.isprintable()):
            raise InvalidInput("The API key holds characters that cannot be sent, such as a line break.")
        if timeout_seconds <= 0 or retries < 0:
            raise InvalidInput("timeout_seconds must be above 0, and retries at least 0.")
        self.host = parts.netloc
        self._url = url.rstrip("/")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._timeout_seconds = timeout_seconds
        self._retries = retries
        self._sleep = sleep
        self._max_bytes = max_bytes or MAX_ANSWER_BYTES
        self._opener = urllib.request.build_opener(_NoRedirect)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        for attempt in range(self._retries + 1):
            try:
                return self._post_once(path, body)
            except _Failure as failure:
                if not failure.transient or attempt == self._retries:
                    # The chain is cut because the library's own errors may quote the server.
                    raise self.unusable(failure.reason, how=failure.how) from None
                backoff = failure.wait_seconds or FIRST_WAIT_SECONDS * 2**attempt
            self._sleep(min(backoff, LONGEST_WAIT_SECONDS))
        raise AssertionError("unreachable")

    def unusable(self, reason: str, *, how: type[ModelUnavailable] = ModelUnavailable) -> ModelUnavailable:
        return how(
            f"The model service at {self.host} cannot be used: {reason}. "
            "Check its URL, the model's name, the API key and that it is running."
        )

    def _post_once(self, path: str, body: Mapping[str, Any]) -> Any:
        # The scheme was checked to be http or https.
        request = urllib.request.Request(  # noqa: S310
            f"{self._url}/{path}", json.dumps(body).encode(), self._headers, method="POST"
        )
        deadline = time.monotonic() + self._timeout_seconds
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as response:
                answer = _read(response, deadline, self._max_bytes)
        except HTTPError as error:
            with error:
                raise _refusal(error.code, error.headers) from error
        except (OSError, HTTPException) as error:
            raise _broken(error, self._timeout_seconds) from error
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise _Failure("its answer is not JSON") from error


class _Failure(Exception):
    def __init__(
        self,
        reason: str,
        *,
        transient: bool = False,
        wait_seconds: float = 0.0,
        how: type[ModelUnavailable] = ModelUnavailable,
    ) -> None:
        super().__init__(reason)
        self.reason, self.how = reason, how
        self.transient = transient
        self.wait_seconds = wait_seconds


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: the standard handler would hand the key to whatever host they name."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def _read(response: HTTPResponse, deadline: float, max_bytes: int) -> bytes:
    answer = bytearray()
    while chunk := response.read1(CHUNK_BYTES):
        answer += chunk
        # A socket's timeout starts again with each byte; a server that drips must not hold us for ever.
        if time.monotonic() > deadline:
            raise TimeoutError
        if len(answer) > max_bytes:
            raise _Failure(f"its answer is larger than {max_bytes} bytes")
    return bytes(answer)


def _refusal(status: int, headers: Message) -> _Failure:
    try:
        wait_seconds = max(0.0, float(headers.get("Retry-After", 0)))
    except ValueError:
        wait_seconds = 0.0
    phrase = (
        HTTPStatus(status).phrase if status in {known.value for known in HTTPStatus} else "unknown status"
    )
    transient = status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    how = NotTaken if status in NOT_TAKEN else ModelUnavailable
    reason = f"it answered {status} ({phrase})"
    return _Failure(reason, transient=transient, wait_seconds=wait_seconds, how=how)


def _broken(error: OSError | HTTPException, timeout_seconds: float) -> _Failure:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, TimeoutError):
        return _Failure(f"it did not answer within {timeout_seconds:g} s", transient=True)
    reason = getattr(cause, "strerror", None) or type(cause).__name__
    return _Failure(f"the connection failed ({reason})", transient=True)
