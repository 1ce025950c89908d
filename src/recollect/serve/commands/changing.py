"""The verbs that change a memory."""

from typing import Annotated

import typer
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.exchange.values import edge_value, memory_value
from recollect.model import Edge
from recollect.serve import shapes
from recollect.serve.commands.keeping import told
from recollect.serve.commands.looking import Id
from recollect.serve.editing import edited
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed
from recollect.serve.reading import at_keyboard, given_or_read
from recollect.serve.show import edge as edge_line
from recollect.serve.show import entry, plain

app = typer.Typer(rich_markup_mode=None)


@verb(app, "edit")
def edit(
    common: Common,
    memory_id: Id,
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT", help="The new text; `-` or nothing reads standard input or opens $EDITOR."
        ),
    ] = None,
) -> None:
    """Put a new text in place of the old one.

    The old text stays in the history. Without a text, at a terminal, your editor opens.
    """
    if text is None and at_keyboard():
        with opened(common, embeds=False, must_exist=True) as memory:
            before = memory.get(memory_id).text
        content = edited(before)
    else:
        content = given_or_read(text)
    with opened(common, must_exist=True) as memory:
        result = memory.edit(memory_id, content)
    value = shapes.remembered(result)
    printed(common, value, lambda: told(value))


@verb(app, "tag")
def tag(
    common: Common,
    memory_id: Id,
    tags: Annotated[list[str], typer.Argument(metavar="TAG...", help="The labels.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take them away instead.")] = False,
) -> None:
    """Add tags to a memory, or remove them."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.tag(memory_id, remove=tags) if remove else memory.tag(memory_id, *tags)
    printed(common, memory_value(found), lambda: entry(found))


@verb(app, "link")
def link(
    common: Common,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The id of the memory that it begins at.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The id of the memory that it leads to.")],
    relation: Annotated[
        str,
        typer.Option("--type", metavar="TYPE", help="Such as related_to, causes, contradicts or elaborates."),
    ] = "related_to",
    weight: Annotated[float, typer.Option("--weight", help="How strong it is, above 0 and up to 1.")] = 1.0,
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why.")] = None,
) -> None:
    """Relate two memories by a typed edge."""
    with opened(common, embeds=False, must_exist=True) as memory:
        ends = memory.get(source).id, memory.get(target).id
        memory.link(*ends, relation, weight=weight, reason=reason)
        made = next(
            (
                one
                for one in memory.edges(ends[0])
                if one.type == relation and {one.source, one.target} == {*ends}
            ),
            Edge(*ends, relation, weight, reason=reason),
        )
    printed(common, edge_value(made), lambda: Text(plain(edge_line(made))))


@verb(app, "unlink")
def unlink(
    common: Common,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The id of the memory that it begins at.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The id of the memory that it leads to.")],
    relation: Annotated[
        str, typer.Option("--type", metavar="TYPE", help="Of which type it is.")
    ] = "related_to",
) -> None:
    """Take an edge between two memories away; `link` brings it back."""
    with opened(common, embeds=False, must_exist=True) as memory:
        gone = memory.unlink(source, target, relation)
    printed(common, edge_value(gone), lambda: Text(plain(f"gone: {edge_line(gone)}")))


@verb(app, "pin")
def pin(
    common: Common,
    memory_id: Id,
    off: Annotated[bool, typer.Option("--off", help="Lift the protection from forgetting.")] = False,
    immutable: Annotated[
        bool | None,
        typer.Option("--immutable/--mutable", help="Also protect it from every change, or lift that."),
    ] = None,
) -> None:
    """Protect a memory from forgetting, or from every change."""
    if off and immutable:
        raise InvalidInput(
            "--off and --immutable contradict each other: what cannot change cannot be forgotten either"
        )
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.pin(memory_id, pinned=not off, immutable=immutable)
    printed(common, memory_value(found), lambda: entry(found))
