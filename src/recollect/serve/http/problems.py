"""Errors as RFC 9457 problems: what happened, what to do, and which request it was."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from recollect.errors import RecollectError, StoreError
from recollect.serve.exits import outcome

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "request_id"
"""Where the request's id is, in its state."""
WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Rejected(HTTPException):
    """A request that the service does not carry out, whatever it asks for."""

    def __init__(self, status: int, title: str, detail: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        super().__init__(status, detail, dict(headers))
        self.title = title


def of_rejection(request_id: str, error: Rejected) -> Response:
    """A problem of the request itself."""
    return problem(
        request_id, error.status_code, error.title, error.detail, headers=error.headers or NO_HEADERS
    )


async def of_error(request: Request, error: Exception) -> Response:
    """A problem that the engine told."""
    if isinstance(error, Rejected):
        return of_rejection(request_id(request), error)
    assert isinstance(error, RecollectError)  # noqa: S101 - it is registered for these two alone
    return _of_engine(request_id(request), error, str(error))


def of_stranger(request_id: str, error: RecollectError) -> Response:
    """A problem that kept the door from knowing who calls."""
    return _of_engine(request_id, error, told_to_strangers(error))


def told_to_strangers(error: RecollectError) -> str:
    """What went wrong, without where the store lies: that is told to who has a key."""
    return "the store cannot be used just now; try again" if isinstance(error, StoreError) else str(error)


def _of_engine(request_id: str, error: RecollectError, detail: str) -> Response:
    status = outcome(error).status
    title = WORD.sub(" ", type(error).__name__).capitalize()
    headers = {"Retry-After": "1"} if status == 503 else NO_HEADERS
    return problem(request_id, status, title, detail, headers=headers)


async def of_validation(request: Request, error: Exception) -> Response:
    """What does not fit the schema: where, and why; what was sent is not repeated."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - it is registered for this one alone
    places = [{"at": ".".join(str(part) for part in one["loc"]), "why": one["msg"]} for one in error.errors()]
    detail = "; ".join(f"{place['at']}: {place['why']}" for place in places[:5])
    return problem(request_id(request), 422, "Unprocessable", detail, errors=places)


async def of_status(request: Request, error: Exception) -> Response:
    """What the router itself refuses: no such address, no such method."""
    status = int(getattr(error, "status_code", 500))
    told = {
        404: ("Not found", f"nothing is at {request.url.path}; /openapi.json lists every address"),
        405: ("Method not allowed", f"{request.method} is not for {request.url.path}; see /openapi.json"),
    }
    title, detail = told.get(status, ("Bad request", str(getattr(error, "detail", error))))
    return problem(
        request_id(request), status, title, detail, headers=getattr(error, "headers", None) or NO_HEADERS
    )


def problem(
    request: str,
    status: int,
    title: str,
    detail: str,
    *,
    headers: Mapping[str, str] = NO_HEADERS,
    **more: Any,
) -> Response:
    """The problem as it is sent."""
    value = {
        "type": f"urn:recollect:{title.lower().replace(' ', '-')}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": f"urn:recollect:request:{request}",
        **more,
    }
    # A text may hold half a character, which only ASCII can spell out.
    content = json.dumps(value, ensure_ascii=True)
    return Response(content, status, headers=dict(headers), media_type=MEDIA_TYPE)


def request_id(request: Request) -> str:
    """The id that the request was given when it came in."""
    return str(request.scope.get("state", {}).get(REQUEST_ID, "-"))
