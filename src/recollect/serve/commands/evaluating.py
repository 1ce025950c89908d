"""The verb that measures recall on public sets."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.errors import InvalidInput
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
ALFWORLD = "alfworld"
TAU = "tau"
SONA = "sona"
METRICS = ("n", "recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10")


@verb(app, "eval")
def eval_(
    common: Common,
    name: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="locomo, realtalk, beam, realmem, multihop, locomo-plus; precision, write, lifetime; alfworld, tau, sona.",
        ),
    ],
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="PATH",
            help="The set's file or folder, or the folder that has it; sona needs none.",
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="Which weighting of the signals ranks.")
    ] = None,
    ablate: Annotated[
        Words,
        typer.Option(
            "--ablate", metavar="LAYER", help="Without this layer, or part of learning [repeatable]."
        ),
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
    seed: Annotated[
        list[int] | None,
        typer.Option("--seed", metavar="N", help="alfworld, sona: which games or questions [repeatable]."),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="alfworld: how many rounds.")] = 10,
    games: Annotated[int, typer.Option("--games", metavar="N", help="alfworld: games a round.")] = 100,
) -> None:
    """Measure recall, or learning, on a public set.

    Through the engine itself, on stores of its own: each conversation is observed with its dates and speakers,
    each question recalled, and each hit compared with the set's evidence. With alfworld, a blank agent plays.
    """
    from recollect.evals.asking import Method  # noqa: PLC0415 - `--help` does not wait for it

    if name == SONA:
        told = _contrasted(common, tuple(seed or (1, 2, 3)))
        printed(common, told, lambda: pairs(dict(_rest(told))))
        return
    if data is None:
        raise InvalidInput(f"say where {name} lies: --data PATH")
    if name == ALFWORLD:
        told = _played(Path(data), tuple(seed or (1, 2)), rounds, games, ablate or ())
        printed(common, told, lambda: _curves(told))
        return
    method = Method(profile, tuple(ablate or ()), baseline)
    if name == TAU:
        told = _replayed(common, Path(data), limit)
        printed(common, told, lambda: pairs(dict(_rest(told))))
        return
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


def _played(
    data: Path, seeds: tuple[int, ...], rounds: int, games: int, ablate: Sequence[str]
) -> dict[str, Any]:
    from recollect.evals.playing import Plan, parts, play  # noqa: PLC0415

    return play(data, Plan(seeds, rounds, games, ablate=parts(ablate)), progress)


def _replayed(common: Common, data: Path, limit: int | None) -> dict[str, Any]:
    from recollect.assembly import make_embedder  # noqa: PLC0415
    from recollect.evals.tau import replay  # noqa: PLC0415

    return replay(data, make_embedder(opening.settings(common).embedder), limit, watch=progress)


def _contrasted(common: Common, seeds: tuple[int, ...]) -> dict[str, Any]:
    from recollect.assembly import make_embedder  # noqa: PLC0415
    from recollect.evals.sona import sona  # noqa: PLC0415

    return sona(make_embedder(opening.settings(common).embedder), seeds=seeds, watch=progress)


def _curves(found: Mapping[str, Any]) -> RenderableType:
    table = Table(box=SIMPLE_HEAD)
    for heading in ("seed", "arm", "rounds", "last 3", "unseen"):
        table.add_column(heading, justify="left" if heading in ("seed", "arm") else "right")
    for seed, both in found["seeds"].items():
        for arm in ("learning", "frozen"):
            one = both[arm]
            curve = " ".join(f"{rate:.0f}" for rate in one["curve"])
            unseen = _number(one.get("valid_seen", "-"))
            table.add_row(*map(Text, (seed, arm, curve, _number(one["last3"]), unseen)))
    return Group(table, pairs(dict(_rest({k: v for k, v in found.items() if k != "seeds"}))))


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
