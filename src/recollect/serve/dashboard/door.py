"""Who visits: known by a session, or, without keys, whoever is at this machine."""

import asyncio
import time

from starlette.requests import Request
from starlette.responses import Response

from recollect.errors import InvalidInput
from recollect.serve.dashboard.drawing import ROOT
from recollect.serve.dashboard.sessions import COOKIE, HOURS, known_by, signed
from recollect.serve.dashboard.visits import fields_of
from recollect.serve.http.door import LOOPBACK, Caller, caller_of, host_name
from recollect.serve.http.problems import Rejected
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

MOST_BYTES = 1_000_000


async def visitor(service: Service, request: Request) -> Caller | None:
    """Who it is; None where somebody has to log in first."""
    options = service.options
    if not options.keys:
        if host_name(request.headers.get("host", "")) not in LOOPBACK:
            raise Rejected(403, "Forbidden", "without keys, only localhost is served")
        return Caller(options.user, frozenset(Right))
    key_id = known_by(request.cookies.get(COOKIE, ""), options.secret, time.time())
    if key_id is None:
        return None
    key = await asyncio.get_running_loop().run_in_executor(None, service.keys.good, key_id)
    if key is None:
        return None
    seconds = service.rates.wait(key.number, time.monotonic())
    if seconds:
        raise Rejected(429, "Too many requests", f"this key calls too often; try again in {seconds:.1f} s")
    return caller_of(key)


def own_page(request: Request) -> None:
    """A form comes from a page of this site, or it is not taken: no other page acts for its visitor."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    same = origin is None or origin.partition("://")[2] == request.headers.get("host")
    if not same or site not in (None, "same-origin", "none"):
        raise Rejected(403, "Forbidden", "a form of another site was not carried out")


async def form(service: Service, request: Request) -> dict[str, list[str]]:
    """The fields of a form, as long as it keeps coming and is not too large."""
    body = bytearray()
    try:
        async with asyncio.timeout(service.options.settings.service.timeout_seconds):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    raise Rejected(413, "Too large", f"a form here has at most {MOST_BYTES:,} bytes")
    except TimeoutError:
        raise Rejected(408, "Timeout", "the form stopped coming") from None
    try:
        return fields_of(body.decode())
    except UnicodeDecodeError:
        raise InvalidInput("the form is not UTF-8 text") from None


async def logged_in(service: Service, request: Request, response: Response, token: str) -> bool:
    """Whether a key is good; then the answer carries its session."""
    key = await asyncio.get_running_loop().run_in_executor(None, service.keys.find, token)
    if key is None or Right.READ not in key.rights:
        return False
    until = int(time.time()) + HOURS * 3_600
    response.set_cookie(
        COOKIE,
        signed(key.id, until, service.options.secret),
        max_age=HOURS * 3_600,
        path=ROOT,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return True
