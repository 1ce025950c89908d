"""The verbs for what waits to be looked at."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.serve import shapes
from recollect.serve.commands.looking import Id
from recollect.serve.opening import opened
from recollect.serve.options import Common, spread, verb
from recollect.serve.output import printed
from recollect.serve.show import entry, plain

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
    with opened(common, embeds=False) as memory:
        found = memory.resolve(memory_id, keep)
    printed(common, shapes.review(found), lambda: _shown(found))


review.callback(invoke_without_command=True)(spread(review_))


def _listed(common: Common) -> None:
    with opened(common, embeds=False) as memory:
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
