"""What was found among the published, as JSON."""

from typing import TYPE_CHECKING, Any

from recollect.exchange.values import iso

if TYPE_CHECKING:
    from recollect.recall.hits import Hit


def found(hit: "Hit") -> dict[str, Any]:
    """A hit of the library, with all that another store needs to merge it with its own."""
    memory = hit.memory
    return {
        "id": memory.id,
        "text": memory.text,
        "kind": memory.kind,
        "tags": list(memory.tags),
        "title": memory.metadata.get("title", ""),
        "summary": memory.metadata.get("summary", ""),
        "author": memory.metadata.get("author", ""),
        "version": int(memory.metadata.get("item_version", 1)),
        "published_at": iso(memory.recorded_at),
        "score": hit.score,
        "signals": dict(hit.signals),
        "values": dict(hit.values),
        "similarity": hit.similarity,
        "relevance": hit.relevance,
    }
