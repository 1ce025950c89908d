"""Publish, look into the library, and share channels."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from recollect.engine import Recollect
from recollect.serve import shapes, shared_shapes
from recollect.serve.http import models, sending_shared, shared_models
from recollect.serve.http.paths import NAME
from recollect.serve.http.routes.recalling import Question
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

GRANT = f"/grants/{{channel:{NAME}}}/{{user:{NAME}}}"
router = APIRouter(tags=["share"])
ItemId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z]+$")]
Who = Annotated[str, Path(min_length=1, max_length=1_000, pattern=r"\S")]
OwnerName = Annotated[str | None, Query(min_length=1, max_length=1_000, pattern=r"\S")]


@verb(router, "POST", "/library/preview", right=Right.WRITE, answers=shared_models.Preview)
def preview(memory: Recollect, sent: sending_shared.Publication) -> dict[str, Any]:
    """Show exactly what publishing would give away, and publish nothing."""
    return shapes.preview(memory.preview(sent.title, sent.text, **sent.options("title", "text")))


@verb(router, "POST", "/library", right=Right.WRITE, answers=shared_models.Item)
def publish(memory: Recollect, sent: sending_shared.Publication) -> dict[str, Any]:
    """Publish a text, or memories, for others to find.

    A copy leaves, and nothing else does. Secrets and personal data stop it.
    """
    return shapes.item(memory.publish(sent.title, sent.text, **sent.options("title", "text")))


@verb(router, "GET", "/library", right=Right.READ, answers=shared_models.Items)
def search_library(
    memory: Recollect, q: Question, k: Annotated[int, Query(ge=1, le=100)] = 10
) -> dict[str, Any]:
    """Find what was published, of what the caller may read."""
    return {"items": [shapes.item(one) for one in memory.search_library(q, k)]}


@verb(router, "POST", "/library/search", right=Right.READ, answers=shared_models.FoundItems)
def find_in_library(memory: Recollect, sent: sending_shared.AskedLibrary) -> dict[str, Any]:
    """Find the same for a recall elsewhere, which merges it with what is known there: with scores and signals."""
    asked = sent.options("query", "k")
    return {"hits": [shared_shapes.found(hit) for hit in memory.library_hits(sent.query, sent.k, **asked)]}


@verb(router, "GET", "/library/mine", right=Right.READ, answers=shared_models.Items)
def published(memory: Recollect) -> dict[str, Any]:
    """List what the caller has published, newest first."""
    return {"items": [shapes.item(one) for one in memory.published()]}


@verb(router, "GET", "/library/{item_id}", right=Right.READ, answers=shared_models.Item)
def show_item(
    memory: Recollect, item_id: ItemId, version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None
) -> dict[str, Any]:
    """Show one item, as it is or as one of its versions was."""
    return shapes.item(memory.item(item_id, version))


@verb(router, "GET", "/library/{item_id}/versions", right=Right.READ, answers=shared_models.Items)
def item_versions(memory: Recollect, item_id: ItemId) -> dict[str, Any]:
    """Show every version of an item, oldest first."""
    return {"items": [shapes.item(one) for one in memory.item_versions(item_id)]}


@verb(router, "POST", "/library/{item_id}/unpublish", right=Right.WRITE, answers=shared_models.Item)
def unpublish(memory: Recollect, item_id: ItemId, sent: sending_shared.Unpublished) -> dict[str, Any]:
    """Take an item away: nobody's next question finds it."""
    return shapes.item(memory.unpublish(item_id, erase=sent.erase))


@verb(router, "POST", "/library/report", right=Right.WRITE, answers=shared_models.Reported)
def report(memory: Recollect, sent: sending_shared.Report) -> dict[str, Any]:
    """Say how a run went that used published items.

    Only that is kept, under a pseudonym, and told of groups with noise.
    """
    return {"counted": memory.report(sent.items, success=sent.success)}


@verb(router, "GET", "/grants", right=Right.READ, answers=shared_models.Grants)
def grants(memory: Recollect) -> dict[str, Any]:
    """List what the caller granted to others, and others to the caller."""
    return {
        "given": [shapes.grant(one) for one in memory.grants()],
        "received": [shapes.grant(one) for one in memory.granted()],
    }


@verb(router, "PUT", GRANT, right=Right.WRITE, answers=shared_models.Grant)
def grant(memory: Recollect, channel: Who, user: Who, sent: sending_shared.NewGrant) -> dict[str, Any]:
    """Let another user into a channel, or change what they may do there."""
    return shapes.grant(memory.grant(user, channel, sent.role, owner=sent.owner))


@verb(router, "DELETE", GRANT, right=Right.WRITE, answers=shared_models.Grant)
def revoke(memory: Recollect, channel: Who, user: Who, owner: OwnerName = None) -> dict[str, Any]:
    """Take a grant away; it counts from the next question on."""
    return shapes.grant(memory.revoke(user, channel, owner=owner))


@verb(router, "POST", "/contribute", right=Right.WRITE, answers=models.Remembered)
def contribute(memory: Recollect, sent: sending_shared.Contribution) -> dict[str, Any]:
    """Keep a memory in a channel that another user shares."""
    return shapes.remembered(memory.contribute(sent.text, **sent.options("text")))
