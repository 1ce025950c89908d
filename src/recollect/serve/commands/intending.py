"""The verbs of prospective memory."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.exchange.values import memory_value
from recollect.serve import shapes
from recollect.serve.commands.keeping import told
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed
from recollect.serve.reading import given_or_read
from recollect.serve.show import about, clipped, listed, plain

if TYPE_CHECKING:
    from recollect.dream.intentions import Due

app = typer.Typer(rich_markup_mode=None)


@verb(app, "intend")
def intend(
    common: Common,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="What to think of; `-` or nothing reads standard input."),
    ] = None,
    at: Annotated[str | None, typer.Option("--at", metavar="TIME", help="From when on (ISO 8601).")] = None,
    when: Annotated[
        str | None, typer.Option("--when", metavar="WORDS", help="When a context is like these words.")
    ] = None,
    every: Annotated[
        float | None, typer.Option("--every", metavar="DAYS", help="Again after so many days.")
    ] = None,
    threshold: Annotated[
        float, typer.Option("--threshold", help="How like the words a context is at least, 0 to 1.")
    ] = 0.6,
) -> None:
    """Keep something to be thought of at a time, or when something like it comes up.

    `recollect due` shows what is due, and so does every context, until it is done.
    """
    content = given_or_read(text)
    repeated = None if every is None else timedelta(days=every)
    with opened(common) as memory:
        result = memory.intend(content, at=at, when=when, every=repeated, threshold=threshold)
    value = shapes.remembered(result)
    printed(common, value, lambda: told(value))


@verb(app, "due")
def due(
    common: Common,
    situation: Annotated[
        str | None, typer.Argument(metavar="CONTEXT", help="What is going on, for those that wait for it.")
    ] = None,
    done: Annotated[
        str | None, typer.Option("--done", metavar="ID", help="Note that this one was acted on.")
    ] = None,
) -> None:
    """Show the intentions that are due.

    Those whose time has come, and those that the context is like.
    """
    if done is not None:
        with opened(common, embeds=False, must_exist=True) as memory:
            changed = memory.done(done)
        printed(common, {"memories": [memory_value(changed)]}, lambda: listed([changed], empty=""))
        return
    with opened(common, embeds=situation is not None, must_exist=True) as memory:
        found = memory.due(situation)
    printed(common, {"due": [shapes.due(one) for one in found]}, lambda: _shown(found))


def _shown(found: "list[Due]") -> RenderableType:
    if not found:
        return Text("nothing is due", style="dim")
    return Group(*(Text.assemble(plain(clipped(one.memory.text)), "\n", about(one.memory)) for one in found))
