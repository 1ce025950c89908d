"""The verbs by which channels are shared."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.serve import shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, Words, verb
from recollect.serve.output import printed
from recollect.serve.reading import given_or_read
from recollect.serve.show import plain

if TYPE_CHECKING:
    from recollect.shared.grants import Grant

app = typer.Typer(rich_markup_mode=None)
Other = Annotated[str, typer.Argument(metavar="USER", help="Another user of the store.")]
Of = Annotated[
    str | None, typer.Option("--owner", metavar="NAME", help="Whose channel it is, if not your own.")
]
Shared = Annotated[str, typer.Argument(metavar="SHARED", help="The channel that is shared.")]


@verb(app, "grant")
def grant(
    common: Common,
    other: Other,
    shared: Shared,
    role: Annotated[str, typer.Option("--role", metavar="ROLE", help="reader, writer or owner.")] = "reader",
    owner: Of = None,
) -> None:
    """Let another user into a channel of yours."""
    with opened(common, embeds=False) as memory:
        made = memory.grant(other, shared, role, owner=owner)
    printed(common, shapes.grant(made), lambda: _line(made))


@verb(app, "revoke")
def revoke(common: Common, other: Other, shared: Shared, owner: Of = None) -> None:
    """Take a grant away; it counts from the next question on."""
    with opened(common, embeds=False, must_exist=True) as memory:
        gone = memory.revoke(other, shared, owner=owner)
    printed(common, shapes.grant(gone), lambda: _line(gone))


@verb(app, "grants")
def grants(common: Common) -> None:
    """Show what you granted to others, and others to you."""
    with opened(common, embeds=False, must_exist=True) as memory:
        given, received = memory.grants(), memory.granted()
    lines = [_line(one) for one in (*given, *received)]
    printed(
        common,
        {"given": [shapes.grant(one) for one in given], "received": [shapes.grant(one) for one in received]},
        lambda: Group(*lines) if lines else Text("nothing is shared", style="dim"),
    )


@verb(app, "contribute")
def contribute(
    common: Common,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose channel it is.")],
    shared: Shared,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to keep; `-` or nothing reads standard input.")
    ] = None,
    tag: Annotated[Words, typer.Option("--tag", metavar="TAG", help="A label [repeatable].")] = None,
) -> None:
    """Keep a memory in a channel that another user shares with you.

    Under your name; what it contradicts stays beside it.
    """
    said = given_or_read(text)
    with opened(common) as memory:
        kept = memory.contribute(said, owner=owner, channel=shared, tags=tag or ())
    printed(
        common,
        shapes.remembered(kept),
        lambda: Text(plain(f"{kept.id or '-'}  {kept.action}: {kept.reason}")),
    )


def _line(one: "Grant") -> RenderableType:
    return Text(plain(f"{one.user} is {one.role} of {one.channel} of {one.owner}, by {one.granted_by}"))
