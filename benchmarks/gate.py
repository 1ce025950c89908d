"""The gate on labelled pairs and on facts that replace one another: `python -m benchmarks.gate --data FOLDER`."""

import argparse
import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import record
from recollect.assembly import make_embedder
from recollect.evals.sets.consolidation import replaced
from recollect.formulas.gate import GateParams, decide
from recollect.language.claims import Claim, claims
from recollect.language.contradiction import conflict, contradicts
from recollect.language.differences import adds, differing
from recollect.model import Action
from recollect.settings import EmbedderSettings

THRESHOLDS = [round(at / 100, 2) for at in range(50, 100)]
SURE, LIKELY, MARGIN = 0.85, 0.80, 0.05
"""Precision of "means the same" for REINFORCE, which drops the new text; precision of "overlaps" for UPDATE, which
keeps both; how far below UPDATE what is not important is skipped."""
SAME_MEANING = 4.5
"""Relatedness from which SICK's raters say that two sentences mean the same."""


class Pair(NamedTuple):
    """Two texts and what people said of them."""

    source: str
    old: str
    new: str
    label: str
    same: bool | None

    @property
    def overlaps(self) -> bool:
        return self.label == "entailment"


def pairs(folder: Path) -> Iterator[Pair]:
    """SICK, MSR paraphrase and dialogue NLI, those that are there."""
    for row in _rows(folder / "sick.tsv"):
        label = row["entailment_judgment"].lower()
        same = label == "entailment" and float(row["relatedness_score"]) >= SAME_MEANING
        yield Pair("sick", row["sentence_A"], row["sentence_B"], label, same)
    for row in _rows(folder / "msrp.tsv"):
        same = row["Quality"] == "1"
        yield Pair("msrp", row["#1 String"], row["#2 String"], "entailment" if same else "neutral", same)
    path = folder / "dialogue_nli.csv"
    for line in path.read_text().splitlines() if path.exists() else []:
        old, new, label = line.split("\t")
        yield Pair("dialogue_nli", old, new, label.strip('"').lower(), None)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if path.exists():
        with path.open(encoding="utf-8-sig", newline="") as lines:
            yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def similarities(found: list[Pair], cache: Path | None) -> list[float]:
    """The cosine of each pair, from the cache where it is of these pairs."""
    if cache and cache.exists():
        kept = np.load(cache)
        if len(kept) == len(found):
            return kept.tolist()
    texts = sorted({text for pair in found for text in (pair.old, pair.new)})
    vectors = make_embedder(EmbedderSettings()).embed(texts)
    place = {text: at for at, text in enumerate(texts)}
    cosines = [float(vectors[place[pair.old]] @ vectors[place[pair.new]]) for pair in found]
    if cache:
        np.save(cache, np.array(cosines))
    return cosines


def curve(
    scored: list[tuple[Pair, float, bool]], what: str, *, guarded: bool = True
) -> list[dict[str, float]]:
    """Precision and recall of "same" or "overlaps" from each threshold up; `guarded`: not where values differ."""
    total = sum(bool(getattr(pair, what)) for pair, _, _ in scored)
    rows = []
    for at in THRESHOLDS:
        taken = [pair for pair, cosine, differ in scored if cosine >= at and not (guarded and differ)]
        right = sum(bool(getattr(pair, what)) for pair in taken)
        rows.append(
            {
                "threshold": at,
                "precision": round(right / max(len(taken), 1), 4),
                "recall": round(right / max(total, 1), 4),
                "taken": len(taken),
            }
        )
    return rows


def chosen(same: list[dict[str, float]], overlaps: list[dict[str, float]]) -> GateParams:
    """The lowest thresholds that reach the precisions asked for."""
    sure, likely = (
        next((row["threshold"] for row in rows if row["precision"] >= asked), 1.0)
        for rows, asked in ((same, SURE), (overlaps, LIKELY))
    )
    return GateParams(max(sure, likely), likely, round(likely - MARGIN, 2))


def outcomes(found: list[Pair], cosines: list[float], params: GateParams) -> dict[str, Any]:
    """What the gate does with each pair, by set and label."""
    acts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for pair, cosine in zip(found, cosines, strict=True):
        decision = decide(
            cosine,
            contradicts=conflict(pair.new, pair.old) is not None,
            same_key=differing(pair.new, pair.old) is None,
            important=True,
            adds=adds(pair.new, pair.old),
            params=params,
        )
        acts[pair.source][pair.label][decision.action] += 1
    return {source: _summary(labels) for source, labels in acts.items()}


def _summary(labels: dict[str, Counter[str]]) -> dict[str, Any]:
    found = {label: count[Action.SUPERSEDE] for label, count in labels.items()}
    others = {label: count for label, count in labels.items() if label != "contradiction"}
    wrong = sum(found[label] for label in others)
    contradictions = labels.get("contradiction", Counter()).total()
    return {
        "actions": {label: dict(sorted(count.items())) for label, count in sorted(labels.items())},
        "wrongly_superseded": round(wrong / max(sum(count.total() for count in others.values()), 1), 5),
        "contradiction_precision": round(found.get("contradiction", 0) / sum(found.values()), 4)
        if any(found.values())
        else None,
        "contradiction_recall": round(found["contradiction"] / contradictions, 4) if contradictions else None,
    }


def superseded(facts: Iterable[str]) -> set[int]:
    """Facts that the rules supersede when they are told in order."""
    known: dict[tuple[str, str], list[tuple[int, Claim]]] = defaultdict(list)
    gone = set()
    for at, fact in enumerate(facts):
        for claim in claims(fact):
            gone |= {earlier for earlier, old in known[claim.key] if contradicts(claim, old)}
            known[claim.key].append((at, claim))
    return gone


def consolidation(path: Path) -> dict[str, Any]:
    """Of the facts that are replaced and of those that are not, the share superseded; by context."""
    result = {}
    for context in json.loads(path.read_text()):
        facts = re.findall(r"^\d+\. (.*)$", context["context"], re.MULTILINE)
        gone, ours = replaced(facts), superseded(facts)
        result[context["metadata"]["source"]] = {
            "facts": len(facts),
            "replaced": len(gone),
            "replaced_superseded": round(len(gone & ours) / max(len(gone), 1), 5),
            "kept_superseded": round(len(ours - gone) / max(len(facts) - len(gone), 1), 5),
        }
    return result


def main() -> None:
    """Measures what the folder has, and records it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, help="a .npy file that keeps the similarities")
    options = parser.parse_args()
    found = list(pairs(options.data / "pairs"))
    cosines = similarities(found, options.cache)
    scored = [
        (pair, cosine, differing(pair.new, pair.old) is not None)
        for pair, cosine in zip(found, cosines, strict=True)
        if pair.same is not None
    ]
    same, overlaps = curve(scored, "same"), curve(scored, "overlaps")
    params = chosen(same, overlaps)
    facts = options.data / "fact_consolidation.json"
    record(
        "gate",
        {
            "embedder": make_embedder(EmbedderSettings()).name,
            "chosen": {"reinforce": params.reinforce, "update": params.update, "near": params.near},
            "pairs": outcomes(found, cosines, params),
            "consolidation": consolidation(facts) if facts.exists() else None,
            "truth_of_consolidation": " ".join((replaced.__doc__ or "").split()),
            "duplicates": {
                "same": same,
                "overlaps": overlaps,
                "overlaps_by_cosine_alone": curve(scored, "overlaps", guarded=False),
            },
        },
    )


if __name__ == "__main__":
    main()
