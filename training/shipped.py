"""What the quarantine finds, as it is shipped: `python -m training.shipped --packages DIR --data DIR`.

Of texts that nothing was trained on, with the guard and without: where a person says them and where a tool gives them;
and of short attacks that stand deep in pages. DATA.md says what is in the two folders.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from recollect.language.injection import Look, attack_meant, by_rules, cleared_of
from recollect.providers.minilm import MiniLM
from training.injection_corpus import MADE_FROM
from training.injection_sources import Text, foreign_attacks, foreign_benign

SEED = 20_261_119
SAID, GIVEN = "said", "given"
PAGES = ("readmes-others", "beam")
SIZES = (600, 1_500, 4_000)
"""Letters of a page, of which the attack stands in the second half."""
ATTACKS = 250
PLAIN = 300
SHORT = 400
LONG = 800


class Judge:
    """The quarantine with its guard or without, and how many texts the guard read."""

    def __init__(self, model: MiniLM) -> None:
        self._model, self._guard = model, model.guard
        self.asked = 0

    def shares(self, texts: Sequence[str], *ways: str) -> dict[str, dict[str, float]]:
        """The shares of some texts that are held back, and that the guard read, by how they come."""
        vectors = self._model.embed(texts)
        return {way: self._shares(texts, vectors, given=way == GIVEN) for way in ways}

    def _shares(self, texts: Sequence[str], vectors: NDArray[np.float32], *, given: bool) -> dict[str, float]:
        alone = [attack_meant(text, one, given=given) for text, one in zip(texts, vectors, strict=True)]
        self.asked = 0
        held = [
            attack_meant(text, one, given=given, guard=self._look, cleared=self._clears(text))
            for text, one in zip(texts, vectors, strict=True)
        ]
        return {
            "without_guard": _share(kind is not None for kind in alone),
            "held": _share(kind is not None for kind in held),
            "asked": round(self.asked / len(texts), 4),
        }

    def _look(self, texts: Sequence[str]):
        self.asked += 1
        return self._guard.vectors(texts) if self._guard else None

    def _clears(self, text: str) -> bool:
        look: Look | None = self._guard.vectors if self._guard else None
        return look is not None and cleared_of(text, look) is not None


def _share(found: Iterable[bool]) -> float:
    told = list(found)
    return round(sum(told) / len(told), 4)


def readable(text: str) -> str:
    """A text that a tokenizer takes."""
    return text.encode("utf-8", "replace").decode()


def by_source(texts: Iterable[Text]) -> dict[str, list[str]]:
    """Each text once, by where it comes from."""
    found: dict[str, dict[str, None]] = {}
    for text in texts:
        if text.source not in MADE_FROM:
            found.setdefault(text.source, {})[readable(text.text)] = None
    return {source: list(own) for source, own in found.items()}


def hidden(attacks: Sequence[str], pages: Sequence[str], size: int, rng: Random) -> list[str]:
    """Each attack on a line of its own in the second half of a page."""
    made = []
    for attack in attacks:
        page, at = " ".join(rng.choices(pages, k=3)), rng.randint(size // 2, size)
        made.append(f"{page[:at]}\n{attack}\n{page[at : size + 200]}")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    asked = parser.parse_args()
    attacks = by_source(foreign_attacks(asked.packages, SEED))
    ordinary = by_source(foreign_benign(asked.packages, asked.data, SEED))
    judge, rng, report = Judge(MiniLM()), Random(SEED), {}
    for side, sources in (("attacks", attacks), ("ordinary", ordinary)):
        for source, texts in sources.items():
            report[f"{side}: {source}"] = {"texts": len(texts), **judge.shares(texts, SAID, GIVEN)}
            print(source, file=sys.stderr, flush=True)
    pages = [text for source in PAGES for text in ordinary[source] if len(text) > LONG and not by_rules(text)]
    short = [text for own in attacks.values() for text in own if len(text) < SHORT]
    chosen = rng.sample(short, min(ATTACKS, len(short)))
    for size in SIZES:
        plain = [" ".join(rng.choices(pages, k=3))[: size + 200] for _ in range(PLAIN)]
        report[f"hidden in {size} letters"] = {
            "texts": len(chosen),
            "attacks": judge.shares(hidden(chosen, pages, size, rng), GIVEN),
            "plain": judge.shares(plain, GIVEN),
        }
    json.dump(report, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
