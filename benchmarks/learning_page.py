"""The figures of docs/learning.md, from what is on record in benchmarks/results."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.measure import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "learning.md"
BEGIN, END = "<!-- measured: python -m benchmarks.learning page -->", "<!-- /measured -->"
NAMES = ("alfworld", "forgetting", "ablation", "learning_speed", "tau", "sona")
ON_WHEN_ABLATED = frozenset({"everything", "minilm", "usefulness", "patience", "optimism", "weights"})
SAID = {
    "everything": "every step of every episode advises, and nothing else is learnt",
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
    "minilm": "situations are compared by the model, not by their words",
}


def rendered(results: Mapping[str, Mapping[str, Any]]) -> str:
    """What is on record, as the page tells it."""
    parts = {
        "alfworld": _household,
        "forgetting": _forgotten,
        "ablation": _ablated,
        "learning_speed": _timed,
        "tau": _replayed,
        "sona": _contrasted,
    }
    return "\n".join([BEGIN, *(parts[name](results[name]) for name in NAMES if name in results), END])


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole page, with the figures in their place."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    return before + rendered(results) + rest.partition(END)[2]


def on_record() -> dict[str, Mapping[str, Any]]:
    """What is on record."""
    there = {name: RESULTS / f"{name}.json" for name in NAMES}
    return {name: json.loads(path.read_text("utf-8")) for name, path in there.items() if path.exists()}


def _household(told: Mapping[str, Any]) -> str:
    plan, seeds = told["plan"], told["seeds"]
    lines = [
        "### Household games",
        "",
        (
            f"{plan['rounds']} rounds of {plan['games']} games after {plan['experts']} expert episodes, success in %. Unseen are games that "
            "nobody trains on; fall-back is what the last three rounds lack to the best three."
        ),
        "",
        "| seed | rounds | last 3 | frozen | gain | unseen | frozen | fall-back | CPU minutes | at |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_seed_line(seed, one) for seed, one in seeds.items()]
    whole = [one for one in seeds.values() if "frozen" in one]
    if len(whole) > 1:
        figures = (
            _mean(whole, "learning", "last3"),
            _mean(whole, "frozen", "last3"),
            f"{mean(one['gain'] for one in whole):+.1f}",
            _mean(whole, "learning", "valid_seen"),
            _mean(whole, "frozen", "valid_seen"),
            f"{mean(one['fall_back'] for one in whole):.1f}",
        )
        lines.append(f"| mean | | {' | '.join(figures)} | | |")
    return "\n".join(lines) + "\n"


def _seed_line(seed: str, one: Mapping[str, Any]) -> str:
    """A seed's figures; those of an arm that was not played are left empty."""
    learning, frozen = one["learning"], one.get("frozen", {})
    curve = " ".join(f"{rate:.0f}" for rate in learning["curve"])
    gain = f"{one['gain']:+}" if frozen else ""
    cells = (
        *(seed, curve, learning["last3"], frozen.get("last3", ""), gain, learning["valid_seen"]),
        *(
            frozen.get("valid_seen", ""),
            one["fall_back"],
            f"{learning['cpu_s'] / 60:.1f}",
            learning["commit"],
        ),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _mean(seeds: Sequence[Mapping[str, Any]], arm: str, name: str) -> str:
    return f"{mean(one[arm][name] for one in seeds):.1f}"


def _forgotten(told: Mapping[str, Any]) -> str:
    chance, seeds = told["by_chance"], told["seeds"]
    rounds = list(next(iter(seeds.values()))["won"])
    lines = [
        "### Whether it forgets",
        "",
        (
            "The fall-back above compares rounds of different games. A player who wins every game with the same chance of "
            f"{chance['rate']:.0%} falls back by {chance['fall_back']} points on average, and by more than 3 in {chance['beyond_3']:.0%} of the "
            f"runs. So the memory is copied after {' and '.join(rounds)} rounds, and each copy plays the same games, which none learnt from; "
            "`python -m benchmarks.forgetting`."
        ),
        "",
        f"| seed | games | {' | '.join(f'after {at}, in %' for at in rounds)} | difference | standard error | at |",
        f"|{'---|' * (5 + len(rounds))}",
    ]
    for seed, one in seeds.items():
        won = " | ".join(str(one["won"][at]) for at in rounds)
        lines.append(
            f"| {seed} | {one['games']} | {won} | {one['difference']:+} | {one['standard_error']} | {one['commit']} |"
        )
    return "\n".join(lines) + "\n"


def _ablated(told: Mapping[str, Any]) -> str:
    plan, arms = told["plan"], told["arms"]
    usual = arms["default"]
    rate = mean(one["last3"] for one in usual.values()) / 100
    error = 100 * (rate * (1 - rate) / (3 * plan["games"])) ** 0.5
    lines = [
        "### Without each part",
        "",
        (
            f"Each part switched to the other side, {plan['rounds']} rounds of {plan['games']} games after {plan['experts']} expert episodes, "
            f"on the same games; success in % of the last three rounds, which of one seed has a standard error of {error:.1f} points. The lens "
            "takes no part in decisions: what it is worth stands [below](#the-lens-1)."
        ),
        "",
        "| part | | seeds | last 3 | difference | unseen | at |",
        "|---|---|---|---|---|---|---|",
    ]
    for part, runs in arms.items():
        same = [usual[seed] for seed in runs]
        last, unseen = (mean(one[name] for one in runs.values()) for name in ("last3", "valid_seen"))
        difference = last - mean(one["last3"] for one in same)
        side = "" if part == "default" else "with " if part in ON_WHEN_ABLATED else "without "
        said = "as it is by default" if part == "default" else SAID[part]
        commits = ", ".join(dict.fromkeys(one["commit"] for one in runs.values()))
        lines.append(
            f"| {side}{part} | {said} | {', '.join(runs)} | {last:.1f} | {difference:+.1f} | {unseen:.1f} | {commits} |"
        )
    return "\n".join(lines) + "\n"


def _timed(told: Mapping[str, Any]) -> str:
    cpu, wall = told["decision_cpu_ms"], told["decision_ms"]
    note = f"; {told['note']}" if "note" in told else ""
    return (
        "### Time\n\n"
        f"With {told['steps']:,} steps stored, {told['advising']:,} of them advising, on SQLite with {told['embedder']}: a decision among "
        f"{told['possible']} actions takes {cpu['p50']:.1f} ms of CPU time ({cpu['p95']:.1f} at the 95th percentile; by the clock, beside other "
        f"work, {wall['p50']:.1f} and {wall['p95']:.1f}); keeping a step {told['step_cpu_ms']:.1f} ms, its share of the outcome included; the first "
        f"decision of a process {told['first_decision_cpu_ms']:.0f} ms; at {told['commit']}{note}.\n"
    )


def _replayed(told: Mapping[str, Any]) -> str:
    every = told["embedders"].values()
    first = next(iter(every))
    lines = [
        "### Recorded runs of tool-calling agents",
        "",
        (
            f"{first['runs']} runs, {first['successes']} of them successes, {first['calls']} calls. "
            "Before each call, the memory of the runs before it is asked for ten precedents."
        ),
        "",
        "| embedder | | precedents from successes | ratio | names the tool that a success called next | at |",
        "|---|---|---|---|---|---|",
    ]
    for result in every:
        for name, said in (("without", "similar situations of all runs"), ("learning", "as it learns")):
            one, ratio = result[name], f"{result['ratio']:.2f}" if name == "learning" else ""
            figures = f"{one['from_success']:.1%} | {ratio} | {one['same_tool']:.1%}"
            lines.append(f"| {result['embedder']} | {said} | {figures} | {result['commit']} |")
    equal = "equal" if all(one["tool_counts_equal"] for one in every) else "do not equal"
    lines += ["", f"The statistics of tools {equal} a direct count."]
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
            f"Two families of questions alternate, {' '.join(told['phases'])}, a hundred contrasts each. Four ways of doing each thing are remembered; "
            "one works in A, another in B. nDCG@10 of what works, on things that no contrast was "
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
