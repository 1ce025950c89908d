"""The verbs for conversations that are over."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.serve import formed_shapes
from recollect.serve.commands.exchanging import Source, imported
from recollect.serve.opening import opened
from recollect.serve.options import Common, spread, verb
from recollect.serve.output import printed, progress
from recollect.serve.show import clipped, plain

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.integrations.importers import Imported

app = typer.Typer(rich_markup_mode=None)
session = typer.Typer(rich_markup_mode=None)
app.add_typer(session, name="session")
Idle = Annotated[
    float, typer.Option("--idle", metavar="MINUTES", help="Only those that have been quiet for so long.")
]


def session_(context: typer.Context, common: Common) -> None:
    """Form memories from a conversation when it is over.

    Without a command: the sessions that nobody has ended yet.
    """
    if context.invoked_subcommand is None:
        _listed(common, 0.0)


@verb(session, "list")
def list_(common: Common, idle: Idle = 0.0) -> None:
    """Show the sessions with turns that no memories were formed from yet, the longest quiet first."""
    _listed(common, idle)


@verb(session, "end")
def end(
    common: Common,
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="A transcript to take in first, or with --from a folder."),
    ] = None,
    source: Annotated[Source, typer.Option("--from", help="Who wrote the transcript.")] = Source.MESSAGES,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="A session that the log has.")
    ] = None,
    missed: Annotated[
        bool, typer.Option("--missed", help="Every session that nobody has ended: crashed, or forgotten.")
    ] = False,
    idle: Idle = 30.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Of sessions in the log: decide what would be formed.")
    ] = False,
) -> None:
    """Form memories from those turns of a session that were not read yet, and show what it has taught.

    A transcript is a file of JSON lines with `role` and `content`, or what a coding agent wrote down. The same
    again changes nothing, and one that grew is read from where it was.
    """
    if sum((path is not None, session is not None, missed)) != 1:
        raise InvalidInput("say what is over: a transcript's PATH, --session ID, or --missed")
    if path is not None and dry_run:
        raise InvalidInput("--dry-run is for sessions in the log; `observe --dry-run` tries messages")
    with opened(common) as memory:
        report = None if path is None else _taken(memory, source, path)
        ended = [
            formed_shapes.ended(memory, name, channel, dry_run=dry_run)
            for name, channel in _over(memory, session, report, idle)
        ]
    value = {"sessions": ended, "imported": None if report is None else asdict(report)}
    printed(common, value, lambda: _summary(ended, report, dry_run=dry_run))


def _over(
    memory: "Recollect", session: str | None, report: "Imported | None", idle: float
) -> list[tuple[str, str]]:
    if session is not None:
        return [(session, memory.channel)]
    if report is not None:
        return [(one, memory.channel) for one in report.sessions]
    return [(one.session, one.channel) for one in memory.unread_sessions(idle_minutes=idle)]


def _taken(memory: "Recollect", source: Source, path: str) -> "Imported":
    from recollect.integrations.importers import import_from  # noqa: PLC0415 - it brings the engine

    with progress(f"reading {path}") as heard:
        return import_from(source, path, memory, progress=heard)


def _summary(ended: list[dict[str, Any]], report: "Imported | None", *, dry_run: bool) -> Text:
    lines = [] if report is None else [imported(report).plain]
    for one in ended:
        counts = ", ".join(f"{count} {name}" for name, count in one["statements"].items()) or "nothing stated"
        read = f"{'would read' if dry_run else 'read'} {one['turns']} turns: {counts}"
        taught = [plain(clipped(each["text"])) for each in one["memories"]]
        told = f"{len(taught)} memories formed" if taught else "nothing formed"
        lines.append(f"{one['session']}: {told}{f', {read}' if one['turns'] else ''}")
        # Of a folder of sessions, how much each taught is enough.
        lines += [f"  {text}" for text in taught] if len(ended) == 1 else []
    return Text("\n".join(lines or ["no session waits to be ended"]))


def _listed(common: Common, idle: float) -> None:
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.unread_sessions(channel=common.channel, idle_minutes=idle)
    value = {"sessions": [formed_shapes.unread(one) for one in found]}
    lines = [f"{one.session}  {one.turns} turns, the last {one.last_at:%Y-%m-%d %H:%M}" for one in found]
    printed(common, value, lambda: Text("\n".join(lines or ["no session waits to be ended"])))


session.callback(invoke_without_command=True)(spread(session_))
