"""The verb that keeps two stores up to date with each other."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from recollect.serve.opening import opened
from recollect.serve.options import Common, Words, verb
from recollect.serve.output import printed

app = typer.Typer(rich_markup_mode=None)


@verb(app, "sync")
def sync(
    common: Common,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="The other store's service, such as https://host:8420.")
    ],
    only: Annotated[
        Words, typer.Option("--only", metavar="CHANNEL", help="Only what is in this channel [repeatable].")
    ] = None,
) -> None:
    """Take what another store has, and give it what this one has.

    The key of the same user there is RECOLLECT_SYNC_KEY. Broken off, the next one goes on where it was.
    """
    from recollect import config  # noqa: PLC0415 - `--help` does not wait for it

    with opened(common) as memory:
        done = memory.sync(address, key=config.sync_key(), channels=only)
    told = (
        f"{len(done.created)} created, {len(done.updated)} updated, {len(done.purged)} purged,"
        f" {done.unlinked} unlinked, {done.outcomes} outcomes, {len(done.conflicts)} conflicts here;"
        f" {done.pages_sent} pages sent"
    )
    printed(common, asdict(done), lambda: Text(told))
