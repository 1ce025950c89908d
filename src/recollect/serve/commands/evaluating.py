"""The verb that measures recall on public sets."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
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
    from recollect.ports import Embedder

app = typer.Typer(rich_markup_mode=None)
Found = dict[str, Any]
METRICS = ("n", "recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10")


@dataclass(frozen=True, slots=True)
class Trial:
    """What is measured on, and how."""

    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="PATH",
            help="The set's file or folder, or the folder that has it; fuzz, sona and shared need none.",
        ),
    ] = None
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="Which weighting of the signals ranks.")
    ] = None
    ablate: Annotated[
        Words,
        typer.Option(
            "--ablate", metavar="LAYER", help="Without this layer, or part of learning [repeatable]."
        ),
    ] = None
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            help="Only the first N questions; of lifetime, of each set the first N turns (600 unless told); of fuzz, N messages; of shared, N users.",
        ),
    ] = None
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="NAME", help="A plain method: bm25, dense or rrf.")
    ] = None
    stores: Annotated[
        str | None,
        typer.Option("--stores", metavar="DIR", help="Keep the filled stores here and use them again."),
    ] = None
    seed: Annotated[
        list[int] | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="alfworld, fuzz, sona: which games, messages or questions [repeatable].",
        ),
    ] = None
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="alfworld: how many rounds.")] = 10
    games: Annotated[int, typer.Option("--games", metavar="N", help="alfworld: games a round.")] = 100

    @property
    def path(self) -> Path:
        if self.data is None:
            raise InvalidInput("say where the set lies: --data PATH")
        return Path(self.data)

    @property
    def kept(self) -> Path | None:
        return None if self.stores is None else Path(self.stores)

    @property
    def method(self) -> "Method":
        from recollect.evals.asking import Method  # noqa: PLC0415 - `--help` does not wait for it

        return Method(self.profile, tuple(self.ablate or ()), self.baseline)


@verb(app, "eval")
def eval_(
    common: Common,
    name: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="locomo, realtalk, beam, realmem, multihop, locomo-plus; precision, write, fuzz, lifetime; alfworld, tau, sona; levels; shared.",
        ),
    ],
    trial: Trial,
) -> None:
    """Measure recall, or learning, on a public set.

    Through the engine itself, on stores of its own: each conversation is observed with its dates and speakers,
    each question recalled, and each hit compared with the set's evidence. With alfworld, a blank agent plays.
    """
    if name in RUNS:
        run, shown = RUNS[name]
        found = run(common, trial)
    else:
        found, shown = _measured(common, name, trial), _shown
    printed(common, found, lambda: shown(found))


def _embedder(common: Common) -> "Embedder":
    from recollect.assembly import make_embedder  # noqa: PLC0415

    return make_embedder(opening.settings(common).embedder)


def _measured(common: Common, name: str, trial: Trial) -> Found:
    from recollect.evals.measuring import evaluate  # noqa: PLC0415
    from recollect.evals.sets import load  # noqa: PLC0415

    method = trial.method
    sets = load(name, trial.path, trial.limit)
    return evaluate(sets, _embedder(common), method, stores=trial.kept, watch=progress)


def _precision(common: Common, trial: Trial) -> Found:
    from recollect.evals.precision import precision  # noqa: PLC0415
    from recollect.evals.sets.precision import read  # noqa: PLC0415

    beliefs, cases = read(trial.path)
    return precision(beliefs, cases[: trial.limit], _embedder(common), trial.method)


def _written(common: Common, trial: Trial) -> Found:
    from recollect.evals.write import write  # noqa: PLC0415

    return write(trial.path, _embedder(common), trial.limit, progress)


def _fuzzed(_: Common, trial: Trial) -> Found:
    from recollect.evals.writing.fuzz import fuzz  # noqa: PLC0415

    return fuzz(trial.limit or 100_000, (trial.seed or [1])[0], progress)


def _lived(common: Common, trial: Trial) -> Found:
    from recollect.evals.lifetime import TURNS, lifetime  # noqa: PLC0415

    turns = TURNS if trial.limit is None else trial.limit
    return lifetime(trial.path, _embedder(common), turns, stores=trial.kept, watch=progress)


def _played(_: Common, trial: Trial) -> Found:
    from recollect.evals.playing import Plan, parts, play  # noqa: PLC0415

    seeds = tuple(trial.seed or (1, 2))
    return play(
        trial.path, Plan(seeds, trial.rounds, trial.games, ablate=parts(trial.ablate or ())), progress
    )


def _replayed(common: Common, trial: Trial) -> Found:
    from recollect.evals.tau import replay  # noqa: PLC0415

    return replay(trial.path, _embedder(common), trial.limit, watch=progress)


def _contrasted(common: Common, trial: Trial) -> Found:
    from recollect.evals.sona import sona  # noqa: PLC0415

    return sona(_embedder(common), seeds=tuple(trial.seed or (1, 2, 3)), watch=progress)


def _levelled(common: Common, trial: Trial) -> Found:
    from recollect.evals.levels import levels  # noqa: PLC0415

    return levels(trial.path, _embedder(common), trial.limit, stores=trial.kept, watch=progress)


def _shared(_: Common, trial: Trial) -> Found:
    from recollect.evals.shared import Plan, shared  # noqa: PLC0415
    from recollect.testing import HashEmbedder  # noqa: PLC0415 - what items say is not looked at

    users = 1_000 if trial.limit is None else trial.limit
    plan = Plan(users, 10 * users, 100 * users, seed=(trial.seed or [1])[0])
    return shared(HashEmbedder(), plan)


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


def _listed(found: Mapping[str, Any]) -> RenderableType:
    return pairs(dict(_rest(found)))


def _by_arm(found: Mapping[str, Any]) -> RenderableType:
    """A row for each way of asking for a level."""
    table = Table(box=SIMPLE_HEAD)
    for heading in ("set", "way", "level-precision@10", "recall@10"):
        table.add_column(heading, justify="left" if heading in ("set", "way") else "right")
    for name, one in found["sets"].items():
        for arm, told in one["arms"].items():
            figures = (told["level_precision@10"], told["recall@10"])
            table.add_row(*map(Text, (plain(name), arm, *map(_number, figures))))
    return table


def _cases(found: Mapping[str, Any]) -> RenderableType:
    return pairs({"cases": str(found["n"]), **dict(_rest(found))})


Run = Callable[[Common, Trial], Found]
Shown = Callable[[Mapping[str, Any]], RenderableType]
RUNS: Mapping[str, tuple[Run, Shown]] = MappingProxyType(
    {
        "precision": (_precision, _cases),
        "write": (_written, _listed),
        "fuzz": (_fuzzed, _listed),
        "lifetime": (_lived, _listed),
        "alfworld": (_played, _curves),
        "tau": (_replayed, _listed),
        "sona": (_contrasted, _listed),
        "levels": (_levelled, _by_arm),
        "shared": (_shared, _listed),
    }
)
"""What is measured otherwise than by recall on a set, and how its figures are shown."""
