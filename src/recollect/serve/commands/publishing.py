"""The verbs that publish, and look at what others published."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.serve import shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, Words, spread, verb
from recollect.serve.output import printed
from recollect.serve.reading import given_or_read
from recollect.serve.show import clipped, pairs, plain

if TYPE_CHECKING:
    from recollect.shared.items import Item
    from recollect.shared.preview import Preview

app = typer.Typer(rich_markup_mode=None)
library = typer.Typer(rich_markup_mode=None)
app.add_typer(library, name="library")
ItemId = Annotated[str, typer.Argument(metavar="ITEM", help="A published item's id.")]


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published, and for whom."""

    of: Annotated[
        Words, typer.Option("--of", metavar="ID", help="A memory whose text is published [repeatable].")
    ] = None
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="document, agent, app or pattern.")] = (
        "document"
    )
    summary: Annotated[str, typer.Option("--summary", metavar="TEXT", help="What it is about.")] = ""
    tag: Annotated[Words, typer.Option("--tag", metavar="TAG", help="A label [repeatable].")] = None
    access: Annotated[
        str,
        typer.Option(
            "--access",
            metavar="WHO",
            help="public, organisation:NAME, users:NAME,NAME or tier:NAME.",
        ),
    ] = "public"
    author: Annotated[
        str | None, typer.Option("--author", metavar="NAME", help="The name that others see.")
    ] = None
    item: Annotated[
        str | None, typer.Option("--item", metavar="ITEM", help="Your item that this is the next version of.")
    ] = None
    mask: Annotated[
        bool, typer.Option("--mask", help="Replace secrets and personal data by what they are.")
    ] = False

    def particulars(self) -> dict[str, Any]:
        """The options as the engine's `publish` takes them."""
        told = asdict(self)
        return told | {"of": told["of"] or (), "tags": told.pop("tag") or ()}


@verb(app, "publish")
def publish(
    common: Common,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="One line that names it.")],
    publication: Publication,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What it says; `-` reads standard input.")
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show exactly what would leave, and publish nothing.")
    ] = False,
) -> None:
    """Publish a text, or memories, for others to find.

    A copy leaves, and nothing else does. Secrets and personal data stop it. `--preview` shows every word before.
    """
    said = None if text is None and publication.of else given_or_read(text)
    with opened(common) as memory:
        if preview:
            shown = memory.preview(title, said, **publication.particulars())
            printed(common, shapes.preview(shown), lambda: _shown(shown))
            return
        made = memory.publish(title, said, **publication.particulars())
    printed(common, shapes.item(made), lambda: _line(made))


@verb(app, "unpublish")
def unpublish(
    common: Common,
    item_id: ItemId,
    erase: Annotated[
        bool | None, typer.Option("--erase/--keep", help="Erase its versions too, also from copies; or not.")
    ] = None,
) -> None:
    """Take your item away: nobody's next question finds it."""
    with opened(common) as memory:
        gone = memory.unpublish(item_id, erase=erase)
    printed(common, shapes.item(gone), lambda: _line(gone))


def library_(context: typer.Context, common: Common) -> None:
    """Look at what was published, by you and by others.

    Without a command: what you have published, newest first.
    """
    if context.invoked_subcommand is None:
        with opened(common, embeds=False) as memory:
            found = memory.published()
        _listed(common, found, "nothing published")


@verb(library, "search")
def search(
    common: Common,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What is looked for.")],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many items.")] = 10,
) -> None:
    """Find what others published, and what you did."""
    with opened(common) as memory:
        found = memory.search_library(question, k)
    _listed(common, found, "nothing found")


@verb(library, "show")
def show(
    common: Common,
    item_id: ItemId,
    version: Annotated[
        int | None, typer.Option("--version", metavar="N", help="As this version was.")
    ] = None,
) -> None:
    """Show one item with its whole text."""
    with opened(common, embeds=False) as memory:
        one = memory.item(item_id, version)
    printed(common, shapes.item(one), lambda: Group(_line(one), Text(plain(one.text))))


@verb(library, "versions")
def versions(common: Common, item_id: ItemId) -> None:
    """Show every version of an item, oldest first."""
    with opened(common, embeds=False) as memory:
        found = memory.item_versions(item_id)
    _listed(common, found, "no versions")


@verb(library, "enrol")
def enrol(
    common: Common,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A user of the library.")],
    organisation: Annotated[
        Words, typer.Option("--organisation", metavar="NAME", help="One that they are in [repeatable].")
    ] = None,
    tier: Annotated[
        Words, typer.Option("--tier", metavar="NAME", help="A label that they have [repeatable].")
    ] = None,
) -> None:
    """Say what a user belongs to, from now on and alone."""
    with opened(common, embeds=False) as memory:
        member = memory.enrol(name, organisations=organisation or (), tiers=tier or ())
    told = {"organisations": list(member.organisations), "tiers": list(member.tiers)}
    printed(
        common,
        {"name": name, **told},
        lambda: pairs({"name": name, **{group: ", ".join(names) for group, names in told.items()}}),
    )


@verb(library, "coordinate")
def coordinate(common: Common) -> None:
    """Let what was reported of items move their ranks; a worker does so by itself."""
    with opened(common, embeds=False) as memory:
        judged = memory.coordinate()
    printed(common, {"judged": judged}, lambda: Text(f"{judged} items were judged anew"))


library.callback(invoke_without_command=True)(spread(library_))


def _listed(common: Common, found: "list[Item]", empty: str) -> None:
    printed(
        common,
        {"items": [shapes.item(one) for one in found]},
        lambda: Group(*map(_line, found)) if found else Text(empty, style="dim"),
    )


def _line(one: "Item") -> RenderableType:
    quality = "" if one.quality is None else f"  {one.quality.score:.2f} of about {one.quality.voices}"
    state = "" if one.is_published else "  unpublished"
    about = f"{one.kind} by {one.author}, version {one.version}, {one.access}{quality}{state}"
    return Text.assemble(plain(clipped(one.title)), "\n", (plain(about), "cyan"), "  ", (one.id, "dim"))


def _shown(shown: "Preview") -> RenderableType:
    told = {
        name: ", ".join(value) if isinstance(value, list) else value for name, value in shown.metadata.items()
    }
    forbids = [f"{one.kind} ({one.label}) in its {one.part}" for one in shown.problems]
    rows = {
        **told,
        "names": ", ".join(shown.entities),
        "replaces": "" if shown.replaces is None else f"version {shown.replaces}",
        "forbidden by": "; ".join(forbids),
    }
    heading = pairs({name: value for name, value in rows.items() if value})
    body = shown.offer.text if shown.replaces is None else "\n".join(shown.changes) or "nothing changes"
    return Group(heading, Text(plain(body)))
