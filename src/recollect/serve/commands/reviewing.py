"""The verbs for what waits to be looked at."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.exchange.values import memory_value
from recollect.serve import shapes
from recollect.serve.commands.looking import Id
from recollect.serve.opening import opened
from recollect.serve.options import Common, spread, verb
from recollect.serve.output import printed
from recollect.serve.show import clipped, entry, plain

if TYPE_CHECKING:
    from recollect.write.reviewing import Review

app = typer.Typer(rich_markup_mode=None)
review = typer.Typer(rich_markup_mode=None)
app.add_typer(review, name="review")


def review_(context: typer.Context, common: Common) -> None:
    """Decide which of two contradicting memories holds.

    Without a command: what waits, the oldest first, each with what it contradicts.
    """
    if context.invoked_subcommand is None:
        _listed(common)


@verb(review, "list")
def list_(common: Common) -> None:
    """Show what waits, the oldest first."""
    _listed(common)


@verb(review, "resolve")
def resolve(
    common: Common,
    memory_id: Id,
    keep: Annotated[
        str,
        typer.Option(
            "--keep",
            metavar="WHICH",
            help="`new` replaces what it contradicts, `old` stays and the new one is forgotten, or `both`.",
        ),
    ],
) -> None:
    """Say which one holds."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.resolve(memory_id, keep)
    printed(common, shapes.review(found), lambda: _shown(found))


@verb(app, "gaps")
def gaps(
    common: Common,
    close: Annotated[
        str | None, typer.Option("--close", metavar="ID", help="Say that this one is none any more.")
    ] = None,
    answer: Annotated[
        str | None, typer.Option("--answer", metavar="TEXT", help="With --close: what is known by now.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.")] = 50,
) -> None:
    """Show what came up and nothing was known about.

    A companion notices them; the newest first, with how often each came up.
    """
    if answer is not None and close is None:
        raise InvalidInput("--answer goes with --close ID")
    with opened(common, embeds=answer is not None, must_exist=True) as memory:
        if close is not None:
            kept = memory.close_gap(close, answer=answer)
            told = {"closed": close, "remembered": None if kept is None else shapes.remembered(kept)}
            printed(common, told, lambda: Text(f"closed {close}"))
            return
        found = memory.gaps(limit=limit)
    lines = [f"{one.id}  {one.count:3}  {clipped(one.text)}" for one in found] or ["no gaps"]
    printed(common, {"gaps": [shapes.gap(one) for one in found]}, lambda: Text(plain("\n".join(lines))))


@verb(app, "quarantine")
def quarantine(
    common: Common,
    release: Annotated[
        str | None, typer.Option("--release", metavar="ID", help="Say that this one is harmless.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.")] = 50,
) -> None:
    """Show what was taken for an attack, and why.

    Such messages stay in the log; nothing is formed from them and nobody recalls them until they are released.
    """
    with opened(common, embeds=release is not None, must_exist=True) as memory:
        if release is not None:
            freed = memory.release(release)
            printed(common, shapes.observed([freed]), lambda: Text(f"released {freed.id}"))
            return
        found = memory.quarantined(limit=limit)
    lines = [f"{one.id}  {one.metadata['quarantine']}: {clipped(one.text)}" for one in found]
    told = Text(plain("\n".join(lines or ["nothing is in quarantine"])))
    printed(common, {"quarantined": [memory_value(one) for one in found]}, lambda: told)


review.callback(invoke_without_command=True)(spread(review_))


def _listed(common: Common) -> None:
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.reviews()
    nothing = Text("nothing waits for a review")
    printed(
        common,
        {"reviews": [shapes.review(one) for one in found]},
        lambda: Group(*map(_shown, found)) if found else nothing,
    )


def _shown(one: "Review") -> RenderableType:
    why = f" ({one.reason})" if one.reason else ""
    return Group(entry(one.memory), Text(plain(f"contradicts{why}:")), *map(entry, one.against), Text())
