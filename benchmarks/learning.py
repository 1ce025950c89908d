"""What learning is worth: `python -m benchmarks.learning alfworld --data DIR`, `… tau --data DIR`, `… sona`, `… page`.

Each writes benchmarks/results/NAME.json, and the figures in docs/learning.md from what is on record; `page` only those.
"""

import argparse
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.measure import RESULTS, record
from recollect import config
from recollect.assembly import make_embedder
from recollect.evals.playing import PARTS, Plan, play
from recollect.evals.sona import sona
from recollect.evals.tau import replay
from recollect.serve.output import progress
from recollect.testing import HashEmbedder

PAGE = Path(__file__).parents[1] / "docs" / "learning.md"
BEGIN, END = "<!-- measured: python -m benchmarks.learning page -->", "<!-- /measured -->"
NAMES = ("alfworld", "tau", "sona")
OFF_BY_DEFAULT = frozenset({"usefulness", "patience", "optimism", "weights"})
SAID = {
    "clean": "failures advise too",
    "trim": "every step of a success advises",
    "necessity": "steps that leave no trace are all credited",
    "value": "far and near steps count the same",
    "mdp": "no chances of actions",
    "wandering": "needless steps are no failed tries",
    "match": "task and region do not matter",
    "decay": "failures take nothing away",
    "context": "failures take from all that was at hand",
    "usefulness": "advice counts by how often following it went well",
    "patience": "trying again counts by what it has brought",
    "weights": "outcomes teach what each signal of advice weighs",
    "optimism": "what was rarely tried promises more",
}


def household(
    data: Path, seeds: tuple[int, ...], parts: Iterable[str], ablated: tuple[int, ...], jobs: int
) -> dict[str, Any]:
    """Every seed with its control, and of each part what is lost without it, or won with it, on some seeds."""
    plans = {("default", seed): Plan((seed,)) for seed in seeds}
    plans |= {
        (part, seed): Plan((seed,), ablate=(part,), control=False) for part in parts for seed in ablated
    }
    with ProcessPoolExecutor(jobs) as pool:
        found = dict(zip(plans, pool.map(play, [data] * len(plans), plans.values()), strict=True))
    ablation = {
        part: {str(seed): found[part, seed]["seeds"][str(seed)]["learning"] for seed in ablated}
        for part in dict.fromkeys(part for part, _ in plans if part != "default")
    }
    return {
        "plan": {"rounds": Plan().rounds, "games": Plan().games, "experts": Plan().experts},
        "seeds": {str(seed): found["default", seed]["seeds"][str(seed)] for seed in seeds},
        "ablation": ablation,
    }


def rendered(results: Mapping[str, Mapping[str, Any]]) -> str:
    """What is on record, as the page tells it."""
    parts = {"alfworld": _household, "tau": _replayed, "sona": _contrasted}
    return "\n".join([BEGIN, *(parts[name](results[name]) for name in NAMES if name in results), END])


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole page, with the figures in their place."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    return before + rendered(results) + rest.partition(END)[2]


def known() -> dict[str, Mapping[str, Any]]:
    """What is on record."""
    there = {name: RESULTS / f"{name}.json" for name in NAMES}
    return {name: json.loads(path.read_text("utf-8")) for name, path in there.items() if path.exists()}


def _household(told: Mapping[str, Any]) -> str:
    plan, seeds = told["plan"], told["seeds"]
    lines = [
        "### Household games",
        "",
        f"{plan['rounds']} rounds of {plan['games']} games after {plan['experts']} expert episodes, success in %; at {told['commit']}.",
        "",
        "| seed | rounds | last 3 | frozen | gain | unseen | frozen | fall-back |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for seed, one in seeds.items():
        learning, frozen = one["learning"], one["frozen"]
        curve = " ".join(f"{rate:.0f}" for rate in learning["curve"])
        lines.append(
            f"| {seed} | {curve} | {learning['last3']} | {frozen['last3']} | {one['gain']:+} "
            f"| {learning['valid_seen']} | {frozen['valid_seen']} | {one['fall_back']} |"
        )
    every = seeds.values()
    lines.append(
        f"| mean | | {mean(s['learning']['last3'] for s in every):.1f} | {mean(s['frozen']['last3'] for s in every):.1f} "
        f"| {mean(s['gain'] for s in every):+.1f} | {mean(s['learning']['valid_seen'] for s in every):.1f} "
        f"| {mean(s['frozen']['valid_seen'] for s in every):.1f} | {mean(s['fall_back'] for s in every):.1f} |"
    )
    if told["ablation"]:
        lines += ["", "Each part switched to the other side, on the same games:", ""]
        lines += ["| part | | seeds | last 3 | difference |", "|---|---|---|---|---|"]
    for part, runs in told["ablation"].items():
        usual = mean(seeds[seed]["learning"]["last3"] for seed in runs)
        last = mean(one["last3"] for one in runs.values())
        side = "with" if part in OFF_BY_DEFAULT else "without"
        lines.append(
            f"| {side} {part} | {SAID[part]} | {', '.join(runs)} | {last:.1f} | {last - usual:+.1f} |"
        )
    return "\n".join(lines) + "\n"


def _replayed(told: Mapping[str, Any]) -> str:
    lines = [
        "### Recorded runs of tool-calling agents",
        "",
        (
            f"{told['runs']} runs, {told['successes']} of them successes, {told['calls']} calls, with {told['embedder']}; at {told['commit']}. "
            "Before each call, the memory of the runs before it is asked for ten precedents."
        ),
        "",
        "| | precedents from successes | names the tool that a success called next |",
        "|---|---|---|",
    ]
    for name, said in (("without", "similar situations of all runs"), ("learning", "as it learns")):
        one = told[name]
        lines.append(f"| {said} | {one['from_success']:.1%} | {one['same_tool']:.1%} |")
    equal = "equal" if told["tool_counts_equal"] else "do not equal"
    lines += ["", f"The ratio is {told['ratio']:.2f}; the statistics of tools {equal} a direct count."]
    return "\n".join(lines) + "\n"


def _contrasted(told: Mapping[str, Any]) -> str:
    names = {
        "as_shipped": "as it is when switched on",
        "no_canary": "without the check on past questions",
        "no_ewc": "without holding what mattered",
        "neither": "without either",
    }
    lines = [
        "### The lens",
        "",
        (
            f"Two families of questions alternate, {' '.join(told['phases'])}, a hundred contrasts each; nDCG@10 on things that no contrast was "
            f"about, of A and of B, before and after each phase; mean of {len(told['seeds'])} seeds, with {told['embedder']}; at {told['commit']}."
        ),
        "",
        "| | A / B | current rises at least | earlier falls at most |",
        "|---|---|---|---|",
    ]
    for name, said in names.items():
        one = told[name]
        curve = ", ".join(f"{point['A']:.0f} / {point['B']:.0f}" for point in one["curve"])
        lines.append(f"| {said} | {curve} | {one['rise_of_current']:+} | {one['fall_of_earlier']} |")
    return "\n".join(lines) + "\n"


def numbers(text: str) -> tuple[int, ...]:
    """Several numbers with commas between."""
    return tuple(int(one) for one in text.split(","))


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.learning`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=(*NAMES, "page"))
    parser.add_argument("--data", type=Path, help="the folder of the benchmark, or of the recorded runs")
    parser.add_argument("--seeds", type=numbers, default=(1, 2, 3, 4))
    parser.add_argument(
        "--parts", default=",".join(PARTS), help="what is ablated, comma-separated; empty: nothing"
    )
    parser.add_argument("--ablated", type=numbers, help="the seeds of the ablation; by default all")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--hash", action="store_true", help="with the hash embedder instead of the real one")
    options = parser.parse_args(arguments)
    embedder = HashEmbedder() if options.hash else None
    if options.name == "alfworld":
        parts = [part for part in options.parts.split(",") if part]
        ablated = options.ablated or options.seeds
        record("alfworld", household(options.data, options.seeds, parts, ablated, options.jobs))
    elif options.name != "page":
        chosen = embedder or make_embedder(config.assembled({}, {}).embedder)
        measure = {
            "tau": lambda: replay(options.data, chosen, watch=progress),
            "sona": lambda: sona(chosen, watch=progress),
        }
        record(options.name, measure[options.name]())
    PAGE.write_text(page(known()), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
