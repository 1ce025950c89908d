"""The verbs that ask the graph as a whole."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.errors import InvalidInput, RecollectError
from recollect.exchange.values import memory_value
from recollect.serve import graph_shapes as shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, Words, spread, verb
from recollect.serve.output import console, printed
from recollect.serve.reading import at_keyboard, open_input
from recollect.serve.show import clipped, listed, plain

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.graph.analytics import Path
    from recollect.graph.balls import Trial
    from recollect.graph.cypher import Table as Found
    from recollect.graph.geometry import Geometry

app = typer.Typer(rich_markup_mode=None)
graph = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(graph, name="graph")
geometry = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(geometry, name="geometry")
LEGEND = """\
told by text: how well texts tell their level, 1 is best
flat, curved: how far distances are from steps in the hierarchy, 0 is best
best, in use: the curvature that fits best, and the one that recalls go by"""
PROMPT, MORE = "cypher> ", "   ...> "
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="At most so many.")]


@verb(app, "cypher")
def cypher(
    common: Common,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="The query; without one, several are read.")
    ] = None,
    parameter: Annotated[
        Words,
        typer.Option("--parameter", metavar="NAME=JSON", help="A value for $NAME in the query [repeatable]."),
    ] = None,
    near: Annotated[
        Words,
        typer.Option(
            "--near",
            metavar="NAME=TEXT",
            help="For $NAME: ids and scores of what is most like the text [repeatable].",
        ),
    ] = None,
    limit: Limit = 1_000,
) -> None:
    """Ask the graph in Cypher, which can only read.

    Nodes are Memory, Episode, Step, Skill, Goal, Entity and Tag; relations are of the types that `link` knows.
    Without a query, queries are read one after the other, each ended by a semicolon.
    """
    values = {name: _json(name, text) for name, text in _named(parameter, "--parameter")}
    texts = dict(_named(near, "--near"))
    with opened(common, embeds=bool(texts), must_exist=True) as memory:
        if query is not None:
            found = memory.cypher(query, values, near=texts, limit=limit)
            printed(common, shapes.cypher_table(found), lambda: _table(found))
            return
        for asked in _typed() if at_keyboard() else _queries(open_input()):
            _answered(common, memory, asked, values, texts, limit)


def graph_(common: Common) -> None:
    """Tell what the shape of the graph says: hubs, communities, paths.

    Who and what is in the middle, what belongs together, why two things are related, what led to what.
    """


@verb(graph, "hubs")
def hubs(common: Common, limit: Limit = 10) -> None:
    """List what most is related to."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.hubs(limit)
    lines = [
        f"{one.share:.4f}  {one.degree:>5} links  {one.node.label}  {plain(clipped(one.node.text))}  {one.node.id}"
        for one in found
    ]
    printed(
        common,
        {"hubs": [shapes.hub(one) for one in found]},
        lambda: Text("\n".join(lines or ["nothing is related"])),
    )


@verb(graph, "communities")
def communities(common: Common, limit: Limit = 10) -> None:
    """List what belongs together by its relations, the greatest first."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.communities(limit)

    def shown() -> RenderableType:
        parts = [
            Text(
                "\n".join(
                    [
                        f"{len(one.members)} members, {one.inside:.0%} of their links inside",
                        *(f"  {member.label}  {plain(clipped(member.text))}" for member in one.members[:5]),
                    ]
                )
            )
            for one in found
        ]
        return Group(*parts) if parts else Text("nothing belongs together yet")

    printed(common, {"communities": [shapes.community(one) for one in found]}, shown)


@verb(graph, "why")
def why(
    common: Common,
    one: Annotated[str, typer.Argument(metavar="ID", help="A memory, an entity or a tag.")],
    other: Annotated[str, typer.Argument(metavar="ID", help="Another one.")],
) -> None:
    """Tell why two memories are related: the best path from one to the other."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.why_related(one, other)
    printed(common, shapes.path(found), lambda: _path(found))


@verb(graph, "neighbourhood")
def neighbourhood(
    common: Common,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What is looked for.")],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many hits.")] = 5,
    hops: Annotated[int, typer.Option("--hops", metavar="N", help="How many links far.")] = 2,
) -> None:
    """Bring the best hits with what lies a few links around them."""
    with opened(common, must_exist=True) as memory:
        found = memory.neighbourhood(question, k, hops=hops)
    lines = [f"{one.hops}  {clipped(one.memory.text)}  {one.memory.id}" for one in found.neighbours]
    lines += [f"   {edge.source} -[{edge.type}]-> {edge.target}" for edge in found.edges]
    printed(
        common,
        shapes.neighbourhood(found),
        lambda: Text(plain("\n".join(lines)) if lines else "nothing found"),
    )


@verb(graph, "order")
def order(
    common: Common, episode: Annotated[str, typer.Argument(metavar="EPISODE", help="The episode's id.")]
) -> None:
    """List what belongs to an episode, each after all that led to it."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.episode_order(episode)
    printed(common, {"memories": [memory_value(one) for one in found]}, lambda: listed(found, empty=""))


graph.callback()(spread(graph_))


@verb(geometry, "report")
def report(common: Common) -> None:
    """Tell of each channel whether a curved space would fit its memories better than a flat one."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.geometry(channel=common.channel)
    printed(common, {"channels": [shapes.geometry(one) for one in found]}, lambda: _geometry(found))


@verb(geometry, "fit")
def fit(common: Common) -> None:
    """Learn of each channel what texts tell of their level, and which space fits; it counts from now on."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.fit_geometry(channel=common.channel)
    printed(common, {"channels": [shapes.geometry(one) for one in found]}, lambda: _geometry(found))


@verb(geometry, "curvature")
def curvature(
    common: Common,
    value: Annotated[float, typer.Argument(metavar="VALUE", help="From 0.01 to 10.")],
    trial: Annotated[
        float | None,
        typer.Option(
            "--trial",
            metavar="0..1",
            help="Only for this share of the questions; feedback decides which stays.",
        ),
    ] = None,
) -> None:
    """Lay the channel out in a space of another curvature, from the next recall on."""
    with opened(common, embeds=False, must_exist=True) as memory:
        memory.set_curvature(value, trial=trial)
        done = {"channel": memory.channel, "curvature": value, "trial": trial}
    share = "" if trial is None else f", on trial for {trial:.0%} of the questions"
    printed(common, done, lambda: Text(plain(f"{done['channel']}: curvature {value}{share}")))


def geometry_(common: Common) -> None:
    """Tell what levels memories have, from the general to the particular."""


geometry.callback()(spread(geometry_))


def _geometry(found: "list[Geometry]") -> RenderableType:
    if not found:
        return Text("nothing is remembered there yet")
    table = Table(box=SIMPLE_HEAD)
    names = (
        "channel",
        "nodes",
        "of each level",
        "told by text",
        "flat",
        "curved",
        "best",
        "in use",
        "benefits",
    )
    for name in names:
        table.add_column(name)
    for one in found:
        figures = (one.told_by_text, one.flat, one.curved, one.curvature, one.used)
        table.add_row(
            plain(one.channel),
            f"{one.nodes:,}",
            " ".join(map(str, one.levels)),
            *("-" if figure is None else f"{figure:.2f}" for figure in figures),
            "yes" if one.benefits else "no",
        )
    told = [LEGEND, *(_trial(one.channel, one.trial) for one in found if one.trial is not None)]
    if any(one.benefits and one.fitted_at is None for one in found):
        told.append(
            "Not fitted yet: after `recollect geometry fit` texts tell a level where structure does not."
        )
    return Group(table, Text(plain("\n".join(told))))


def _trial(channel: str, trial: "Trial") -> str:
    from recollect.graph.balls import JUDGED  # noqa: PLC0415 - only who tries a curvature pays for it

    sides = ", ".join(f"{side} {helped}/{helped + not_}" for side, (helped, not_) in trial.judged.items())
    return (
        f"{channel}: {trial.curvature:g} is on trial for {trial.share:.0%} of the questions; hits that helped: {sides}"
        f"; {JUDGED} judged of each side decide."
    )


def _answered(
    common: Common, memory: "Recollect", asked: str, values: dict[str, Any], texts: dict[str, str], limit: int
) -> None:
    """One of several queries: what is wrong with it is told, and the next is asked."""
    try:
        found = memory.cypher(asked, values, near=texts, limit=limit)
    except RecollectError as error:
        console(stderr=True).print(plain(str(error)), style="red")
        return
    printed(common, shapes.cypher_table(found), lambda: _table(found))


def _typed() -> Iterator[str]:
    """Queries as somebody types them, until the end of the input."""

    def lines() -> Iterator[str]:
        prompt = PROMPT
        while True:
            try:
                line = input(prompt)
            except (EOFError, KeyboardInterrupt):
                print()
                return
            if line.strip().lower() in (":quit", ":exit", "exit", "quit"):
                return
            prompt = PROMPT if line.rstrip().endswith(";") or not line.strip() else MORE
            yield line + "\n"

    return _queries(lines())


def _queries(lines: Iterable[str]) -> Iterator[str]:
    """What ends with a semicolon at the end of a line, or with the input, is a query."""
    kept: list[str] = []
    for line in lines:
        kept.append(line)
        if line.rstrip().endswith(";"):
            yield "".join(kept)
            kept = []
    if "".join(kept).strip():
        yield "".join(kept)


def _named(given: Words, option: str) -> Iterator[tuple[str, str]]:
    for one in given or ():
        name, equals, value = one.partition("=")
        if not name or not equals:
            raise InvalidInput(f"{option} is given as NAME=VALUE, not {one!r}")
        yield name, value


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InvalidInput(
            f"the parameter {name} is not JSON: write texts in quotes, such as '{name}=\"Ada\"'"
        ) from None


def _table(found: "Found") -> RenderableType:
    table = Table(box=SIMPLE_HEAD)
    for name in found.columns:
        table.add_column(name, overflow="fold")
    for row in found.rows:
        table.add_row(*(plain(_cell(value)) for value in row))
    more = ", and there are more" if found.truncated else ""
    return Group(table, Text(f"{len(found.rows)} rows{more} ({found.elapsed_ms:.0f} ms)", style="dim"))


def _cell(value: Any) -> str:
    if isinstance(value, dict) and "node" in value:
        return f"({value['node']} {clipped(str(value.get('text') or value.get('name') or value.get('id')))})"
    if isinstance(value, dict) and "link" in value:
        return f"[{value['link']}]"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _path(found: "Path") -> RenderableType:
    lines = [f"({found.nodes[0].label}) {clipped(found.nodes[0].text)}"]
    for link, node in zip(found.links, found.nodes[1:], strict=True):
        arrow = f"-[{link.type}]->" if link.target == node.id else f"<-[{link.type}]-"
        lines.append(f"  {arrow} ({node.label}) {clipped(node.text)}")
    return Text(plain("\n".join(lines)))
