"""What was dreamt, what it changed and why; trying one, dreaming one, taking one back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.dream.runs import DONE, RUNNING, UNDOING
from recollect.engine import Recollect
from recollect.model import Memory
from recollect.serve.dashboard.visits import Deed, Done, Page, Visit

SHOWN = 50
MOST_REASONS = 500


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a step changed a memory."""

    step: str
    rule: str
    memory: Memory | None
    id: str


def show(visit: Visit) -> dict[str, Any]:
    found = visit.memory.dreams()[::-1]
    return {"dreams": found[:SHOWN], "more": max(0, len(found) - SHOWN)}


def show_one(visit: Visit) -> dict[str, Any]:
    found, why = visit.memory.dreamt(visit.asked.named["dream_id"])
    told = list(reasons(visit.memory, why))
    return {
        "title": "Dream",
        "dream": found,
        "reasons": told[:MOST_REASONS],
        "more": max(0, sum(map(len, why.values())) - MOST_REASONS),
        "doubts": [
            (one.rule, [Reason("", one.rule, visit.memory.find(known), known) for known in one.ids])
            for one in found.doubts
        ],
        "can_undo": found.state in {DONE, RUNNING, UNDOING},
    }


def reasons(memory: Recollect, why: Mapping[str, Mapping[str, str]]) -> Iterator[Reason]:
    """The first of all reasons, each with its memory where that is still there."""
    every = [(step, known, rule) for step, given in why.items() for known, rule in given.items()]
    for step, known, rule in every[:MOST_REASONS]:
        yield Reason(step, rule, memory.find(known), known)


def dream(visit: Visit) -> Done:
    """Dreams, or tries what a dream would do."""
    dry = visit.asked.checked("dry_run")
    ran = visit.memory.dream(dry_run=dry)
    if not dry:
        return Done(f"Dreamt: {ran.changed:,} changes in {ran.seconds:.1f} s", f"/dreams/{ran.id}")
    parts = [
        f"{name.replace('_', ' ')}: {sum(step.changed.values()):,}"
        for name, step in ran.steps.items()
        if step.changed
    ]
    told = "; ".join(parts) or "nothing would change"
    return Done(f"A dream now would make {ran.changed:,} changes ({told}). Nothing was written.", "/dreams")


def undo(visit: Visit) -> Done:
    """Restores what a dream changed."""
    undone = visit.memory.undo_dream(visit.asked.named["dream_id"])
    left = f"; {len(undone.conflicts)} were changed since and stay" if undone.conflicts else ""
    return Done(f"Undone{left}", f"/dreams/{undone.id}")


PAGES = (
    Page("dreams", "/dreams", "Dreams", show, key="d"),
    Page("dream", "/dreams/{dream_id}", "Dream", show_one),
)
DEEDS = (
    Deed("dream", "/dreams", dream, slow=True),
    Deed("undo_dream", "/dreams/{dream_id}/undo", undo, slow=True),
)
