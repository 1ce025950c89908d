"""The verb that measures recall on public sets."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.serve import opening
from recollect.serve.options import Common, Words, verb
from recollect.serve.output import printed, progress
from recollect.serve.show import pairs, plain

if TYPE_CHECKING:
    from recollect.evals.asking import Method

app = typer.Typer(rich_markup_mode=None)
PRECISION = "precision"
WRITE = "write"
LIFETIME = "lifetime"
METRICS = ("n", "recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10")


@verb(app, "eval")
def eval_(
    common: Common,
    name: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="locomo, realtalk, beam, realmem, multihop or locomo-plus; precision, write or lifetime.",
        ),
    ],
    data: Annotated[
        str,
        typer.Option("--data", metavar="PATH", help="The set's file or folder, or the folder that has it."),
    ],
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="Which weighting of the signals ranks.")
    ] = None,
    ablate: Annotated[
        Words, typer.Option("--ablate", metavar="LAYER", help="Recall without this layer [repeatable].")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            help="Only the first N questions; of lifetime, of each set the first N turns.",
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="NAME", help="A plain method: bm25, dense or rrf.")
    ] = None,
    stores: Annotated[
        str | None,
        typer.Option("--stores", metavar="DIR", help="Keep the filled stores here and use them again."),
    ] = None,
) -> None:
    """Measure recall on a public set.

    Through the engine itself, on stores of its own: each conversation is observed with its dates and speakers,
    each question recalled, and each hit compared with the set's evidence.
    """
    from recollect.evals.asking import Method  # noqa: PLC0415 - `--help` does not wait for it

    method = Method(profile, tuple(ablate or ()), baseline)
    kept = None if stores is None else Path(stores)
    if name in {WRITE, LIFETIME}:
        told = (
            _written(common, Path(data), limit) if name == WRITE else _lived(common, Path(data), limit, kept)
        )
        printed(common, told, lambda: pairs(dict(_rest(told))))
        return
    if name == PRECISION:
        told = _precision(common, Path(data), method, limit)
        printed(common, told, lambda: pairs({"cases": str(told["n"]), **dict(_rest(told))}))
        return
    found = _measured(common, name, Path(data), method, limit, kept)
    printed(common, found, lambda: _shown(found))


def _measured(
    common: Common, name: str, data: Path, method: "Method", limit: int | None, stores: Path | None
) -> dict[str, Any]:
    from recollect.assembly import make_embedder  # noqa: PLC0415
    from recollect.evals.measuring import evaluate  # noqa: PLC0415
    from recollect.evals.sets import load  # noqa: PLC0415

    sets = load(name, data, limit)
    embedder = make_embedder(opening.settings(common).embedder)
    return evaluate(sets, embedder, method, stores=stores, watch=progress)


def _precision(common: Common, data: Path, method: "Method", limit: int | None) -> dict[str, Any]:
    from recollect.assembly import make_embedder  # noqa: PLC0415
    from recollect.evals.precision import precision  # noqa: PLC0415
    from recollect.evals.sets.precision import read  # noqa: PLC0415

    beliefs, cases = read(data)
    return precision(beliefs, cases[:limit], make_embedder(opening.settings(common).embedder), method)


def _written(common: Common, data: Path, limit: int | None) -> dict[str, Any]:
    from recollect.assembly import make_embedder  # noqa: PLC0415
    from recollect.evals.write import write  # noqa: PLC0415

    return write(data, make_embedder(opening.settings(common).embedder), limit, progress)


def _lived(common: Common, data: Path, limit: int | None, stores: Path | None) -> dict[str, Any]:
    from recollect.assembly import make_embedder  # noqa: PLC0415
    from recollect.evals.lifetime import lifetime  # noqa: PLC0415

    embedder = make_embedder(opening.settings(common).embedder)
    return lifetime(data, embedder, limit, stores=stores, watch=progress)


def _shown(found: Mapping[str, Any]) -> RenderableType:
    table = Table(box=SIMPLE_HEAD)
    for heading in ("set", *METRICS):
        table.add_column(heading, justify="left" if heading == "set" else "right")
    for one in (*found.get("sets", ()), found):
        table.add_row(*map(Text, (plain(str(one["set"])), *(_number(one[name]) for name in METRICS))))
    types = Table(box=SIMPLE_HEAD)
    for heading in ("type", "n", "recall@10"):
        types.add_column(heading, justify="left" if heading == "type" else "right")
    for type_, one in found["by_type"].items():
        types.add_row(*map(Text, (plain(type_), str(one["n"]), _number(one["recall@10"]))))
    return Group(table, types, pairs(dict(_rest(found))))


def _rest(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What stands below the tables, a line each."""
    known = {"set", "sets", "by_type", *METRICS}
    for name, value in found.items():
        if name in known or value in (None, []):
            continue
        if isinstance(value, Mapping):
            yield name, ", ".join(f"{part} {_number(one)}" for part, one in value.items())
        else:
            yield name, ", ".join(value) if isinstance(value, list) else _number(value)


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
