"""The verbs that copy the store, and compare and join copies."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.text import Text

from recollect.serve.commands.exchanging import summary
from recollect.serve.opening import opened, store_path
from recollect.serve.options import Common, verb
from recollect.serve.output import printed, progress
from recollect.serve.show import entry

if TYPE_CHECKING:
    from recollect.engine import Recollect

app = typer.Typer(rich_markup_mode=None)
New = Annotated[str, typer.Argument(metavar="PATH", help="The new file; it must not be there yet.")]
Branch = Annotated[str, typer.Argument(metavar="PATH", help="The branch's file.")]


@verb(app, "snapshot")
def snapshot(common: Common, path: New) -> None:
    """Copy the whole store, as it is now, into one file.

    Writers need not stop meanwhile. A purge in this store reaches its snapshots too.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        made = memory.snapshot(path)
    printed(common, {"path": str(made)}, lambda: Text(f"copied to {made}"))


@verb(app, "branch")
def branch(common: Common, path: New) -> None:
    """Make a copy that goes its own way and can be merged back."""
    with opened(common, embeds=False, must_exist=True) as memory:
        made = memory.branch(path)
    printed(common, {"path": str(made)}, lambda: Text(f"branched to {made}"))


@verb(app, "diff")
def diff(common: Common, path: Branch) -> None:
    """Show what this store and a branch have each changed.

    Since they parted: here, there, and on both sides.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        change = memory.diff(path)
        theirs = replace(common, store=path, user=memory.user)
        with opened(theirs, embeds=False, must_exist=True) as other:
            shown = [
                *_side("only here", change.ours, memory),
                *_side("only there", change.theirs, other),
                *_side("on both sides, differently", change.both, memory),
            ]
    value = {name: list(ids) for name, ids in asdict(change).items()}
    printed(common, value, lambda: Group(*shown) if shown else Text("no difference", style="dim"))


@verb(app, "merge")
def merge(common: Common, path: Branch) -> None:
    """Take over what only a branch changed.

    What both sides changed is reported as a conflict and left as it is here.
    """
    with opened(common, must_exist=True) as memory:
        report = memory.merge(path)
    printed(common, asdict(report), lambda: summary(report))


@verb(app, "migrate")
def migrate(
    common: Common,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="The store's file or postgresql:// address.")
    ],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The new one; it must be empty.")],
) -> None:
    """Move a whole store into a new file or onto a server.

    Every user's memories, history, counters and the chain come over as they are, and are compared in the end.
    Nobody should write to the source meanwhile. What was interrupted goes on where it was.
    """
    from recollect.assembly import migrated  # noqa: PLC0415 - `--help` does not wait for it

    with progress("moving") as told:
        moved = migrated(source, target, told)
    again = " (gone on with)" if moved.resumed else ""
    printed(
        common, asdict(moved), lambda: Text(f"moved {moved.rows} rows to {target}{again}; both are the same")
    )


@verb(app, "upgrade")
def upgrade(common: Common) -> None:
    """Finish the upgrade of a store on a server.

    When every process of the version before has ended: what only they used is taken away. What was added came
    with the first new process.
    """
    from recollect.assembly import upgraded  # noqa: PLC0415 - `--help` does not wait for it

    number = upgraded(store_path(common))
    printed(
        common, {"schema": number}, lambda: Text(f"the schema is {number}, and nothing old is left of it")
    )


def _side(title: str, ids: tuple[str, ...], memory: "Recollect") -> Iterator[Text]:
    if ids:
        yield Text(f"{title}:", style="bold")
    for memory_id in ids:
        one = memory.find(memory_id)
        yield Text(f"{memory_id}  purged", style="dim") if one is None else entry(one)
