"""Every request gets an id, is timed, counted and told in one line: never with what it said."""

import re
import time
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.serve.http.logs import log, tell
from recollect.serve.http.paths import path_of
from recollect.serve.http.problems import REQUEST_ID, Rejected, of_rejection, problem
from recollect.serve.http.service import Service

HEADER = "X-Request-ID"
GOOD_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
UNROUTED = "none"
QUIET = frozenset({"health", "ready", "metrics"})
"""Asked every few seconds by machines: counted, not told."""


class Requests:
    """The outermost middleware: whatever goes wrong inside becomes an answer."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        scope["path"] = path_of(scope)
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if GOOD_ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})[REQUEST_ID] = request_id
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Rejected as error:
            if status:
                raise
            await of_rejection(request_id, error)(scope, receive, noted)
        except Exception:
            log.exception("a request failed", extra={"told": {"request": request_id, "route": _route(scope)}})
            if status:
                raise
            detail = "something went wrong here; the log has it under this request's id"
            await problem(request_id, 500, "Unexpected", detail)(scope, receive, noted)
        finally:
            self._finished(scope, request_id, status, started)

    def _finished(self, scope: Scope, request_id: str, status: int, started: float) -> None:
        route = _route(scope)
        self._service.metrics.finished(route, status, started)
        if route in QUIET:
            return
        caller = scope["state"].get("caller")
        tell(
            "request",
            request=request_id,
            method=scope["method"],
            route=route,
            status=status,
            ms=round(1_000 * (time.perf_counter() - started), 2),
            key=None if caller is None else caller.key,
        )


def _route(scope: Scope) -> str:
    """The route's name: an address may hold what somebody asked for."""
    return str(getattr(scope.get("route"), "name", UNROUTED))
