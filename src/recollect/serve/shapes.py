"""Results as JSON-shaped values: the shapes that `--json` promises."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.exchange.values import edge_value, iso, memory_value
from recollect.model import Counters, Edge, Memory
from recollect.recall.hits import Hit, Recall, Trace

# It brings the secret detectors, which a verb's `--help` does not wait for.
if TYPE_CHECKING:
    from recollect.config import Setting
    from recollect.engine import Recollect
    from recollect.write.result import Formed, Remembered


def remembered(result: "Remembered") -> dict[str, Any]:
    """What became of one text."""
    return {
        "id": result.id,
        "action": str(result.action),
        "reason": result.reason,
        "text": result.text,
        "redactions": [{"kind": found.kind, "reason": found.reason} for found in result.redactions],
        "supersedes": result.supersedes,
    }


def observed(turns: "list[Remembered]", *, dry_run: bool = False) -> dict[str, Any]:
    """What became of a conversation, and of what its messages state where memories are formed from it."""
    told = []
    for turn in turns:
        formed = {"formed": [_formed(one) for one in turn.formed]} if turn.formed else {}
        told.append(remembered(turn) | formed)
    kept = 0 if dry_run else sum(turn.kept for turn in turns)
    return {"kept": kept, "turns": told}


def _formed(one: "Formed") -> dict[str, Any]:
    return {
        "action": str(one.action),
        "stage": one.stage,
        "reason": one.reason,
        "text": one.text,
        "id": one.id,
        "kind": one.kind,
        "supersedes": list(one.supersedes),
    }


def recalled(found: Recall) -> dict[str, Any]:
    """The hits of a question, best first, and how they were found."""
    return {"query": found.query, "hits": [_hit(hit) for hit in found], "trace": _trace(found.trace)}


def detailed(memory: Memory, counters: Counters, edges: list[Edge]) -> dict[str, Any]:
    """All that is known about one memory."""
    used = {"access_count": counters.access_count, "last_accessed_at": iso(counters.last_accessed_at)}
    return memory_value(memory) | {"counters": used, "edges": [edge_value(edge) for edge in edges]}


def settings(memory: "Recollect", chosen: "Iterable[Setting]") -> list[dict[str, Any]]:
    """Settings as they are for this user now, and where each value comes from."""
    kept = memory.store.settings(memory.user)
    return [_setting(memory, one, kept=one.name in kept) for one in chosen]


def _setting(memory: "Recollect", one: "Setting", *, kept: bool) -> dict[str, Any]:
    group, field = one.name.split(".", 1)
    return {
        "name": one.name,
        "value": getattr(getattr(memory.settings, group), field),
        "default": one.default,
        "source": "environment" if one.in_environment else "store" if kept else "default",
        "variable": one.variable,
        "about": one.about,
        "choices": list(one.choices),
        "low": one.low,
        "high": one.high,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    signals = {"signals": _numbers(hit.signals), "values": _numbers(hit.values)}
    return {"id": hit.id, "text": hit.text, "score": hit.score, **signals, **memory_value(hit.memory)}


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "at": iso(trace.at),
        "profile": trace.profile,
        "weights": dict(trace.weights),
        "settings": dict(trace.settings),
        "elapsed_ms": round(trace.elapsed_ms, 3),
        "steps": [
            {"stage": step.stage, "elapsed_ms": round(step.elapsed_ms, 3), "detail": dict(step.detail)}
            for step in trace.steps
        ],
    }


def _numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    """JSON has no word for what is not a number."""
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
