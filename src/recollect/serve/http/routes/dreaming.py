"""Dream, look at what was dreamt, and take it back."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as InPath

from recollect.engine import Recollect
from recollect.serve import shapes
from recollect.serve.http import accounts, sending
from recollect.serve.http.routes.looking import After, Limit, place
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["dream"])
DreamId = Annotated[str, InPath(min_length=1, max_length=100, description="An id, or its unique beginning.")]


@verb(router, "POST", "/dreams", right=Right.WRITE, answers=accounts.Dream, slow=True)
def dream(memory: Recollect, sent: sending.NewDream) -> dict[str, Any]:
    """Let memories fade, sleep and be put in order.

    Nothing is deleted, and all of it can be undone. A dream that was interrupted is finished first.
    """
    return shapes.dream(memory.dream(dry_run=sent.dry_run))


@verb(router, "GET", "/dreams", right=Right.READ, answers=accounts.Dreams)
def dreams(memory: Recollect, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """List dreams page by page, newest first."""
    begin = place(memory, after)
    found = [one for one in reversed(memory.dreams()) if begin is None or one.id < begin]
    return {
        "dreams": [shapes.dream(one) for one in found[:limit]],
        "next": found[limit - 1].id if len(found) > limit else None,
    }


@verb(router, "GET", "/dreams/{dream_id}", right=Right.READ, answers=accounts.DetailedDream)
def show_dream(memory: Recollect, dream_id: DreamId) -> dict[str, Any]:
    """Show what one dream did, and why it changed each memory."""
    found, why = memory.dreamt(dream_id)
    return shapes.dream(found) | {"why": why}


@verb(router, "POST", "/dreams/{dream_id}/undo", right=Right.WRITE, answers=accounts.Dream, slow=True)
def undo_dream(memory: Recollect, dream_id: DreamId) -> dict[str, Any]:
    """Restore what one dream changed.

    What was changed since is left as it is, and named in `conflicts`.
    """
    return shapes.dream(memory.undo_dream(dream_id))
