"""The results as a page: `python -m benchmarks.report` writes docs/benchmarks.md from the JSON files."""

import json
from pathlib import Path
from typing import Any

from benchmarks.measure import RESULTS, told_speed

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Written by `python -m benchmarks.report` from the JSON files in `benchmarks/results`; measured by `make bench`.
Read the figures as ratios: all contenders hold the same items and vectors and answer the same questions in turns,
in one run. Chroma searches vectors alone; mem0 runs with `infer=False` on its local Qdrant; Recollect searches words
and vectors, ranks, and explains every hit. No embedding is timed: the vectors are given. "Alone" is the same without
peers between the calls, as a program sees it that holds one memory: the caches of the processor stay warm.
"""


def rendered() -> str:
    """The page as the results have it."""
    speed, size, recall = (
        json.loads((RESULTS / f"{name}.json").read_text()) for name in ("speed", "footprint", "index_recall")
    )
    parts = [HEAD, _machine(speed), _times(speed), _growth(speed), _footprint(size), _recall(recall)]
    return "\n".join(parts)


def _machine(result: dict[str, Any]) -> str:
    machine = result["machine"]
    told = f"Measured on {machine['cores']} cores ({machine['processor']}), Python {machine['python']}, at {result['commit']}."
    return f"{told}{told_speed(machine)}\n"


def _times(result: dict[str, Any]) -> str:
    lines = ["## Times in milliseconds, p50 / p99", ""]
    for title, key in (
        ("recall, 10 hits", "recall_ms"),
        ("recall with a 10 % filter", "recall_with_10_percent_filter_ms"),
        ("durable remember, one at a time", "remember_ms"),
    ):
        lines += [f"| {title} | recollect alone | recollect | chroma | mem0 |", "|---|---|---|---|---|"]
        for size, row in result["sizes"].items():
            cells = [
                _pair(row["alone"].get(key)),
                *(_pair(row[key].get(name)) for name in ("recollect", "chroma", "mem0")),
            ]
            lines.append(f"| {int(size):,} | {' | '.join(cells)} |")
        lines.append("")
    lines += ["| bulk ingest, items a second | recollect | chroma | mem0 |", "|---|---|---|---|"]
    for size, row in result["sizes"].items():
        bulk = row["bulk_items_per_second"]
        lines.append(
            f"| to {int(size):,} | {' | '.join(f'{bulk[n]:,}' if n in bulk else '–' for n in ('recollect', 'chroma', 'mem0'))} |"
        )
    return "\n".join(lines) + "\n"


def _growth(result: dict[str, Any]) -> str:
    lines = [
        "## Growth and opening",
        "",
        "| memories | recall against a tenth of the size | open → first answer, ms | disk, MB |",
        "|---|---|---|---|",
    ]
    for size, row in result["sizes"].items():
        growth = f"{row['growth_from_previous']} ×" if "growth_from_previous" in row else "–"
        lines.append(
            f"| {int(size):,} | {growth} | {row['open_to_first_answer_ms']['p50']:.0f} | {row['disk_mb']:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _footprint(result: dict[str, Any]) -> str:
    lines = [
        "## Size",
        "",
        "| memories | memory above the process with the model, MB | disk, MB |",
        "|---|---|---|",
    ]
    lines += [
        f"| {int(size):,} | {row['ram_mb']:.0f} | {row['disk_mb']:.0f} |"
        for size, row in result["sizes"].items()
    ]
    installed = result["installed"]
    lines += [
        "",
        f"`import recollect`: {installed['import_ms']:.0f} ms, with the engine {installed['engine_import_ms']:.0f} ms. The installed environment: {installed['environment_mb']:.0f} MB.",
    ]
    return "\n".join(lines) + "\n"


def _recall(result: dict[str, Any]) -> str:
    lines = [
        f"## The index against exact search, {result['texts']:,} real texts, {result['questions']} real questions",
        "",
        "| brought by bits | scored exactly | recall@10 | ms p50 / p99 |",
        "|---|---|---|---|",
    ]
    for name, row in result.items():
        if name.startswith("bits_"):
            _, brought, _, finalists = name.split("_")
            lines.append(f"| {brought} | {finalists} | {row['recall@10']:.4f} | {_pair(row['ms'])} |")
    return "\n".join(lines) + "\n"


def _pair(times: dict[str, float] | None) -> str:
    return "–" if times is None else f"{times['p50']:.2f} / {times['p99']:.2f}"


if __name__ == "__main__":
    PAGE.write_text(rendered())
    print(f"wrote {PAGE.name}")
