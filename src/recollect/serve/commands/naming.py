"""The verb for who and what memories are about."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.serve import formed_shapes as shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed
from recollect.serve.show import entry, plain

if TYPE_CHECKING:
    from recollect.write.entities import Entity

app = typer.Typer(rich_markup_mode=None)


@verb(app, "entity")
def entity(
    common: Common,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A name that it goes by, or its id.")
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", help="How many steps away what is near it may be.")
    ] = 1,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Without a name: how many.")] = 50,
) -> None:
    """Show what is known about somebody or something.

    Its aliases, how it is related, and every memory that names it, with their turns. Without a name: who and what
    is named, the most salient first. Memories that were formed name what they are about.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        if name is None:
            found = memory.entities(limit=limit)
            value: dict[str, Any] = {"entities": [shapes.named(one) for one in found]}
            printed(common, value, lambda: _listed(found))
            return
        one = memory.entity(name, depth=depth)
    printed(common, shapes.entity(one), lambda: _shown(one))


def _listed(found: "list[Entity]") -> RenderableType:
    lines = [
        f"{one.salience:.2f}  {plain(one.name)}  {one.id}  {len(one.memories)} memories" for one in found
    ]
    return Text("\n".join(lines or ["no memory names anybody or anything"]))


def _shown(one: "Entity") -> RenderableType:
    lines = [f"{plain(one.name)}  {one.id}  salience {one.salience:.2f}"]
    lines += [f"also: {', '.join(map(plain, one.aliases))}"] * bool(one.aliases)
    lines += [f"{r.source} {r.type} {r.target} ({plain(r.attribute)})" for r in one.relations]
    lines += [f"near: {', '.join(other for other, _ in one.near)}"] * bool(one.near)
    return Group(Text("\n".join(lines)), Text(), *map(entry, one.memories))
