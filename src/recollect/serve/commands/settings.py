"""The verbs that set Recollect up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from recollect.ports import guard_of
from recollect.serve import opening, shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, spread, verb
from recollect.serve.output import console, printed
from recollect.serve.show import plain

if TYPE_CHECKING:
    from recollect.config import Setting
    from recollect.engine import Recollect

app = typer.Typer(rich_markup_mode=None)
config = typer.Typer(rich_markup_mode=None)
app.add_typer(config, name="config")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The setting, such as recall.k.")]


def config_(context: typer.Context, common: Common) -> None:
    """Show and change the settings.

    Without a command: all of them, with their value, default and where the value comes from. What the
    environment says weighs more than what the store keeps.
    """
    if context.invoked_subcommand is not None:
        return
    with opened(_readable(common), embeds=False) as memory:
        settings = shapes.settings(memory, _known())
    printed(common, {"settings": settings}, lambda: _table(settings))


@verb(config, "get")
def get(common: Common, name: Name) -> None:
    """Show one setting."""
    with opened(_readable(common), embeds=False) as memory:
        value = _value(memory, _named(name))
    printed(common, value, lambda: Text(plain(str(value["value"]))))


@verb(config, "set")
def set_(
    common: Common, name: Name, value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value.")]
) -> None:
    """Change one setting, for this user, in the store."""
    _change(common, name, value)


@verb(config, "unset")
def unset(common: Common, name: Name) -> None:
    """Take one setting back to its default."""
    _change(common, name, None)


@verb(app, "setup")
def setup(common: Common) -> None:
    """Fetch and prepare the embedding model.

    Once; afterwards everything works offline. With it comes the guard, a second form of the model that looks at what may
    be an attack. With embedder.kind = openai it asks the service instead.
    """
    from recollect.assembly import make_embedder  # noqa: PLC0415

    embedder = make_embedder(opening.settings(common).embedder)
    with _busy(f"preparing {embedder.name}"):
        fetched = not getattr(embedder, "ready", True)
        embedder.embed(["ready"])
        if (guard := guard_of(embedder)) is not None:
            guard.vectors(["ready"])
    folder = getattr(embedder, "folder", None)
    value = {
        "model": embedder.name,
        "dimension": embedder.dimension,
        "path": None if folder is None else str(folder),
        "fetched": fetched,
    }
    where = f" in {folder}" if folder else ""
    printed(common, value, lambda: Text(f"{embedder.name} is ready{where} ({embedder.dimension} dimensions)"))


config.callback(invoke_without_command=True)(spread(config_))


def _readable(common: Common) -> Common:
    """Where there is no store, the settings are those of an empty one: looking at them makes none."""
    return common if opening.exists(opening.store_path(common)) else replace(common, store=opening.IN_MEMORY)


def _change(common: Common, name: str, value: str | None) -> None:
    with opened(common, embeds=False, warns=False) as memory:
        memory.configure({name: value})
        now = _value(memory, _named(name))
    line = f"{name} = {now['value']} ({now['source']})"
    printed(common, now, lambda: Text(plain(line)))


def _known() -> "list[Setting]":
    from recollect.config import SETTINGS  # noqa: PLC0415

    return list(SETTINGS.values())


def _named(name: str) -> "Setting":
    from recollect.config import named  # noqa: PLC0415

    return named(name)


def _value(memory: "Recollect", one: "Setting") -> dict[str, Any]:
    return shapes.settings(memory, [one])[0]


def _table(settings: list[dict[str, Any]]) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for heading in ("name", "value", "default", "source", "about"):
        table.add_column(heading, overflow="fold")
    for one in settings:
        style = None if one["source"] == "default" else "bold"
        cells = (plain(str(one[name])) for name in ("name", "value", "default", "source", "about"))
        table.add_row(*map(Text, cells), style=style)
    return table


@contextmanager
def _busy(label: str) -> Iterator[None]:
    """Says what takes so long, where somebody watches."""
    to = console(stderr=True)
    if not to.is_terminal:
        yield
        return
    with to.status(label):
        yield
