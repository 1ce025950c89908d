"""A tour for newcomers: remember, observe, recall with reasons, supersede, time travel, forget and restore."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.engine import Recollect
from recollect.recall.hits import Recall

CONVERSATION = (
    ("user", "Priya", "Morning! The staging deploy hung again, the session manager held its mutex."),
    ("assistant", None, "I can look into it. Is it the same deadlock as last week?"),
    ("user", "Priya", "Yes. We fixed it then by releasing the lock before the callback runs."),
    ("user", "Priya", "By the way, I moved to Lisbon in February, so my mornings start an hour earlier."),
)
SINCE = datetime(2025, 3, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the tour: what it shows, what came of it, and the same for a person."""

    title: str
    result: dict[str, object]
    shown: RenderableType


def tour(memory: Recollect) -> Iterator[Stop]:
    """Each stop does what it says on the real engine and shows what came of it."""
    memory.remember("Deploys go through staging first", tags=["ops"])
    office = memory.remember("The team's office is in Porto", kind="fact", valid_from=SINCE)
    secret = memory.remember("The deploy bot's password is " + "correct-horse-battery", tags=["ops"])
    yield _told(
        "Remember: one call keeps one thing, in one file, with no server and no API key.",
        {"kept": 3, "without_the_secret": secret.text},
        f"3 memories; the secret in one of them never reached the disk: {secret.text}",
    )

    said = [{"role": role, "name": name, "content": text} for role, name, text in CONVERSATION]
    turns = memory.observe(said, session="standup")
    formed = [one.text for turn in turns for one in turn.formed if one.id is not None]
    yield _told(
        "Observe: a conversation is kept verbatim, and what it states becomes memories.",
        {"turns": len(turns), "formed": formed},
        "\n".join([f"{len(turns)} turns in the log lane; formed from them:", *formed]),
    )

    questions = ("how did we solve the deadlock?", "what happens before production?")
    yield _found(
        "Recall: a question brings what helps, and every hit says why.",
        *(memory.recall(q, 2) for q in questions),
    )

    before = memory.get(str(office.id)).recorded_at + timedelta(microseconds=1)
    memory.remember("The team's office is in Lisbon", kind="fact", supersedes=office.id)
    where = "where is the office?"
    yield _found("Supersede: a newer fact replaces an older one, which is not lost.", memory.recall(where, 1))
    yield _found("Time travel: the same question, as of a moment ago.", memory.recall(where, 1, as_of=before))

    deploys = memory.recall("deploys staging", 1)[0].id
    memory.forget(deploys)
    hidden = all(hit.id != deploys for hit in memory.recall("deploys staging"))
    memory.restore(deploys)
    back = memory.recall("deploys staging", 1)[0].id == deploys
    yield _told(
        "Forget and restore: forgetting can be undone, purging cannot.",
        {"hidden": hidden, "restored": back},
        f"forgotten: {'not recalled any more' if hidden else 'still there!'}; restored: {'back' if back else 'lost!'}",
    )

    prompt = memory.context("where is the office and how do we deploy?", budget_tokens=160)
    yield _told("Context: ready for a prompt, dated, within a budget of tokens.", {"context": prompt}, prompt)

    faults = memory.verify()
    links = memory.stats()["witness"]["entries"]
    yield _told(
        "Verify: a hash chain over every write finds what was changed behind the engine's back.",
        {"faults": len(faults), "links": links},
        f"{links} links, {len(faults) or 'no'} faults",
    )


def _told(title: str, result: dict[str, object], text: str) -> Stop:
    return Stop(title, result, Text(text, style="green"))


def _found(title: str, *recalls: Recall) -> Stop:
    result: dict[str, object] = {found.query: [hit.text for hit in found] for found in recalls}
    return Stop(title, result, Group(*(_table(found) for found in recalls)))


def _table(found: Recall) -> Table:
    table = Table(title=f"{found.query}  ({found.trace.elapsed_ms:.1f} ms)", title_justify="left")
    for heading in ("memory", "holds", "score", "because"):
        table.add_column(heading, overflow="fold")
    for hit in found:
        strongest = sorted(hit.signals.items(), key=lambda pair: -abs(pair[1]))[:3]
        because = ", ".join(f"{name} {value:+.2f}" for name, value in strongest)
        table.add_row(Text(hit.text), hit.holds, f"{hit.score:.2f}", because)
    return table
