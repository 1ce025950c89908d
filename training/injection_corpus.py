"""The texts that the models of attacks are made of, read once: which are much alike, and what is found of each source."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from recollect.language.injection import bare, by_rules, is_guarded
from recollect.language.suspicion import grams
from training.injection_head import vectors_of
from training.injection_sources import Text
from training.injection_written import FIELDS, name_of

MADE_FROM = {
    "cyberseceval-all": "cyberseceval",
    "cyberseceval-tr": "cyberseceval",
    "cyberseceval-tongues": "cyberseceval",
    "agentarmor-tests": "agentarmor",
    **{name_of(field): name_of(FIELDS[0]) for field in FIELDS[1:]},
}
"""Sources of which another is a part or a translation, or that were written by the same instructions."""
_SHINGLE = 5
_ALIKE = 0.3


class Corpus:
    """Texts with what they are made of and with their vectors, read once."""

    def __init__(self, texts: Iterable[Text], vectors: Path | None) -> None:
        kept: dict[str, Text] = {}
        for text in texts:
            kept.setdefault(re.sub(r"\W+", "", text.text.casefold())[:200], text)
        self.texts = list(kept.values())
        self.grams = [grams(bare(text.text)) for text in self.texts]
        self.attack = np.array([text.attack for text in self.texts], np.bool_)
        self.source = np.array([text.source for text in self.texts])
        self.weighed_as = np.array([_together(text) for text in self.texts])
        self.guarded = np.array([is_guarded(text.text) for text in self.texts], np.bool_)
        self.vectors = vectors_of([text.text for text in self.texts], vectors)
        self.guards: list[np.ndarray] = []
        """The log odds of each text by the guard of each part, where they were trained."""


def _together(text: Text) -> str:
    """The source that a text counts with: what guards call ordinary is little each, and much alike."""
    return "guards-benign" if text.source.endswith("-benign") and not text.attack else text.source


def alike(corpus: Corpus, rows: Sequence[int], others: Corpus, held: Sequence[int]) -> set[int]:
    """Those of some texts that repeat much of what is held out, so that nothing of it is known before."""
    known = set().union(*(_shingles(others.texts[row].text) for row in held))
    found = set()
    for row in rows:
        own = _shingles(corpus.texts[row].text)
        if own and len(own & known) / len(own) > _ALIKE:
            found.add(row)
    return found


def _shingles(text: str) -> set[int]:
    words = re.findall(r"\w+", text.casefold())
    return {hash(tuple(words[at : at + _SHINGLE])) for at in range(max(len(words) - _SHINGLE + 1, 1))}


def chosen_threshold(corpus: Corpus, found: np.ndarray, rows: Sequence[int], share: float) -> float:
    """The least odds at which the mean share over the sources of ordinary texts is small enough."""
    sources = corpus.weighed_as[list(rows)]
    weights = np.array([1 / (sources == source).sum() for source in sources])
    order = np.argsort(-found)
    allowed = np.cumsum(weights[order]) / len(set(sources)) <= share
    return float(found[order][allowed.sum()]) + 1e-6


def shares(corpus: Corpus, rows: Sequence[int], held: dict[str, np.ndarray]) -> dict[str, dict[str, float]]:
    """By source: how many texts, and the share that the rules take for an attack, alone and with each of the others."""
    told: dict[str, dict[str, float]] = {}
    ruled = np.array([by_rules(corpus.texts[row].text) is not None for row in rows])
    sources = corpus.source[list(rows)]
    for source in dict.fromkeys(sources):
        here = sources == source
        told[str(source)] = {"texts": int(here.sum()), "rules": round(float(ruled[here].mean()), 4)}
        for name, found in held.items():
            told[str(source)][name] = round(float(found[here].mean()), 4)
            told[str(source)][f"rules or {name}"] = round(float((ruled | found)[here].mean()), 4)
    return told
