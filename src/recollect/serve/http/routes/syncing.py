"""Keep two stores of one user up to date with each other."""

from dataclasses import asdict
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from recollect.engine import Recollect
from recollect.exchange.syncing import checked, place_value, secret_of, signed
from recollect.serve.http import sending_shared, shared_models
from recollect.serve.http.routing import add, answered, as_json, verb
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

router = APIRouter(tags=["sync"])


@verb(router, "POST", "/sync/place", right=Right.READ, answers=shared_models.SyncPlace)
def sync_place(memory: Recollect, sent: sending_shared.SyncSender) -> dict[str, Any]:
    """Tell how far what another store has was taken here."""
    return {"store": memory.store.identity, "place": place_value(memory.sync_place(sent.sender))}


async def sync_give(request: Request, sent: sending_shared.SyncAsked) -> Any:
    """Give a page of what changed after a place, signed with the caller's key."""
    secret = await _secret(request)
    asked = sent.place.model_dump()

    def given(memory: Recollect) -> bytes:
        return as_json(signed(memory.sync_page(asked, sent.channels), secret))

    return await answered(request, given, slow=True)


async def sync_take(request: Request, sent: sending_shared.SyncMessage) -> Any:
    """Take a page that was signed with the caller's key; the same one twice changes nothing.

    What was erased there is erased here if the key has the right to administer, as `purge` asks for; otherwise it is
    told as `kept`.
    """
    secret = await _secret(request)
    purges = Right.ADMIN in request.state.caller.rights

    def taken(memory: Recollect) -> bytes:
        return as_json(asdict(memory.take_page(checked(sent.model_dump(), secret), purges=purges)))

    return await answered(request, taken, slow=True)


async def _secret(request: Request) -> bytes:
    """What both sides of the caller's key have; without keys there is nothing to sign with."""
    service: Service = request.app.state.service
    key = request.state.caller.key
    if key is None:
        return secret_of("")
    found: str = await service.quick.run(partial(service.keys.fingerprint, key))
    return found.encode()


add(
    router,
    "POST",
    "/sync/give",
    sync_give,
    sync_give,
    right=Right.READ,
    response_model=shared_models.SyncMessage,
)
add(
    router,
    "POST",
    "/sync/take",
    sync_take,
    sync_take,
    right=Right.WRITE,
    response_model=shared_models.SyncTaken,
)
