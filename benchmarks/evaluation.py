"""The evaluation as a page: `python -m benchmarks.evaluation` writes docs/evaluation.md from its JSON file."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.measure import RESULTS, known, told_speed

PAGE = Path(__file__).parents[1] / "docs" / "evaluation.md"
RESULT = RESULTS / "evaluation.json"
METRICS = ("recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10")
HEAD = """# Evaluation

Written by `python -m benchmarks.evaluation` from `benchmarks/results/evaluation.json`; measured by
`python -m benchmarks.evaluate --data DIR`. Every figure comes through the engine: conversations are observed with their
dates and speakers, one store each, questions are recalled with one default profile for all sets, and a hit counts for
its own turn or, if it was formed from others, for those. recall@k is the share of a question's evidence among the first k
hits, on average. Times include the embedding of the question. The sets are not part of this repository.
Memories are formed from the turns, as by default; [formation.md](formation.md#what-it-does-to-recall) says what that
does to recall.
"""


def rendered(result: Mapping[str, Any] | None = None) -> str:
    """The page as the result has it."""
    told = json.loads(RESULT.read_text(encoding="utf-8")) if result is None else result
    parts = [HEAD, _about(told), _sets(told["sets"]), _types(told["sets"])]
    changed = {
        name: one["newer_above_older"] for name, one in told["sets"].items() if "newer_above_older" in one
    }
    parts += [_changed(changed)] if changed else []
    parts += [_precision(told["precision"])] if "precision" in told else []
    peers = known("peers")
    parts += [_peers(peers)] if peers else []
    return "\n".join([*parts, _ablation(told["ablation"], told.get("ablation_commit"))])


def _about(told: Mapping[str, Any]) -> str:
    machine = told["machine"]
    where = f" on {machine['cores']} cores ({machine['processor']})" if machine else ""
    return f"Measured{where} with {told['model']}, at {told['commit']}.{told_speed(machine)}\n"


def _each(sets: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every set by itself: one of several parts is shown by its parts."""
    for one in sets.values():
        yield from one.get("sets", (one,))


def _sets(sets: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "## Sets",
        "",
        f"| set | questions | unresolved | {' | '.join(METRICS)} | recall ms p50 / p95 | ingest items/s | bytes an item |",
        f"|---|---|---|{'---|' * len(METRICS)}---|---|---|",
    ]
    for one in _each(sets):
        figures = " | ".join(_figure(one[name]) for name in METRICS)
        times = f"{one['recall_ms']['p50']:.1f} / {one['recall_ms']['p95']:.1f}"
        cost = f"{one['ingest_items_per_s']:,.0f} | {one['bytes_per_item']:,}"
        lines.append(f"| {one['set']} | {one['n']:,} | {one['unresolved']} | {figures} | {times} | {cost} |")
    return "\n".join(lines) + "\n"


def _types(sets: Mapping[str, Mapping[str, Any]]) -> str:
    lines = ["## By type of question", "", "| set | type | questions | recall@10 |", "|---|---|---|---|"]
    lines += [
        f"| {one['set']} | {type_} | {found['n']:,} | {_figure(found['recall@10'])} |"
        for one in _each(sets)
        for type_, found in one["by_type"].items()
    ]
    return "\n".join(lines) + "\n"


def _changed(sets: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "## What changed: the newer statement above the older",
        "",
        "| set | questions | share |",
        "|---|---|---|",
    ]
    for name, told in sets.items():
        lines.append(f"| {name} | {told['n']} | {_figure(told['share'])} |")
        lines += [
            f"| {name}: {type_} | | {_figure(share)} |"
            for type_, share in told.items()
            if type_ not in ("n", "share", "neither_found")
        ]
    return "\n".join(lines) + "\n"


def _precision(told: Mapping[str, Any]) -> str:
    only = told["should_only_include"]
    return (
        "## What must not come back\n\n"
        f"PrecisionMemBench, {told['n']} cases: everything that must be there is there and nothing that must not be in"
        f" {_figure(told['held'])} of them. Where only some beliefs should come, precision is {_figure(only['precision'])}"
        f" and recall {_figure(only['recall'])}.\n"
    )


def _peers(told: Mapping[str, Any]) -> str:
    lines = [
        "## Peers",
        "",
        (
            "The same texts and questions, and our vectors for all, in turns. A search has the question's vector; as asked, it"
            " has its text, and embeds it: ours as by default, the peers with the same model as it is. As shipped, each"
            " embeds with what comes with it: Chroma and MemPalace the same model, which pads every text to 256 tokens; mem0"
            " comes with a service."
        ),
        f"Measured by `python -m benchmarks.peers --data DIR`, at {told['commit']}.",
        "",
        (
            "| set | contender | recall@5 | recall@10 | recall@20 | ndcg@10 | search ms p50 / p95 | as asked ms p50 / p95 |"
            " as shipped ms p50 / p95 |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, on_set in told["sets"].items():
        for contender, one in on_set["contenders"].items():
            figures = " | ".join(
                _figure(one[key]) for key in ("recall@5", "recall@10", "recall@20", "ndcg@10")
            )
            times = " | ".join(
                f"{one[key]['p50']:.1f} / {one[key]['p95']:.1f}" if key in one else "–"
                for key in ("search_ms", "as_asked_ms", "as_shipped_ms")
            )
            lines.append(f"| {name} | {contender} | {figures} | {times} |")
    return "\n".join(lines) + "\n"


def _ablation(rows: list[Mapping[str, Any]], commit: str | None = None) -> str:
    """recall@10 of each method, and how far it is from the default; with its commit where that is an earlier one."""
    sets = list(dict.fromkeys(row["set"] for row in rows))
    found = {(row["set"], row["method"]): row["recall@10"] for row in rows}
    lines = [
        "## Ablation: recall@10, and the difference from the default",
        "",
        *([f"At {commit}.", ""] if commit else []),
        f"| method | {' | '.join(sets)} |",
        f"|---|{'---|' * len(sets)}",
    ]
    for method in dict.fromkeys(row["method"] for row in rows):
        cells = [_compared(found[one, method], found[one, "default"], method) for one in sets]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _compared(value: float, default: float, method: str) -> str:
    return _figure(value) if method == "default" else f"{_figure(value)} ({value - default:+.3f})"


def _figure(value: float) -> str:
    return f"{value:.3f}"


if __name__ == "__main__":
    PAGE.write_text(rendered(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
