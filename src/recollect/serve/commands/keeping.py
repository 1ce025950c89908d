"""The verbs that keep something new."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.model import Scope
from recollect.serve import conversation, shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, DryRun, Explain, Words, verb
from recollect.serve.output import printed, progress
from recollect.serve.reading import given_or_read, text_from
from recollect.serve.show import clipped, plain

app = typer.Typer(rich_markup_mode=None)


@verb(app, "remember")
def remember(
    common: Common,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to keep; `-` or nothing reads standard input.")
    ] = None,
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="Such as note, fact or decision.")
    ] = "note",
    tag: Annotated[Words, typer.Option("--tag", metavar="TAG", help="A label [repeatable].")] = None,
    scope: Annotated[
        Scope | None, typer.Option("--scope", help="How far it reaches; by default as far as its channel.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="Its session.")] = None,
    supersedes: Annotated[
        str | None, typer.Option("--supersedes", metavar="ID", help="The memory that it replaces.")
    ] = None,
    valid_from: Annotated[
        str | None, typer.Option("--valid-from", metavar="TIME", help="Since when it is true (ISO 8601).")
    ] = None,
    valid_until: Annotated[
        str | None, typer.Option("--valid-until", metavar="TIME", help="Until when it is true (ISO 8601).")
    ] = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Protect it from forgetting.")] = False,
    immutable: Annotated[bool, typer.Option("--immutable", help="Protect it from every change.")] = False,
    confidence: Annotated[float, typer.Option("--confidence", help="How sure it is, 0 to 1.")] = 1.0,
    importance: Annotated[float, typer.Option("--importance", help="How much it matters, 0 to 1.")] = 0.5,
    source: Annotated[
        Words, typer.Option("--source", metavar="ID", help="A memory that it was formed from [repeatable].")
    ] = None,
    metadata: Annotated[
        str | None, typer.Option("--metadata", metavar="JSON", help="An object with whatever else is known.")
    ] = None,
) -> None:
    """Keep one memory.

    The same text again reinforces the one that is there. Secrets are taken out before anything is written.
    """
    options: dict[str, Any] = {
        "kind": kind,
        "tags": tag or (),
        "scope": scope,
        "session": session,
        "supersedes": supersedes,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "pinned": pinned,
        "immutable": immutable,
        "confidence": confidence,
        "importance": importance,
        "sources": source or (),
        "metadata": _object(metadata),
    }
    content = given_or_read(text)
    with opened(common) as memory:
        result = memory.remember(content, **options)
    value = shapes.remembered(result)
    printed(common, value, lambda: told(value))


@verb(app, "describe")
def describe(
    common: Common,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is known about the user.")],
    aspect: Annotated[
        str, typer.Option("--aspect", metavar="WHICH", help="preference, expertise or style.")
    ] = "preference",
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Replaces what was said under this name.")
    ] = None,
) -> None:
    """Keep something about the user: a preference, an expertise, or a style."""
    with opened(common) as memory:
        result = memory.describe(text, aspect, name=name)
    value = shapes.remembered(result)
    printed(common, value, lambda: told(value))


@verb(app, "observe")
def observe(
    common: Common,
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="The messages; `-` or nothing reads standard input.")
    ] = None,
    role: Annotated[
        str | None,
        typer.Option("--role", metavar="ROLE", help="Take the input as plain text, said in this role."),
    ] = None,
    speaker: Annotated[
        str | None,
        typer.Option("--speaker", metavar="NAME", help="Take the input as plain text, said by them."),
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="The conversation.")] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="ID", help="The run of an agent.")] = None,
    actor: Annotated[str | None, typer.Option("--actor", metavar="NAME", help="Who acts in it.")] = None,
    dry_run: DryRun = False,
    explain: Explain = False,
) -> None:
    """Keep a conversation verbatim, in the log lane.

    Messages are objects with `role` and `content`, and `name` and `timestamp` where they are known: one a
    line, or a JSON array of them. Anything else is one message of plain text. All is kept, or nothing.
    Memories are formed from what it states, unless the setting formation.enabled is off.
    """
    messages = conversation.messages(text_from(file), role, speaker)
    with opened(common) as memory, progress("observing") as heard:
        turns = memory.observe(
            messages, session=session, run=run, actor=actor, progress=heard, dry_run=dry_run
        )
    value = shapes.observed(turns, dry_run=dry_run)
    printed(common, value, lambda: _summary(value, dry_run=dry_run, explain=explain))


def told(value: dict[str, Any]) -> RenderableType:
    """What became of a text, and what of it was kept."""
    head = f"{value['action']}: {value['reason']}"
    return Text.assemble(
        (head, "bold"), "  ", (value["id"] or "", "dim"), "\n", plain(clipped(value["text"]))
    )


def _summary(value: dict[str, Any], *, dry_run: bool, explain: bool) -> RenderableType:
    turns = value["turns"]
    left_out = [turn for turn in turns if turn["action"] == "skip"]
    redacted = [turn for turn in turns if turn["redactions"]]
    kept = len(turns) - len(left_out)
    lines = [f"{'would keep' if dry_run else 'kept'} {kept} of {len(turns)} messages"]
    lines += [f"left out: {turn['reason']}" for turn in left_out]
    lines += [f"{turn['id'] or ''} {turn['reason']}".lstrip() for turn in redacted if turn not in left_out]
    decided = Counter(one["action"] for turn in turns for one in turn.get("formed", ()))
    if decided:
        lines.append("statements: " + ", ".join(f"{count} {name}" for name, count in sorted(decided.items())))
    if explain:
        lines += [line for turn in turns for line in explained(turn)]
    return Text("\n".join(lines))


def explained(turn: dict[str, Any]) -> Iterator[str]:
    """A message and what was decided about what it states."""
    yield f"\n{plain(clipped(turn['text']))}"
    for one in turn.get("formed", ()):
        yield f"  {one['action']} ({one['stage']}): {plain(clipped(one['text']))}"
        yield f"    {one['reason']}{'  ' + one['id'] if one['id'] else ''}"


def _object(metadata: str | None) -> dict[str, Any] | None:
    if metadata is None:
        return None
    try:
        value = json.loads(metadata)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--metadata is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidInput('--metadata is a JSON object, such as {"ticket": 42}')
    return value
