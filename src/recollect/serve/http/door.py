"""Who comes in: requests are bounded, callers are known by their keys, and nobody calls too often."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.errors import RecollectError
from recollect.serve.http.logs import log
from recollect.serve.http.problems import REQUEST_ID, Rejected, of_rejection, of_stranger
from recollect.serve.http.service import Service
from recollect.serve.keys import Key, Right

GUARDED = ("/api/", "/metrics", "/mcp")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
IMPORT = "/api/memory/import"
KNOWN_FOR_SECONDS = 1.0
"""How long a checked key is trusted: so long may a revoked one still be let in."""
MOST_KNOWN = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose memory a request is about, and what it may do there."""

    user: str
    rights: frozenset[Right]
    key: str | None = None
    number: int = 0


class Door:
    """Middleware in front of everything that touches memory."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self._known: OrderedDict[str, tuple[float, Caller | None]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(GUARDED):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            caller = await self._caller(headers)
            await self._count(caller)
            bounded = self._bounded(scope["path"], headers, receive)
        except Rejected as error:
            await of_rejection(scope["state"][REQUEST_ID], error)(scope, receive, send)
            return
        except RecollectError as error:
            log.warning("a key could not be looked up: %s", error)
            await of_stranger(scope["state"][REQUEST_ID], error)(scope, receive, send)
            return
        scope["state"]["caller"] = caller
        await self._app(scope, bounded, send)

    async def _caller(self, headers: Headers) -> Caller:
        options = self._service.options
        if not options.keys:
            _same_site(headers)
            return Caller(options.user, frozenset(Right))
        token = _token(headers)
        caller = None if token is None else await self._checked(token)
        if caller is None:
            why = "the key is not known, or no longer good" if token else "a key is needed"
            detail = f"{why}; send `Authorization: Bearer KEY` (`recollect keys create` makes one)"
            raise Rejected(401, "Unauthorized", detail, {"WWW-Authenticate": "Bearer"})
        return caller

    async def _checked(self, token: str) -> Caller | None:
        now = time.monotonic()
        until, caller = self._known.get(token, (0.0, None))
        if now < until:
            return caller
        key = await asyncio.get_running_loop().run_in_executor(None, self._service.keys.find, token)
        caller = None if key is None else caller_of(key)
        # Only good keys are remembered, so that guesses cannot push them out.
        if caller is not None:
            self._known[token] = (now + KNOWN_FOR_SECONDS, caller)
            self._known.move_to_end(token)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        else:
            self._known.pop(token, None)
        return caller

    async def _count(self, caller: Caller) -> None:
        if caller.key is None:
            return
        count = partial(self._service.rates.wait, caller.number, time.monotonic())
        # A server is asked in a thread: others are let in meanwhile.
        asks = self._service.commons.link is not None
        seconds = await asyncio.get_running_loop().run_in_executor(None, count) if asks else count()
        if seconds:
            allowed = self._service.options.settings.service.requests_per_second
            detail = f"this key may call {allowed:g} times a second; try again in {seconds:.2f} s"
            raise Rejected(429, "Too many requests", detail, {"Retry-After": str(int(seconds) + 1)})

    def _bounded(self, path: str, headers: Headers, receive: Receive) -> Receive:
        """The request's body, as long as it keeps coming and is not too large."""
        chosen = self._service.options.settings.service
        most = chosen.max_import_bytes if path == IMPORT else chosen.max_request_bytes
        told = headers.get("content-length", "0")
        too_large = Rejected(413, "Too large", f"a request here has at most {most:,} bytes")
        if not told.isdecimal() or int(told) > most:
            raise (
                too_large if told.isdecimal() else Rejected(400, "Bad request", "content-length is a number")
            )
        taken = 0
        ended = False

        async def bounded() -> Message:
            nonlocal taken, ended
            if ended:
                return await receive()
            try:
                async with asyncio.timeout(chosen.timeout_seconds):
                    message = await receive()
            except TimeoutError:
                detail = f"nothing more came for {chosen.timeout_seconds:g} s"
                raise Rejected(408, "Timeout", detail, {"Connection": "close"}) from None
            taken += len(message.get("body", b""))
            if taken > most:
                raise too_large
            ended = not message.get("more_body", False)
            return message

        return bounded


def permitted(caller: Any, right: Right) -> None:
    """Raises where a caller lacks a right."""
    if right not in caller.rights:
        has = ", ".join(sorted(caller.rights))
        raise Rejected(403, "Forbidden", f"this key has the rights {has}; this needs {right}")


def caller_of(key: Key) -> Caller:
    return Caller(key.user, frozenset(key.rights), key.id, key.number)


def _token(headers: Headers) -> str | None:
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else headers.get("x-api-key")


def _same_site(headers: Headers) -> None:
    """Without keys, only programs of this machine may call: no page that a browser shows, whatever it names itself."""
    host = headers.get("host", "")
    if host_name(host) not in LOOPBACK:
        raise Rejected(403, "Forbidden", "without keys, only localhost is served")
    origin = headers.get("origin")
    crossed = origin is not None and origin.partition("://")[2] != host
    if crossed or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Rejected(403, "Forbidden", "without keys, pages of other sites may not call")


def host_name(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name if port.isdecimal() else host
