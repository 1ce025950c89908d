"""From a function over one user's memory to a route: who may call it, where it runs, what it answers."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args, get_origin

from fastapi import APIRouter, Depends
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from recollect.serve.http.door import Caller, permitted
from recollect.serve.http.models import Problem
from recollect.serve.http.problems import MEDIA_TYPE, Rejected
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

PROBLEM = {
    "model": Problem,
    "description": "What went wrong, and what to do.",
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
PROBLEMS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 501, 503, 504, 507), PROBLEM
)
NOTHING = (b"", b"{}", b"null")
"""Bodies that ask for nothing: some clients send one with every request."""
SECURITY: dict[str, Any] = {"security": [{"key": []}]}
Verb = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a route's caller must be allowed to do; and nothing is asked for that the route does not know."""

    right: Right

    async def __call__(self, request: Request) -> None:
        permitted(request.state.caller, self.right)
        _check_parameters(request)
        await _check_body(request)


def _check_parameters(request: Request) -> None:
    given = [name for name, _ in request.query_params.multi_items()]
    known = {one.alias: one for one in request.scope["route"].dependant.query_params} if given else {}
    unknown = sorted({*given} - known.keys())
    if unknown:
        there_are = f"; there are: {', '.join(known)}" if known else ""
        raise Rejected(422, "Unprocessable", f"no parameter {', '.join(unknown)}{there_are}")
    repeated = sorted(
        name for name in {*given} if given.count(name) > 1 and not _is_list(known[name].field_info.annotation)
    )
    if repeated:
        raise Rejected(422, "Unprocessable", f"more than one {', '.join(repeated)}; only one counts")


def _is_list(annotation: Any) -> bool:
    return any(get_origin(one) is list for one in (annotation, *get_args(annotation)))


async def _check_body(request: Request) -> None:
    route = request.scope["route"]
    # What says itself what may be sent takes it as a stream.
    if "requestBody" in (route.openapi_extra or {}) or (await request.body()).strip() in NOTHING:
        return
    if route.body_field is None:
        raise Rejected(422, "Unprocessable", f"{request.method} {route.path} takes no body")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind.startswith("application/") or not kind.endswith(("/json", "+json")):
        detail = f"the body is JSON: send it with Content-Type: application/json, not {kind or 'without one'}"
        raise Rejected(415, "Unsupported media type", detail)


def verb(
    router: APIRouter,
    method: str,
    path: str,
    *,
    right: Right,
    answers: type[BaseModel],
    slow: bool = False,
) -> Callable[[Verb], Verb]:
    """Makes a function of a memory and what was sent a route; what it returns is sent as JSON."""

    def register(function: Verb) -> Verb:
        wanted = list(inspect.signature(function, eval_str=True).parameters.values())[1:]

        async def endpoint(request: Request, **given: Any) -> Response:
            return await answered(request, partial(_answer, function, given), slow=slow)

        first = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)
        rest = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in wanted]
        endpoint.__signature__ = inspect.Signature([first, *rest])  # type: ignore[attr-defined]
        add(router, method, path, endpoint, function, right=right, response_model=answers)
        return function

    return register


def add(
    router: APIRouter,
    method: str,
    path: str,
    endpoint: Callable[..., Any],
    about: Verb,
    *,
    right: Right,
    **more: Any,
) -> None:
    """Adds a route that only callers with a right reach; its name and its words are those of a function."""
    more.setdefault("responses", PROBLEMS)
    name = about.__name__.strip("_")
    router.add_api_route(
        path,
        endpoint,
        methods=[method],
        name=name,
        operation_id=name,
        summary=(about.__doc__ or "").partition("\n")[0],
        description=(about.__doc__ or "").partition("\n")[2].strip(),
        dependencies=[Depends(Rule(right))],
        openapi_extra={**SECURITY, "x-right": str(right), **more.pop("openapi_extra", {})},
        **more,
    )


async def answered(request: Request, work: Callable[[Any], bytes], *, slow: bool = False) -> Response:
    """Has a thread do something with the caller's memory, and sends what it gives."""
    service: Service = request.app.state.service
    caller: Caller = request.state.caller
    lane = service.slow if slow else service.quick
    content = await lane.run(partial(service.done_for, caller.user, work, caller.key))
    return Response(content, media_type="application/json")


def _answer(function: Verb, given: dict[str, Any], memory: Any) -> bytes:
    """In the thread: what the verb returns, as JSON."""
    return as_json(function(memory, **given))


def as_json(value: Any) -> bytes:
    """UTF-8, or ASCII where a text holds half a character that UTF-8 has no bytes for."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
