"""Change what is known of a memory."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from recollect.engine import Recollect
from recollect.exchange.values import edge_value, memory_value
from recollect.model import Edge
from recollect.serve import shapes
from recollect.serve.http import models, sending
from recollect.serve.http.routes.looking import Id
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["change"])


@verb(router, "POST", "/feedback", right=Right.WRITE, answers=models.Judged)
def feedback(memory: Recollect, sent: sending.Feedback) -> dict[str, Any]:
    """Say that memories helped, or did not; all of them are judged, or none.

    What helped is believed more, lasts longer and is promoted; what did not sleeps in the end.
    """
    memory.feedback(sent.ids, helpful=sent.helpful)
    return shapes.judged(memory, sent.ids, helpful=sent.helpful)


@verb(router, "PATCH", "/memories/{memory_id}", right=Right.WRITE, answers=models.Remembered)
def edit(memory: Recollect, memory_id: Id, sent: sending.Edit) -> dict[str, Any]:
    """Put a new text, other metadata or another end in place of the old.

    The old stays in the history.
    """
    end = {"valid_until": sent.valid_until} if "valid_until" in sent.model_fields_set else {}
    return shapes.remembered(memory.edit(memory_id, sent.text, metadata=sent.metadata, **end))


@verb(router, "POST", "/memories/{memory_id}/tags", right=Right.WRITE, answers=models.Memory)
def tag(memory: Recollect, memory_id: Id, sent: sending.Tags) -> dict[str, Any]:
    """Add tags to a memory, remove tags from it."""
    return memory_value(memory.tag(memory_id, *sent.add, remove=sent.remove))


@verb(router, "POST", "/memories/{memory_id}/links", right=Right.WRITE, answers=models.Edge)
def link(memory: Recollect, memory_id: Id, sent: sending.Link) -> dict[str, Any]:
    """Relate two memories by a typed edge."""
    ends = memory.get(memory_id).id, memory.get(sent.target).id
    memory.link(*ends, sent.type, weight=sent.weight, reason=sent.reason)
    made = (
        one for one in memory.edges(ends[0]) if one.type == sent.type and {one.source, one.target} == {*ends}
    )
    return edge_value(next(made, Edge(*ends, sent.type, sent.weight, reason=sent.reason)))


@verb(router, "DELETE", "/memories/{memory_id}/links", right=Right.WRITE, answers=models.Edge)
def unlink(
    memory: Recollect,
    memory_id: Id,
    target: Annotated[str, Query(description="The id of the memory that it leads to.", max_length=1_000)],
    type: Annotated[str, Query(description="Of which type it is.", max_length=1_000)] = "related_to",
) -> dict[str, Any]:
    """Take an edge between two memories away; `links` brings it back.

    The answer is the edge as it was.
    """
    return edge_value(memory.unlink(memory_id, target, type))


@verb(router, "POST", "/memories/{memory_id}/pin", right=Right.WRITE, answers=models.Memory)
def pin(memory: Recollect, memory_id: Id, sent: sending.Pin) -> dict[str, Any]:
    """Protect a memory from forgetting, or from every change; false lifts it."""
    return memory_value(memory.pin(memory_id, pinned=sent.pinned, immutable=sent.immutable))


@verb(router, "POST", "/memories/{memory_id}/forget", right=Right.WRITE, answers=models.Memory)
def forget(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Make a memory dormant; `restore` undoes it."""
    return memory_value(memory.forget(memory_id))


@verb(router, "POST", "/memories/{memory_id}/restore", right=Right.WRITE, answers=models.Memory)
def restore(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Bring a dormant memory back."""
    return memory_value(memory.restore(memory_id))


@verb(router, "DELETE", "/memories/{memory_id}", right=Right.ADMIN, answers=models.Purged, slow=True)
def purge(
    memory: Recollect,
    memory_id: Id,
    derived: Annotated[bool, Query(description="And everything that was formed from it.")] = False,
) -> dict[str, Any]:
    """Erase a memory for good; it cannot be undone.

    Every version of it goes, from the store, its index and the copies that were made of it, and the same text
    is refused from then on. `derived` names the memories that were formed from it and are still there.
    """
    known = memory.get(memory_id).id
    doomed = [known, *(memory.derived(known) if derived else ())]
    return {"purged": doomed, "derived": memory.purge(*doomed)}
