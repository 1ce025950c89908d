"""Trains the model of attacks: `python -m training.injection --packages DIR --data DIR --target FILE`.

DATA.md says what is in the two folders. `--folds` trains once more for each source without it, and says how much of it
is found; `--measure` looks at the texts that were kept for measuring. It needs scikit-learn and PyYAML.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from recollect.language.injection import bare, by_rules
from recollect.language.suspicion import BUCKETS_LOG2, Grams, Model, grams, odds, window_scores, windows
from training.injection_sources import Text, attacks, benign, foreign_attacks, foreign_benign

SEED = 20_261_116
BENIGN_SHARE = 0.0015
"""So many of the ordinary texts may be taken for attacks, as a mean over their sources."""
ROUNDS = 2
MOST_WINDOWS = 4
KEPT_BACK = 4
"""Every fourth ordinary text chooses the threshold, and is not trained on."""
_SHINGLE = 5
_ALIKE = 0.3


class Corpus:
    """Texts with what they are made of, read once."""

    def __init__(self, texts: Iterable[Text]) -> None:
        kept: dict[str, Text] = {}
        for text in texts:
            kept.setdefault(re.sub(r"\W+", "", text.text.casefold())[:200], text)
        self.texts = list(kept.values())
        self.grams = [grams(bare(text.text)) for text in self.texts]
        self.attack = np.array([text.attack for text in self.texts], np.bool_)
        self.source = np.array([text.source for text in self.texts])


def trained(corpus: Corpus, rows: Sequence[int], strength: float, rng: Random) -> Model:
    """The weights for some texts; in later rounds an attack counts by the windows that read like one."""
    model: Model | None = None
    for _ in range(ROUNDS):
        parts, labels, sources = [], [], []
        for row in rows:
            found = corpus.grams[row]
            for part in _windows(found, model, corpus.attack[row], rng):
                parts.append(part)
                labels.append(corpus.attack[row])
                sources.append((corpus.source[row], bool(corpus.attack[row])))
        model = _fitted(parts, np.array(labels), _balance(sources), strength)
    assert model is not None
    return model


def _windows(found: Grams, model: Model | None, attack: bool, rng: Random) -> list[np.ndarray]:
    starts, ends = windows(found.length)
    chosen = list(range(len(starts)))
    if len(chosen) > 1 and model is not None:
        scores = window_scores(found, model)
        best = list(np.argsort(-scores)[:MOST_WINDOWS])
        chosen = [at for at in best if scores[at] > 0] or best[:1] if attack else best
    elif len(chosen) > MOST_WINDOWS:
        chosen = rng.sample(chosen, MOST_WINDOWS)
    return [found.buckets[(found.places >= starts[at]) & (found.places < ends[at])] for at in chosen]


def _balance(sources: Sequence[tuple[str, bool]]) -> np.ndarray:
    """A source counts by the root of its size, and attacks as much as what is none."""
    counts: dict[tuple[str, bool], int] = defaultdict(int)
    for source in sources:
        counts[source] += 1
    weights = np.array([counts[source] ** -0.5 for source in sources])
    attack = np.array([source[1] for source in sources])
    for side in (attack, ~attack):
        weights[side] /= weights[side].sum()
    return weights * len(weights) / 2


def _fitted(parts: list[np.ndarray], labels: np.ndarray, weights: np.ndarray, strength: float) -> Model:
    ends = np.cumsum([0, *map(len, parts)])
    roots = np.repeat(1 / np.sqrt(np.maximum(np.diff(ends), 1)), np.diff(ends)).astype(np.float32)
    matrix = csr_matrix(
        (roots, np.concatenate(parts).astype(np.int32), ends), shape=(len(parts), 1 << BUCKETS_LOG2)
    )
    fit = LogisticRegression(C=strength, max_iter=80, tol=1e-3).fit(matrix, labels, sample_weight=weights)
    scale = float(np.abs(fit.coef_).max()) / 127
    return Model(np.round(fit.coef_[0] / scale).astype(np.int8), scale, float(fit.intercept_[0]), 0.5)


def all_odds(corpus: Corpus, model: Model, rows: Iterable[int]) -> np.ndarray:
    """The log odds of each text."""
    return np.array([odds(corpus.grams[row], model) for row in rows])


def chosen_threshold(corpus: Corpus, model: Model, rows: Sequence[int], share: float) -> float:
    """The least odds at which the mean share over the sources of ordinary texts is small enough."""
    found = all_odds(corpus, model, rows)
    sources = corpus.source[list(rows)]
    weights = np.array([1 / (sources == source).sum() for source in sources])
    order = np.argsort(-found)
    allowed = np.cumsum(weights[order]) / len(set(sources)) <= share
    return float(found[order][allowed.sum()]) + 1e-6


def shares(corpus: Corpus, found: np.ndarray, rows: Sequence[int]) -> dict[str, dict[str, float]]:
    """By source: how many texts, and the share that the rules, the model, and either of them take for an attack."""
    told = {}
    ruled = np.array([by_rules(corpus.texts[row].text) is not None for row in rows])
    sources = corpus.source[list(rows)]
    for source in dict.fromkeys(sources):
        here = sources == source
        rules = ruled[here]
        told[str(source)] = {
            "texts": int(here.sum()),
            "rules": round(float(rules.mean()), 4),
            "model": round(float(found[here].mean()), 4),
            "either": round(float((rules | found[here]).mean()), 4),
        }
    return told


def alike(corpus: Corpus, rows: Sequence[int], held: Sequence[int]) -> set[int]:
    """Those of some texts that repeat much of what is held out, so that nothing of it is known before."""
    known = set().union(*(_shingles(corpus.texts[row].text) for row in held))
    found = set()
    for row in rows:
        own = _shingles(corpus.texts[row].text)
        if own and len(own & known) / len(own) > _ALIKE:
            found.add(row)
    return found


def _shingles(text: str) -> set[int]:
    words = re.findall(r"\w+", text.casefold())
    return {hash(tuple(words[at : at + _SHINGLE])) for at in range(max(len(words) - _SHINGLE + 1, 1))}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--packages", type=Path, required=True)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--target", type=Path)
    asked.add_argument("--folds", action="store_true")
    asked.add_argument("--measure", action="store_true")
    asked.add_argument("--strength", type=float, default=30.0)
    asked.add_argument("--share", type=float, default=BENIGN_SHARE)
    told = asked.parse_args()
    rng = Random(SEED)
    corpus = Corpus([*attacks(told.packages, rng), *benign(told.packages, told.data, rng)])
    everything = range(len(corpus.texts))
    ordinary = [row for row in everything if not corpus.attack[row]]
    choosing = ordinary[::KEPT_BACK]
    rows = sorted(set(everything) - set(choosing))
    report: dict[str, object] = {"strength": told.strength, "share": told.share}
    if told.folds:
        report["folds"] = folds(corpus, rows, choosing, told.strength, told.share)
    model = trained(corpus, rows, told.strength, rng)
    threshold = chosen_threshold(corpus, model, choosing, told.share)
    model = model._replace(threshold=float(1 / (1 + np.exp(-threshold))))
    report["threshold"] = round(model.threshold, 4)
    report["chose_threshold"] = shares(corpus, all_odds(corpus, model, choosing) >= threshold, choosing)
    if told.target:
        np.savez_compressed(
            told.target, weights=model.weights, scale=model.scale, bias=model.bias, threshold=model.threshold
        )
    if told.measure:
        others = Corpus(
            [*foreign_attacks(told.packages, rng), *foreign_benign(told.packages, told.data, rng)]
        )
        all_rows = range(len(others.texts))
        report["measured"] = shares(others, all_odds(others, model, all_rows) >= threshold, all_rows)
    json.dump(report, sys.stdout, indent=1)


def folds(
    corpus: Corpus, rows: Sequence[int], choosing: Sequence[int], strength: float, share: float
) -> dict[str, dict[str, float]]:
    """What is found of each source of attacks by a model that has seen nothing of it."""
    told: dict[str, dict[str, float]] = {}
    for source in dict.fromkeys(corpus.source[corpus.attack]):
        held = [row for row in rows if corpus.attack[row] and corpus.source[row] == source]
        rest = sorted(set(rows) - set(held))
        rest = sorted(set(rest) - alike(corpus, [row for row in rest if corpus.attack[row]], held))
        model = trained(corpus, rest, strength, Random(SEED))
        threshold = chosen_threshold(corpus, model, choosing, share)
        told |= shares(corpus, all_odds(corpus, model, held) >= threshold, held)
        print(source, told[str(source)], file=sys.stderr, flush=True)
    return told


if __name__ == "__main__":
    main()
