"""Trains the models of attacks: `python -m training.injection --packages DIR --data DIR --target FOLDER`.

The suspicion over letters and words, the stance over vectors, and the verdict that makes one decision of both. DATA.md
says what is in the two folders; `--vectors` is a file that keeps the vectors for the next time. It reports how much is
found of each source by models that have not seen it, and of the sources that are kept for measuring. It needs
scikit-learn and PyYAML.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from recollect.language import stance, suspicion
from recollect.language.doubt import Opinion
from recollect.language.injection import by_rules
from recollect.language.stance import Head, Verdict, stances
from recollect.language.suspicion import (
    BUCKETS_LOG2,
    LEAST_GRAMS,
    Grams,
    Model,
    odds,
    window_scores,
    windows,
)
from recollect.providers.adapters import NEWEST
from recollect.providers.minilm import named
from training.injection_corpus import MADE_FROM, Corpus, alike, chosen_threshold, shares
from training.injection_doubts import Learnt, export, odds_of
from training.injection_doubts import written as written_guard
from training.injection_head import fitted
from training.injection_sources import attacks, benign, foreign_attacks, foreign_benign

SEED = 20_261_116
BENIGN_SHARE = 0.0008
"""So many of the ordinary texts may be suspicious by their letters alone, as a mean over their sources."""
VERDICT_SHARE = 0.04
"""So many of them may be taken for attacks by both together where a tool gives them; look-alikes are among them."""
SAID_SHARE = 0.003
"""So many where a person says them."""
DOUBT_SHARE = 0.3
"""So many are in doubt: the guard is asked about them."""
SAID_DOUBT_SHARE = 0.15
"""So many where a person says them."""
LOOKED_SHARE = 0.039
"""So many may be taken for attacks by the guard where a tool gives them: of what people wrote 2 %."""
LOOKED_SAID_SHARE = 0.01
"""So many where a person says them."""
CLEARED_SHARE = 0.01
"""So many of the attacks that rules know may be cleared by a guard that has not seen their source."""
ROUNDS = 2
MOST_WINDOWS = 4
THIRDS = 3
"""So many times it is trained without some of the sources, to see what is found of those."""
KEPT_BACK = 4
"""Every fourth ordinary text chooses the threshold, and is not trained on."""


class Models(NamedTuple):
    """What judges a text by its letters, and what does by its vector."""

    letters: Model
    head: Head


def learnt(corpus: Corpus, rows: Sequence[int], strength: float) -> Models:
    """Both models for some texts."""
    weights = counted(corpus, rows)
    chosen = list(rows)
    head = fitted(corpus.vectors[chosen], corpus.attack[chosen], weights, named(NEWEST), SEED)
    return Models(trained(corpus, rows, strength, Random(SEED)), head)


def counted(corpus: Corpus, rows: Sequence[int]) -> np.ndarray:
    """How much each of some texts counts."""
    return _balance([(corpus.weighed_as[row], bool(corpus.attack[row])) for row in rows])


def all_odds(corpus: Corpus, models: Models, rows: Sequence[int]) -> np.ndarray:
    """The log odds of each text, by its letters and by its vector."""
    letters = [odds(corpus.grams[row], models.letters) for row in rows]
    return np.column_stack([letters, stances(corpus.vectors[list(rows)], models.head)])


class LeftOut(NamedTuple):
    """Some sources of attacks, and the models of everything else; nothing much like them is left in it."""

    rows: list[int]
    rest: list[int]
    models: Models


def left_out(corpus: Corpus, rows: Sequence[int], strength: float) -> list[LeftOut]:
    """Each third of the sources with models that have not seen it; what was made from another source goes with it."""
    sources = [each for each in dict.fromkeys(corpus.source[corpus.attack]) if each not in MADE_FROM]
    found = []
    for third in range(THIRDS):
        own = set(sources[third::THIRDS])
        held = [
            row
            for row in rows
            if corpus.attack[row] and MADE_FROM.get(corpus.source[row], corpus.source[row]) in own
        ]
        rest = sorted(set(rows) - set(held))
        known = alike(corpus, [row for row in rest if corpus.attack[row]], corpus, held)
        others = sorted(set(rest) - known)
        found.append(LeftOut(held, others, learnt(corpus, others, strength)))
        print("left out", *sorted(own), file=sys.stderr, flush=True)
    return found


def weighed(
    corpus: Corpus,
    parts: Sequence[LeftOut],
    choosing: Sequence[int],
    odds_of: Callable[[int, Sequence[int]], np.ndarray],
) -> tuple[float, float, float]:
    """How much the odds of each of two models say of attacks of sources that it has not seen, and what is added."""
    found, labels, balance = [], [], []
    for number, part in enumerate(parts):
        judged = [*part.rows, *choosing]
        found.append(odds_of(number, judged))
        labels.append(corpus.attack[judged])
        balance += [(corpus.weighed_as[row], bool(corpus.attack[row])) for row in judged]
    fit = LogisticRegression(C=100.0).fit(
        np.concatenate(found), np.concatenate(labels), sample_weight=_balance(balance)
    )
    by_letters, by_vector = fit.coef_[0].tolist()
    return by_letters, by_vector, float(fit.intercept_[0])


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
                sources.append((corpus.weighed_as[row], bool(corpus.attack[row])))
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
    roots = np.repeat(1 / np.sqrt(np.maximum(np.diff(ends), LEAST_GRAMS)), np.diff(ends)).astype(np.float32)
    matrix = csr_matrix(
        (roots, np.concatenate(parts).astype(np.int32), ends), shape=(len(parts), 1 << BUCKETS_LOG2)
    )
    fit = LogisticRegression(C=strength, max_iter=80, tol=1e-3).fit(matrix, labels, sample_weight=weights)
    scale = float(np.abs(fit.coef_).max()) / 127
    return Model(np.round(fit.coef_[0] / scale).astype(np.int8), scale, float(fit.intercept_[0]), 0.5)


class Trained(NamedTuple):
    """The models, with the thresholds that ordinary texts have chosen."""

    models: Models
    verdict: Verdict
    part: int
    opinion: Opinion | None = None
    """What is made of a guard, where one was trained."""

    def held(self, corpus: Corpus, rows: Sequence[int]) -> dict[str, np.ndarray]:
        """What is taken for an attack: by its letters, where a person says it, and where a tool gives it."""
        found = all_odds(corpus, self.models, rows)
        both = _summed(self.verdict, found)
        suspected = found[:, 0] >= _odds(self.models.letters.threshold)
        told = {
            "suspicion": suspected,
            "said": (suspected & (found[:, 1] >= stance.AGREES)) | (both >= _odds(self.verdict.said)),
            "given": suspected | (both >= _odds(self.verdict.threshold)),
        }
        if self.opinion is None:
            return told
        guarded = corpus.guarded[list(rows)]
        doubted = (both >= self.opinion.doubt) & guarded
        said_doubted = (both >= self.opinion.said_doubt) & guarded
        looked = _looked(self.opinion, found[:, 0], corpus.guards[self.part][list(rows)])
        return {
            **{f"{name}, no guard": held for name, held in told.items()},
            "asked": doubted & ~suspected,
            "asked, said": said_doubted & ~suspected,
            "said": np.where(said_doubted, looked >= _odds(self.opinion.said), told["said"]),
            "given": suspected | np.where(doubted, looked >= _odds(self.opinion.threshold), told["given"]),
        }


def decided(
    corpus: Corpus,
    models: Models,
    verdict: Verdict,
    choosing: Sequence[int],
    part: int,
    opinion: Opinion | None = None,
) -> Trained:
    """What ordinary texts allow: a threshold for the letters alone, and one of both for each way that a text comes."""
    found = all_odds(corpus, models, choosing)
    both = _summed(verdict, found)

    def likely(odds_found: np.ndarray, share: float) -> float:
        return _likely(chosen_threshold(corpus, odds_found, choosing, share))

    verdict = verdict._replace(threshold=likely(both, VERDICT_SHARE), said=likely(both, SAID_SHARE))
    if opinion is not None:
        both = np.where(corpus.guarded[list(choosing)], both, -np.inf)
        looked = _looked(opinion, found[:, 0], corpus.guards[part][list(choosing)])
        doubt, said_doubt = (
            chosen_threshold(corpus, both, choosing, share) for share in (DOUBT_SHARE, SAID_DOUBT_SHARE)
        )
        opinion = opinion._replace(
            doubt=doubt,
            said_doubt=said_doubt,
            threshold=likely(np.where(both >= doubt, looked, -np.inf), LOOKED_SHARE),
            said=likely(np.where(both >= said_doubt, looked, -np.inf), LOOKED_SAID_SHARE),
        )
    letters = models.letters._replace(threshold=likely(found[:, 0], BENIGN_SHARE))
    return Trained(Models(letters, models.head), verdict, part, opinion)


def _looked(opinion: Opinion, letters: np.ndarray, guard: np.ndarray) -> np.ndarray:
    looked: np.ndarray = opinion.suspicion * letters + opinion.guard * guard + opinion.bias
    return looked


def _summed(verdict: Verdict, found: np.ndarray) -> np.ndarray:
    summed: np.ndarray = found @ np.array([verdict.suspicion, verdict.stance]) + verdict.bias
    return summed


def _likely(found: float) -> float:
    return float(1 / (1 + np.exp(-found)))


def _odds(likely: float) -> float:
    return float(np.log(likely / (1 - likely)))


def written(found: Trained, folder: Path) -> None:
    """Both models' files, as the package ships them."""
    letters, head = found.models
    np.savez_compressed(
        folder / suspicion.WEIGHTS,
        weights=letters.weights,
        scale=letters.scale,
        bias=letters.bias,
        threshold=letters.threshold,
    )
    np.savez_compressed(
        folder / stance.WEIGHTS,
        embedder=head.embedder,
        hidden=head.hidden.astype(np.float16),
        hidden_bias=head.hidden_bias,
        out=head.out,
        out_bias=head.out_bias,
        verdict=np.array(found.verdict),
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--packages", type=Path, required=True)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--target", type=Path)
    asked.add_argument("--vectors", type=Path)
    asked.add_argument("--export", type=Path, help="a file for `training.guard`")
    asked.add_argument("--guards", type=Path, help="the folder with what `training.guard` made of it")
    asked.add_argument("--strength", type=float, default=30.0)
    told = asked.parse_args()
    corpus = Corpus([*attacks(told.packages, SEED), *benign(told.packages, told.data, SEED)], told.vectors)
    others = Corpus(
        [*foreign_attacks(told.packages, SEED), *foreign_benign(told.packages, told.data, SEED)], told.vectors
    )
    everything = range(len(corpus.texts))
    ordinary = [row for row in everything if not corpus.attack[row]]
    choosing = ordinary[::KEPT_BACK]
    rows = sorted(set(everything) - set(choosing) - known_of(corpus, others))
    parts = left_out(corpus, rows, told.strength)
    if told.export:
        texts = [text.text for text in (*corpus.texts, *others.texts)]
        learning = [*(part.rest for part in parts), rows]
        learnt_from = [Learnt(chosen, counted(corpus, chosen)) for chosen in learning]
        export(told.export, texts, np.concatenate([corpus.attack, others.attack]), learnt_from)
    if told.guards:
        for found in odds_of(told.guards, len(parts) + 1):
            corpus.guards.append(found[: len(corpus.texts)])
            others.guards.append(found[len(corpus.texts) :])
    verdict = Verdict(
        *weighed(corpus, parts, choosing, lambda part, own: all_odds(corpus, parts[part].models, own))
    )
    opinion = opinion_of(corpus, parts, choosing) if told.guards else None
    if opinion is not None:
        opinion = opinion._replace(harmless=harmless_below(corpus, parts, opinion))
    whole = learnt(corpus, rows, told.strength)
    final = decided(corpus, whole, verdict, choosing, len(parts), opinion)
    if told.target:
        written(final, told.target / "language")
    if told.target and final.opinion is not None:
        guard = told.guards / f"guard-{len(parts)}.npz"
        written_guard(final.opinion, guard, told.target / "language", told.target / "providers")
    report = {
        "verdict": [round(number, 4) for number in final.verdict],
        "opinion": None if final.opinion is None else [round(number, 4) for number in final.opinion],
        "threshold": round(final.models.letters.threshold, 4),
        "chose_threshold": shares(corpus, choosing, final.held(corpus, choosing)),
        "left_out": folds(corpus, others, parts, final, choosing),
        "measured": measured(others, final),
    }
    json.dump(report, sys.stdout, indent=1)


def opinion_of(corpus: Corpus, parts: Sequence[LeftOut], choosing: Sequence[int]) -> Opinion:
    """How much letters and guards say of attacks of sources that they have not seen; nothing is in doubt yet."""

    def told(part: int, rows: Sequence[int]) -> np.ndarray:
        letters = [odds(corpus.grams[row], parts[part].models.letters) for row in rows]
        return np.column_stack([letters, corpus.guards[part][list(rows)]])

    return Opinion(0.0, 0.0, *weighed(corpus, parts, choosing, told))


def harmless_below(corpus: Corpus, parts: Sequence[LeftOut], opinion: Opinion) -> float:
    """The log odds below which few of the attacks are that rules know, of sources that a guard has not seen."""
    found = []
    for number, part in enumerate(parts):
        known = [row for row in part.rows if by_rules(corpus.texts[row].text) is not None]
        letters = np.array([odds(corpus.grams[row], part.models.letters) for row in known])
        found.append(_looked(opinion, letters, corpus.guards[number][known]))
    return float(np.quantile(np.concatenate(found), CLEARED_SHARE))


def known_of(corpus: Corpus, others: Corpus) -> set[int]:
    """Attacks that repeat much of those that are only measured with."""
    held = [
        row for row in range(len(others.texts)) if others.attack[row] and others.source[row] not in MADE_FROM
    ]
    return alike(corpus, [row for row in range(len(corpus.texts)) if corpus.attack[row]], others, held)


def measured(others: Corpus, found: Trained) -> dict[str, dict[str, float]]:
    """What is found of the texts of which nothing was trained on."""
    rows = [row for row in range(len(others.texts)) if others.source[row] not in MADE_FROM]
    return shares(others, rows, found.held(others, rows))


def folds(
    corpus: Corpus, others: Corpus, parts: Sequence[LeftOut], final: Trained, choosing: Sequence[int]
) -> dict[str, dict[str, float]]:
    """What is found of each source of attacks by models that have seen nothing of it, the whole of it where parts were trained on."""
    told: dict[str, dict[str, float]] = {}
    for number, part in enumerate(parts):
        found = decided(corpus, part.models, final.verdict, choosing, number, final.opinion)
        told |= shares(corpus, part.rows, found.held(corpus, part.rows))
        sources = set(corpus.source[part.rows])
        rows = [row for row in range(len(others.texts)) if MADE_FROM.get(others.source[row]) in sources]
        told |= shares(others, rows, found.held(others, rows)) if rows else {}
    return told


if __name__ == "__main__":
    main()
