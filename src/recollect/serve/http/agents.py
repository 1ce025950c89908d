"""The same MCP servers over streamable HTTP, for the callers of the service."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from recollect.engine import Recollect
from recollect.errors import Refused
from recollect.serve.http.door import Caller, permitted
from recollect.serve.http.problems import Rejected
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

if TYPE_CHECKING:
    from starlette.applications import Starlette

CALLER: ContextVar[Caller] = ContextVar("caller")
PATHS = {"memory": "/mcp", "knowledge-graph": "/mcp/knowledge-graph"}
NAMES = {"/mcp": "mcp", "/mcp/knowledge-graph": "mcp_knowledge_graph"}
"""By path, the route's name: under it calls are counted."""


class Named(Route):
    """A route that says which one was taken, as those of the verbs do."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        return match, {**found, "route": self}


def applications(service: Service) -> "dict[str, Starlette]":
    """By path, the servers of every profile; none where the extra `mcp` is not installed."""
    try:
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415 - an extra

        from recollect.serve.mcp.server import server  # noqa: PLC0415
    except ImportError:
        return {}
    return {
        path: server(profile, partial(_run, service), _known).streamable_http_app(
            streamable_http_path=path,
            # Any worker may get the next request: nothing is kept between two of them.
            stateless_http=True,
            json_response=True,
            # The door has looked at where a request comes from, and how large it is.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=service.options.settings.service.max_request_bytes,
        )
        for profile, path in PATHS.items()
    }


def routes(mounted: "dict[str, Starlette]") -> list[BaseRoute]:
    """Where the servers are called."""
    return [
        Named(one.path, one.endpoint, methods=one.methods, name=NAMES[one.path])
        for app in mounted.values()
        for one in app.routes
        if isinstance(one, Route)
    ]


@asynccontextmanager
async def running(mounted: "dict[str, Starlette]") -> AsyncIterator[None]:
    """Starts and ends what the applications need."""
    async with AsyncExitStack() as stack:
        for app in mounted.values():
            await stack.enter_async_context(app.router.lifespan_context(app))
        yield


async def _known(ctx: Any, call_next: Any) -> Any:
    """Middleware: who called is at hand for whatever the call does."""
    if ctx.request is not None:
        CALLER.set(ctx.request.state.caller)
    return await call_next(ctx)


async def _run(service: Service, right: Right, work: Callable[[Recollect], Any]) -> Any:
    caller = CALLER.get()
    try:
        permitted(caller, right)
        return await service.quick.run(partial(service.done_for, caller.user, work, caller.key))
    except Rejected as error:
        raise Refused(error.detail) from None
