"""The verb that shows a newcomer around."""

import tempfile
from pathlib import Path

import typer
from rich.text import Text

from recollect.serve.options import Common, verb
from recollect.serve.output import console, printed

app = typer.Typer(rich_markup_mode=None)


@verb(app, "demo")
def demo(common: Common) -> None:
    """Take a tour on a store of its own, which is gone afterwards."""
    from recollect.engine import Recollect  # noqa: PLC0415 - `--help` does not wait for it
    from recollect.serve.demo import tour  # noqa: PLC0415

    stops = []
    with (
        tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder,
        Recollect(Path(folder) / "demo.db", user="demo", channel="_global") as memory,
    ):
        for number, stop in enumerate(tour(memory), 1):
            stops.append({"title": stop.title, **stop.result})
            if not common.json:
                console().print(Text(f"\n{number}. {stop.title}", style="bold"), stop.shown, sep="\n")
    closing = Text('\nNow yours: recollect remember "…", then recollect recall "…".')
    printed(common, {"stops": stops}, lambda: closing)
