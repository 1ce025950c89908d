"""What was written and read, and whether the hash chain over what was written still holds."""

from typing import Any

from recollect.engine.auditing import READS, WRITES
from recollect.serve.dashboard.visits import Deed, Done, Page, Visit
from recollect.serve.keys import Right

SHOWN = 100
BOTH = "all"
FILTERS = ("operation", "session", "memory_id", "since", "until")


def show(visit: Visit) -> dict[str, Any]:
    memory, asked = visit.memory, visit.asked
    # Who asked what is for whoever may administer; that something was written is for all.
    choices = (BOTH, WRITES, READS) if Right.ADMIN in visit.rights else (WRITES,)
    only = asked.chosen("only", choices, choices[0])
    wanted = {name: asked.text(name) for name in FILTERS}
    page = memory.audit(
        since=asked.moment("since"),
        until=asked.moment("until"),
        operation=wanted["operation"],
        session=wanted["session"],
        memory_id=wanted["memory_id"],
        only=None if only == BOTH else only,
        limit=SHOWN,
        after=asked.text("after"),
    )
    return {
        "head": memory.store.counts(memory.user)["witness"],
        "level": memory.settings.audit.level,
        "page": page,
        "choices": choices,
        "asked": {**wanted, "only": only},
        "first": asked.text("after") is None,
        "filtered": any(wanted.values()) or only != choices[0],
    }


def verify(visit: Visit) -> Done:
    """Recomputes the whole chain."""
    faults = visit.memory.verify()
    if not faults:
        return Done("Everything is as it was written", "/audit")
    first = faults[0]
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return Done(f"Changed behind the engine's back: {first.subject}: {first.problem}{more}", "/audit")


PAGES = (Page("audit", "/audit", "Audit", show, key="a"),)
DEEDS = (Deed("verify", "/verify", verify, right=Right.READ, slow=True),)
