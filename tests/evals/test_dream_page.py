"""What docs/dream.md says was measured is what is on record."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dream.md").read_text(encoding="utf-8")


def recorded(name):
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def row(beginning):
    """The numbers of the one line of a table that begins so."""
    [line] = [line for line in PAGE.splitlines() if line.startswith(f"| {beginning} |")]
    return [float(number.replace(",", "")) for number in re.findall(r"-?[\d,]*\.?\d+", line.split("|", 2)[2])]


def test_the_year_is_told_as_it_was_measured():
    found = recorded("lifetime")
    assert f"{found['turns']:,} turns of {found['conversations']} conversations" in PAGE
    assert row("evidence among the first 10") == [
        round(found["recall@10_never_dreamt"] * 100, 1),
        round(found["recall@10_dreamt"] * 100, 1),
    ]
    assert row("stale facts among the first 5") == [
        found["stale_facts_top5_never_dreamt"],
        found["stale_facts_top5_dreamt"],
    ]
    assert row("stale hits of both lanes among the first 5") == [
        found["stale_hits_top5_never_dreamt"],
        found["stale_hits_top5_dreamt"],
    ]
    assert row("awake, of what was formed") == [
        round(found["active_share_never_dreamt"] * 100),
        round(found["active_share_dreamt"] * 100),
    ]


@pytest.mark.parametrize("size", ["10000", "30000", "100000"])
def test_a_night_is_told_as_it_was_measured(size):
    first, *later = recorded("dreaming")["sizes"][size]["nights"]
    most = max(one["ram_mb_above_bare"] for one in (first, *later))
    assert row(f"{int(size):,}") == [first["cpu_seconds"], later[-1]["cpu_seconds"], round(most)]
