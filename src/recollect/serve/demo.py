"""A tour for newcomers: remember, observe, recall with reasons, supersede, time travel, forget and restore."""

import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from recollect.engine import Recollect
from recollect.language.validity import validity
from recollect.recall.hits import Recall

CONVERSATION = (
    ("user", "Priya", "Morning! The staging deploy hung again, the session manager held its mutex."),
    ("assistant", None, "I can look into it. Is it the same deadlock as last week?"),
    ("user", "Priya", "Yes. We fixed it then by releasing the lock before the callback runs."),
    ("user", "Priya", "By the way, I moved to Lisbon in February, so my mornings start an hour earlier."),
)


def tour(memory: Recollect, console: Console) -> None:
    """Each step says what it does, does it on the real engine, and shows what came of it."""
    say = lambda step, text: console.print(f"\n[bold cyan]{step}[/] [bold]{text}[/]")  # noqa: E731

    say("1", "Remember. One call keeps one thing, in one file, with no server and no API key.")
    memory.remember("Deploys go through staging first", tags=["ops"])
    office = memory.remember(
        "The team's office is in Porto", kind="fact", valid_from=datetime(2025, 3, 1, tzinfo=UTC)
    )
    key = memory.remember("The deploy bot's password is " + "correct-horse-battery", tags=["ops"])
    console.print(f"   kept 3 memories; a secret among them never reached the disk: [green]{key.text}[/]")

    say("2", "Observe. A conversation is kept verbatim, turn by turn.")
    turns = memory.observe(
        [{"role": role, "name": name, "content": text} for role, name, text in CONVERSATION],
        session="standup",
    )
    console.print(f"   {len(turns)} turns in the log lane")

    say("3", "Recall. A question brings what helps, and every hit says why.")
    show(memory.recall("how did we solve the deadlock?", k=3), console)
    show(memory.recall("what happens before something reaches production?", k=2), console)

    say("4", "Supersede. A newer fact replaces an older one; the old one is not lost.")
    before = datetime.now(UTC)
    time.sleep(0.01)
    memory.remember("The team's office is in Lisbon", kind="fact", supersedes=office.id)
    show(memory.recall("where is the office?", k=1), console)

    say("5", "Time travel. The same question, as of a moment ago.")
    show(memory.recall("where is the office?", k=1, as_of=before), console)

    say("6", "Forget and restore. Forgetting can be undone; purging cannot.")
    deploys = memory.recall("deploys staging", k=1)[0]
    memory.forget(deploys.id)
    gone = all(hit.id != deploys.id for hit in memory.recall("deploys staging", k=5))
    memory.restore(deploys.id)
    back = memory.recall("deploys staging", k=1)[0].id == deploys.id
    console.print(
        f"   forgotten: {'not recalled any more' if gone else 'STILL THERE'}; restored: {'back' if back else 'LOST'}"
    )

    say("7", "Ready for a prompt, within a budget of tokens.")
    console.print(
        Text(memory.context("where is the office and how do we deploy?", budget_tokens=120), style="green")
    )

    say("8", "Verify. A hash chain over everything written finds any change behind the engine's back.")
    faults = memory.verify()
    console.print(
        f"   {'all is well' if not faults else faults}: {memory.stats()['witness']['entries']} links, no fault"
    )


def show(found: Recall, console: Console) -> None:
    """The hits of one question with the signals that brought them."""
    table = Table(
        title=f"“{found.query}”  {found.trace.elapsed_ms:.1f} ms", title_justify="left", title_style="italic"
    )
    for heading in ("memory", "holds", "score", "because"):
        table.add_column(heading, overflow="fold")
    for hit in found:
        told = sorted(hit.signals.items(), key=lambda pair: -abs(pair[1]))[:3]
        because = ", ".join(f"{name} {value:+.2f}" for name, value in told)
        table.add_row(hit.text, validity(hit.memory), f"{hit.score:.2f}", because)
    console.print(table)


def run(console: Console, open_memory: Callable[[Path], Recollect] = Recollect) -> None:
    """The tour on a store of its own, which is gone afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder,
        open_memory(Path(folder) / "demo.db") as memory,
    ):
        tour(memory, console)
    console.print('\nNow yours: [bold]recollect remember "…"[/], then [bold]recollect recall "…"[/].')
