"""The dashboard's addresses: pages, forms, data, files, and the way in and out."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import quote, unquote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from recollect.engine import Recollect
from recollect.errors import RecollectError
from recollect.serve.dashboard.door import form, logged_in, own_page, visitor
from recollect.serve.dashboard.drawing import ROOT, drawn, static
from recollect.serve.dashboard.pages import DEEDS, FEEDS, MENU, PAGES
from recollect.serve.dashboard.sessions import COOKIE
from recollect.serve.dashboard.visits import Asked, Deed, Feed, Page, Visit, fields_of
from recollect.serve.exits import outcome
from recollect.serve.http.door import Caller, permitted
from recollect.serve.http.problems import Rejected, told_to_strangers
from recollect.serve.http.routing import as_json
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

TOLD, THEME = "recollect_told", "recollect_theme"
FOR_EVER = "public, max-age=31536000, immutable"
GUARDS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
Endpoint = Callable[[Request], Awaitable[Response]]


def dashboard(service: Service) -> APIRouter:
    """Every address of the dashboard."""
    router = APIRouter(prefix=ROOT)
    for page in PAGES:
        _add(router, "GET", page.path, page.name, _page(service, page))
    for feed in FEEDS:
        _add(router, "GET", feed.path, feed.name, _feed(service, feed))
    for deed in DEEDS:
        _add(router, "POST", deed.path, deed.name, _deed(service, deed))
    _add(router, "GET", "/static/{name}", "static", _static)
    _add(router, "GET", "/login", "login", partial(_login, service))
    _add(router, "POST", "/login", "log_in", _guarded(service, partial(_log_in, service)))
    _add(router, "POST", "/logout", "log_out", _guarded(service, _log_out))
    _add(router, "GET", "/{rest:path}", "nothing", _guarded(service, _nothing))
    return router


def _add(router: APIRouter, method: str, path: str, name: str, endpoint: Endpoint) -> None:
    async def answer(request: Request) -> Response:
        return await endpoint(request)

    router.add_api_route(
        path, answer, methods=[method], name=f"dashboard_{name}", include_in_schema=False, response_model=None
    )


def _guarded(service: Service, endpoint: Endpoint) -> Endpoint:
    """What goes wrong is a page that says so."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Rejected as error:
            return _wrong(service, request, error.status_code, error.detail)
        except RecollectError as error:
            is_known = getattr(request.state, "caller", None) is not None
            detail = str(error) if is_known else told_to_strangers(error)
            return _wrong(service, request, outcome(error).status, detail)

    return answer


def _known(
    service: Service, right: Right, endpoint: Callable[[Request, Caller], Awaitable[Response]]
) -> Endpoint:
    """Only for those who are logged in and have the right; others are asked who they are, or told so."""

    async def answer(request: Request) -> Response:
        caller = await visitor(service, request)
        if caller is None:
            wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            back = f"?to={quote(wanted, safe='')}" if request.method == "GET" else ""
            return RedirectResponse(f"{ROOT}/login{back}", 303, headers=GUARDS)
        request.state.caller = caller
        permitted(caller, right)
        return await endpoint(request, caller)

    return _guarded(service, answer)


def _page(service: Service, page: Page) -> Endpoint:
    async def answer(request: Request, caller: Caller) -> Response:
        asked = Asked(request.path_params, fields_of(request.url.query))

        def made(memory: Recollect) -> bytes:
            shown = page.show(_visit(service, memory, asked, caller))
            return drawn(page.name, _frame(service, request, caller, page.title, page.name) | dict(shown))

        lane = service.slow if page.slow else service.quick
        content = await lane.run(partial(service.done_for, caller.user, made, caller.key))
        response = _html(content)
        response.delete_cookie(TOLD, path=ROOT)
        return response

    return _known(service, page.right, answer)


def _feed(service: Service, feed: Feed) -> Endpoint:
    async def answer(request: Request, caller: Caller) -> Response:
        asked = Asked(request.path_params, fields_of(request.url.query))

        def made(memory: Recollect) -> bytes:
            return as_json(feed.give(_visit(service, memory, asked, caller)))

        content = await service.quick.run(partial(service.done_for, caller.user, made, caller.key))
        return Response(content, media_type="application/json", headers=GUARDS)

    return _known(service, feed.right, answer)


def _deed(service: Service, deed: Deed) -> Endpoint:
    async def answer(request: Request, caller: Caller) -> Response:
        own_page(request)
        asked = Asked(request.path_params, await form(service, request))
        lane = service.slow if deed.slow else service.quick
        done = await lane.run(
            partial(
                service.done_for,
                caller.user,
                lambda memory: deed.do(_visit(service, memory, asked, caller)),
                caller.key,
            )
        )
        response = RedirectResponse(ROOT + done.to, 303, headers=GUARDS)
        response.set_cookie(TOLD, quote(done.told), max_age=30, path=ROOT, httponly=True, samesite="strict")
        return response

    return _known(service, deed.right, answer)


def _visit(service: Service, memory: Recollect, asked: Asked, caller: Caller) -> Visit:
    return Visit(memory, asked, caller.rights, service.metrics.speeds)


def _frame(
    service: Service, request: Request, caller: Caller | None, title: str, name: str
) -> dict[str, Any]:
    """What is around every page."""
    theme = request.cookies.get(THEME, "")
    return {
        "title": title,
        "name": name,
        "menu": MENU,
        "user": None if caller is None else caller.user,
        "may_write": caller is not None and Right.WRITE in caller.rights,
        "may_admin": caller is not None and Right.ADMIN in caller.rights,
        "has_login": service.options.keys,
        "theme": theme if theme in ("light", "dark") else "",
        "told": unquote(request.cookies.get(TOLD, ""))[:500],
    }


def _html(content: bytes, status: int = 200) -> Response:
    return Response(content, status, headers=GUARDS, media_type="text/html; charset=utf-8")


def _wrong(service: Service, request: Request, status: int, detail: str) -> Response:
    caller = getattr(request.state, "caller", None)
    frame = _frame(service, request, caller, "Something is in the way", "wrong")
    return _html(drawn("wrong", {**frame, "status": status, "detail": detail}), status)


async def _static(request: Request) -> Response:
    found = static(request.path_params["name"])
    if found is None:
        return Response(status_code=404)
    return Response(found[0], media_type=found[1], headers=GUARDS | {"Cache-Control": FOR_EVER})


async def _login(service: Service, request: Request, wrong: bool = False) -> Response:
    to = fields_of(request.url.query).get("to", [""])[0]
    frame = _frame(service, request, None, "Log in", "login")
    return _html(drawn("login", {**frame, "to": to, "wrong": wrong}), 401 if wrong else 200)


async def _log_in(service: Service, request: Request) -> Response:
    own_page(request)
    given = Asked(given=await form(service, request))
    to = given.text("to") or ROOT
    # Only a page of this dashboard: whoever wrote the link must not choose where a visitor goes.
    safe = to if to == ROOT or to.startswith(f"{ROOT}/") else ROOT
    response = RedirectResponse(safe, 303, headers=GUARDS)
    good = await logged_in(service, request, response, given.text("key") or "")
    return response if good else await _login(service, request, wrong=True)


async def _log_out(request: Request) -> Response:
    own_page(request)
    response = RedirectResponse(f"{ROOT}/login", 303, headers=GUARDS)
    response.delete_cookie(COOKIE, path=ROOT)
    return response


async def _nothing(request: Request) -> Response:
    raise Rejected(404, "Not found", f"there is no page {request.url.path}")
