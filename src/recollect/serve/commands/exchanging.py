"""The verbs that take memories out and in."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.model import Filter, Lane
from recollect.serve.exits import FAILED
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed, progress, told_out
from recollect.serve.reading import STANDARD, text_from
from recollect.serve.writing import written

if TYPE_CHECKING:
    from recollect.exchange.importing import Report
    from recollect.integrations.importers import Imported

app = typer.Typer(rich_markup_mode=None)


class Format(StrEnum):
    """How an export is written."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"


class Source(StrEnum):
    """Whose exports can be taken in beside our own."""

    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    MEM0 = "mem0"
    MESSAGES = "messages"
    NOTES = "notes"


MOST_TOLD = 20
"""So many problems are told to a person; a program is told all of them."""
Chosen = Annotated[
    Format | None,
    typer.Option("--format", help="How it is written; by default what the file's name says, or jsonl."),
]


@verb(app, "export")
def export(
    common: Common,
    path: Annotated[str, typer.Argument(metavar="PATH", help="The file; `-` is standard output.")] = STANDARD,
    format: Chosen = None,
) -> None:
    """Write memories out as JSON Lines or Markdown.

    JSON Lines hold every memory with its history, and what was learnt. Markdown holds what is true now, to be read and
    edited.
    """
    chosen = _format(path, format)
    with opened(common, embeds=False, must_exist=True) as memory:
        lines = memory.export(format=chosen, where=_where(common, chosen))
        if path == STANDARD:
            _to_standard_output(lines, wrapped=common.json and chosen is Format.MARKDOWN)
            return
        count = written(Path(path).expanduser(), lines)
    value = {"path": path, "format": str(chosen), "lines": count}
    printed(common, value, lambda: Text(f"wrote {count} lines to {path}"))


@verb(app, "import")
def import_(
    common: Common,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="The file, or with --from a folder; `-` is standard input.")
    ],
    format: Chosen = None,
    source: Annotated[
        Source | None, typer.Option("--from", help="Whose export it is; by default our own.")
    ] = None,
) -> None:
    """Take an export in; the same one twice changes nothing.

    What is known here in another form is reported as a conflict and left as it is. With --from, what others export:
    chats, transcripts of coding agents, memories, notes. What cannot be read is named and left out.
    """
    if source is not None:
        _import_from(common, source, path, format)
        return
    # Only line feeds part lines: other separators may stand inside a text.
    lines = text_from(path).split("\n")
    with opened(common) as memory, progress("importing") as heard:
        report = memory.import_(lines, format=_format(path, format), progress=heard)
    printed(common, asdict(report), lambda: summary(report))


def _import_from(common: Common, source: Source, path: str, format: Format | None) -> None:
    if format is not None or path == STANDARD:
        raise InvalidInput(
            "--from reads a file or a folder in the source's own form: give its path, without --format"
        )
    from recollect.integrations.importers import import_from  # noqa: PLC0415 - it brings the engine

    with opened(common) as memory, progress(f"importing from {source}") as heard:
        report = import_from(source, path, memory, progress=heard)
    printed(common, asdict(report), lambda: imported(report))
    if report.problems and not (report.created or report.updated or report.unchanged):
        raise typer.Exit(FAILED)


def imported(report: "Imported") -> Text:
    """What an import from elsewhere did, and what it could not."""
    counts = {name: getattr(report, name) for name in ("conversations", "created", "updated", "unchanged")}
    counts |= {"refused": len(report.refused), "problems": len(report.problems)}
    lines = [", ".join(f"{count} {name}" for name, count in counts.items())]
    if not any(counts.values()):
        lines.append(f"nothing was found there from {report.source}: is it from another source?")
    for label, told in (("refused", report.refused), ("left out", report.problems)):
        lines += [f"{label}: {one}" for one in told[:MOST_TOLD]]
        lines += [f"… and {len(told) - MOST_TOLD} more {label}; --json has them all"] * (
            len(told) > MOST_TOLD
        )
    return Text("\n".join(lines))


def summary(report: "Report") -> Text:
    """What an import or a merge did."""
    told = asdict(report)
    not_understood = told.pop("left_out", [])
    counts = [f"{ids if isinstance(ids, int) else len(ids)} {name}" for name, ids in told.items()]
    lines = [", ".join(counts)]
    lines += [f"conflict, left as it is here: {memory_id}" for memory_id in report.conflicts]
    lines += [f"refused: {memory_id}" for memory_id in report.refused]
    lines += [f"not understood, and left out: {line}" for line in not_understood]
    return Text("\n".join(lines))


def _format(path: str, given: Format | None) -> Format:
    named = Format.MARKDOWN if Path(path).suffix.lower() in (".md", ".markdown") else Format.JSONL
    return given or named


def _where(common: Common, chosen: Format) -> Filter | None:
    """The engine's own choice, unless a channel is named."""
    if common.channel is None:
        return None
    if chosen is Format.MARKDOWN:
        readable = Filter(lanes=(Lane.MEMORY,), any_session=True, unexpired_at=datetime.now(UTC))
        return replace(readable, channels=(common.channel,))
    from recollect.exchange.jsonl import EVERYTHING  # noqa: PLC0415 - it brings the store's port

    return replace(EVERYTHING, channels=(common.channel,))


def _to_standard_output(lines: Iterable[str], *, wrapped: bool) -> None:
    if wrapped:
        lines = [json.dumps({"format": "markdown", "text": "\n".join(lines)}, ensure_ascii=False)]
    with told_out():
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
