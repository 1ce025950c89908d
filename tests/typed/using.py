"""The public face as a program uses it: `make lint` checks its types, and that a wrong use is told.

A line that is wrong on purpose says so by what the checker must find there; if it finds nothing, that is an error.
"""

from datetime import UTC, datetime
from typing import assert_type

from recollect import Hit, Memory, Recall, RecallOptions, Recollect, Remembered

OPTIONS: RecallOptions = {"since": datetime(2026, 1, 1, tzinfo=UTC), "tags": ["ops"], "as_of": "2026-03-01"}


def agent(memory: Recollect) -> str:
    kept = memory.remember("Deploys go through staging first", tags=["ops"])
    assert_type(kept, Remembered)
    assert_type(memory.observe({"role": "user", "content": "I live in Porto."}), list[Remembered])
    found = memory.recall("how do we deploy?", 5, kinds="fact", lanes="memory", deep=True)
    assert_type(found, Recall)
    found = memory.recall("how do we deploy?", learn=False, **OPTIONS)
    assert_type(found, Recall)
    assert_type(found[0], Hit)
    assert_type(memory.history("01"), list[Memory])
    with memory.episode("fix the auth bug", task_type="bugfix") as run:
        advice = run.decide("tests fail in session_manager", possible=["grep mutex", "run the tests"])
        followed = [precedent.id for precedent in advice.precedents[:1]]
        run.step(advice.best or "grep mutex", action_type="search", observation="none", followed=followed)
        run.finish(success=True)
    return memory.context("how do we deploy?", budget_tokens=800, k=8, session="s1", learn=False)


def misused(memory: Recollect) -> None:
    memory.recall("how?", tag="ops")  # type: ignore[call-arg]
    memory.recall("how?", since=2026)  # type: ignore[arg-type]
    memory.context("how?", min_relevance="high")  # type: ignore[arg-type]
    memory.remember(b"bytes")  # type: ignore[arg-type]
