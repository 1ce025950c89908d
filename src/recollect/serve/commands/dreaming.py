"""The verbs of sleep."""

import json
import signal
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.serve import shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed, progress
from recollect.serve.show import plain

if TYPE_CHECKING:
    from recollect.dream.runs import Run

app = typer.Typer(rich_markup_mode=None)


@verb(app, "dream")
def dream(
    common: Common,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Decide what would be done, and write nothing.")
    ] = False,
    report: Annotated[
        str | None, typer.Option("--report", metavar="ID", help="Show what one dream did, and why.")
    ] = None,
    undo: Annotated[
        str | None, typer.Option("--undo", metavar="ID", help="Restore what one dream changed.")
    ] = None,
    every: Annotated[bool, typer.Option("--list", help="List the dreams so far.")] = False,
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder", metavar="DIR", help="Hold memories that name files or commands against this folder."
        ),
    ] = None,
) -> None:
    """Let memories fade, sleep and be put in order; `--undo` takes it back.

    Nothing is deleted: what sleeps is found with --dormant and brought back by `restore`. A dream that was
    interrupted is finished first.
    """
    if sum((dry_run, report is not None, undo is not None, every)) > 1:
        raise InvalidInput("choose one of --dry-run, --report, --undo and --list")
    if every:
        _list(common)
    elif report is not None:
        _report(common, report)
    elif undo is not None:
        _undo(common, undo)
    else:
        _dream(common, dry_run=dry_run, folder=folder)


def _dream(common: Common, *, dry_run: bool, folder: str | None) -> None:
    with opened(common, must_exist=True) as memory, progress("dreaming") as heard:
        done = memory.dream(dry_run=dry_run, folder=folder, progress=heard)
    printed(common, shapes.dream(done), lambda: _told(done))


def _report(common: Common, run_id: str) -> None:
    with opened(common, embeds=False, must_exist=True) as memory:
        found, why = memory.dreamt(run_id)
    printed(common, shapes.dream(found) | {"why": why}, lambda: Group(_told(found), *_reasons(why)))


def _undo(common: Common, run_id: str) -> None:
    with opened(common, embeds=False, must_exist=True) as memory:
        undone = memory.undo_dream(run_id)
    lines = [f"dream {undone.id} is undone", *(f"left as it is: {one}" for one in undone.conflicts)]
    printed(common, shapes.dream(undone), lambda: Text("\n".join(lines)))


def _list(common: Common) -> None:
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.dreams()
    printed(common, {"dreams": [shapes.dream(one) for one in found]}, lambda: _listed(found))


@verb(app, "feedback")
def feedback(
    common: Common,
    memory_ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Ids of memories, or unique beginnings of them.")
    ],
    helpful: Annotated[bool, typer.Option("--helpful/--unhelpful", help="Which of the two.")] = True,
) -> None:
    """Say that memories helped, or did not.

    What helped is believed more, lasts longer and is promoted; what did not sleeps in the end.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        memory.feedback(memory_ids, helpful=helpful)
        found = {one: memory.counters(one) for one in memory_ids if memory.is_own(one)}
        reported = [f"{one}  reported to the library" for one in memory_ids if one not in found]
        told = shapes.judged(memory, memory_ids, helpful=helpful)
    lines = [
        f"{one}  utility {known.utility:.2f}, strength {known.strength:.1f}" for one, known in found.items()
    ]
    printed(common, told, lambda: Text("\n".join([*lines, *reported])))


@verb(app, "worker")
def worker(
    common: Common,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, and end.")] = False,
    every: Annotated[
        float, typer.Option("--every", metavar="SECONDS", help="How often to look for what is due.")
    ] = 15.0,
) -> None:
    """Do what is due for every user of the store, until it is stopped.

    Any number of workers may share a store: each job is done once per interval (settings worker.*). A line is
    printed for each, with --json one JSON document a line; `recollect stats` shows how the jobs went.
    """
    from recollect.assembly import SystemClock  # noqa: PLC0415 - only who works pays for it
    from recollect.serve.worker import Worker  # noqa: PLC0415

    if every <= 0:
        raise InvalidInput(f"--every is a number of seconds above 0, not {every}")
    with opened(common, must_exist=True) as memory:
        working = Worker(
            memory.store,
            memory.beside,
            lambda told: print(json.dumps(told) if common.json else _line(told), flush=True),
            SystemClock(),
        )
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: working.stopping.set())
        if once:
            working.look()
        else:
            working.run(every)


def _line(told: Mapping[str, Any]) -> str:
    how = told.get("error") or f"{told['changed']} changes in {told['seconds']:.1f} s"
    return plain(f"{told['user']} {told['job']}: {how}")


def _told(run: "Run") -> RenderableType:
    head = Text(f"{run.state}: {run.changed} changes in {run.seconds:.1f} s", style="bold")
    if run.id:
        head.append(f"  {run.id}", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, step in run.steps.items():
        counts = {**step.changed, **step.noted}
        table.add_row(name.replace("_", " "), ", ".join(f"{rule}: {count}" for rule, count in counts.items()))
    doubts = [Text(f"to decide, {one.rule}: {' or '.join(one.ids)}") for one in run.doubts]
    return Group(head, table, *doubts)


def _reasons(why: Mapping[str, Mapping[str, str]]) -> list[Text]:
    return [
        Text(f"{memory_id}  {step.replace('_', ' ')}: {rule}", style="dim")
        for step, reasons in why.items()
        for memory_id, rule in reasons.items()
    ]


def _listed(found: Sequence["Run"]) -> RenderableType:
    if not found:
        return Text("no dreams yet", style="dim")
    lines = [f"{one.id}  {one.now:%Y-%m-%d %H:%M}  {one.state:<8} {one.changed} changes" for one in found]
    return Text("\n".join(lines))
