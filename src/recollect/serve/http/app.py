"""The application: every route, behind the door."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from recollect import __version__
from recollect.errors import RecollectError
from recollect.serve.http import agents, models, problems
from recollect.serve.http.door import Door
from recollect.serve.http.requests import Requests
from recollect.serve.http.routes import (
    changing,
    dreaming,
    exchanging,
    forming,
    graphing,
    intending,
    keeping,
    learning,
    looking,
    practising,
    pursuing,
    recalling,
    reviewing,
    sharing,
    syncing,
    upkeep,
    working,
)
from recollect.serve.http.routing import PROBLEMS, add
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

API = "/api/memory"
ABOUT = (
    "Long-term memory for AI agents. Every call is about the memory of the key's user, and of nobody else."
)
COUNT_SECONDS = 5.0
ROUTERS = (
    keeping.router,
    forming.router,
    recalling.router,
    looking.router,
    changing.router,
    reviewing.router,
    learning.router,
    practising.router,
    intending.router,
    pursuing.router,
    working.router,
    graphing.router,
    dreaming.router,
    exchanging.router,
    sharing.router,
    syncing.router,
    upkeep.router,
)


class Application(FastAPI):
    """FastAPI, whose document also says how a key is sent."""

    def openapi(self) -> dict[str, Any]:
        made = super().openapi()
        made["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        return made


def application(service: Service) -> FastAPI:
    """The whole service as an ASGI application, which closes the service when it ends."""
    app = Application(
        title="Recollect",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=partial(_lifespan, service),
        middleware=[Middleware(Requests, service=service), Middleware(Door, service=service)],
        # An address with a slash too many is told so, not sent elsewhere.
        redirect_slashes=False,
        exception_handlers={
            RecollectError: problems.of_error,
            problems.Rejected: problems.of_error,
            RequestValidationError: problems.of_validation,
            HTTPException: problems.of_status,
        },
    )
    app.state.service = service
    app.router.routes.extend(_verbs())
    shown = _dashboard(service) if service.options.dashboard else None
    app.include_router(_outside(None if shown is None else shown.prefix))
    if shown is not None:
        app.include_router(shown)
    app.state.agents = agents.applications(service)
    app.router.routes.extend(agents.routes(app.state.agents))
    return app


@cache
def _verbs() -> list[BaseRoute]:
    """The routes of every verb, made once: it takes longer than all the rest, and none knows whose service it is."""
    together = APIRouter()
    for router in ROUTERS:
        together.include_router(router, prefix=API)
    return together.routes


def _dashboard(service: Service) -> APIRouter | None:
    """The pages for people; None where the extra is not installed."""
    try:
        from recollect.serve.dashboard.app import dashboard  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    return dashboard(service)


def _outside(pages: str | None) -> APIRouter:
    """What is asked by those who run the service; a browser is sent to the pages for people."""
    router = APIRouter(tags=["run"])

    @router.get("/", response_model=models.Place, operation_id="root")
    async def root(request: Request) -> Any:
        """Say what this is."""
        if pages is not None and "text/html" in request.headers.get("accept", ""):
            return RedirectResponse(pages, 303)
        return {"name": "recollect", "version": __version__, "api": API, "openapi": "/openapi.json"}

    @router.get(
        "/health", response_model=models.Health, response_model_exclude_none=True, operation_id="health"
    )
    async def health() -> dict[str, str]:
        """Say that requests are taken."""
        return {"status": "ok"}

    @router.get(
        "/ready",
        response_model=models.Health,
        operation_id="ready",
        responses={503: {"model": models.Health}},
    )
    async def ready(request: Request) -> Response:
        """Say whether a question would be answered at once: the store is there and the model is loaded."""
        service: Service = request.app.state.service
        reason = await service.quick.run(service.not_ready)
        if reason is None:
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "not ready", "reason": reason}, 503)

    async def metrics(request: Request) -> Response:
        """Give the counts and times of this service to Prometheus."""
        service: Service = request.app.state.service
        told = await service.slow.run(service.metrics.rendered)
        return Response(told, media_type="text/plain; version=0.0.4; charset=utf-8")

    text = {
        "description": "Prometheus' text format.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
    add(
        router,
        "GET",
        "/metrics",
        metrics,
        metrics,
        right=Right.ADMIN,
        response_class=Response,
        responses={**PROBLEMS, 200: text},
    )
    return router


@asynccontextmanager
async def _lifespan(service: Service, app: FastAPI) -> AsyncIterator[None]:
    threading.Thread(target=service.warm, name="recollect-warm", daemon=True).start()
    counting = asyncio.create_task(_counting(service))
    try:
        async with agents.running(app.state.agents):
            yield
    finally:
        counting.cancel()
        await asyncio.to_thread(service.close)


async def _counting(service: Service) -> None:
    """Has each worker hand over its counts, whichever of them is asked for all."""
    while True:
        await asyncio.sleep(COUNT_SECONDS)
        service.metrics.count_cache()
        service.metrics.count_asked()
