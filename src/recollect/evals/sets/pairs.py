"""Pairs of texts with what people said of them: SICK, MSR paraphrase, dialogue NLI, and STSb in Turkish."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from recollect.evals.sets.files import shaped

SAME_MEANING: Final = 4.5
"""Relatedness, out of 5, from which raters say that two sentences mean the same."""
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"


class Pair(NamedTuple):
    """Two texts, how the second stands to the first, and whether they mean the same where that was asked."""

    source: str
    old: str
    new: str
    label: str | None
    same: bool | None


def english(folder: Path) -> Iterator[Pair]:
    """Those of the three sets that are there."""
    for row in _rows(folder / "sick.tsv", "\t"):
        label = row["entailment_judgment"].lower()
        same = label == ENTAILMENT and float(row["relatedness_score"]) >= SAME_MEANING
        yield Pair("sick", row["sentence_A"], row["sentence_B"], label, same)
    for row in _rows(folder / "msrp.tsv", "\t"):
        same = row["Quality"] == "1"
        yield Pair("msrp", row["#1 String"], row["#2 String"], ENTAILMENT if same else NEUTRAL, same)
    path = folder / "dialogue_nli.csv"
    with shaped(path, "a dialogue NLI file"):
        for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
            old, new, label = line.split("\t")
            yield Pair("dialogue_nli", old, new, label.strip('"').lower(), None)


def turkish(folder: Path) -> Iterator[Pair]:
    """STSb-TR: how alike two sentences are, without saying in which way they differ."""
    for row in _rows(folder / "stsb_tr_test.tsv", "\t"):
        yield Pair("stsb_tr", row["sentence1"], row["sentence2"], None, float(row["score"]) >= SAME_MEANING)


def _rows(path: Path, delimiter: str) -> Iterator[dict[str, str]]:
    if path.is_file():
        with shaped(path, "a table of pairs"), path.open(encoding="utf-8-sig", newline="") as lines:
            yield from csv.DictReader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
