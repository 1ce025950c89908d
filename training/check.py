"""What adapters are worth on what none was trained on, side by side: `python -m training.check --data DIR FILE …`.

Recall@10 by dense vectors alone (the mean of what is searched taken off) and by the vectors of words alone: without
an adapter, with the one that is shipped, and with each file. LoCoMo and BEAM are asked whole, of RealMem every other
user and of the multi-hop sets every other question: the others are trained on. Of two files that `make train` made,
the figures should lie within half a point of one another.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import takewhile
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recollect.evals.model import Corpus, EvalSet, Item
from recollect.evals.sets import beam, locomo, multihop, realmem
from recollect.providers.adapters import NEWEST
from training import granite
from training.encoder import Encoder, read_weights
from training.train import TOKENIZER, WEIGHTS, Texts, covered

SHIPPED = Path(str(files("recollect.providers") / f"adapter-{NEWEST}.npz"))
AT_ONCE = 64
NEAREST = 10
LONGEST = 256


@dataclass(frozen=True, slots=True)
class Embedded:
    """Texts as the encoder sees them: unit vectors, and their words' states on the processor, batch by batch."""

    pooled: Tensor
    batches: Sequence[tuple[list[int], Tensor, Tensor]]
    """The places of the texts, the states of their words, and the weights of these."""


def adapted(weights: dict[str, Tensor], path: Path | None, *, first: bool = False) -> Encoder:
    """The encoder with the change that a file has; without a file, as it was published."""
    if path is None:
        return Encoder(weights, 1, first=first)
    with np.load(path) as data:
        change = {name: torch.from_numpy(data[name].astype(np.float32)) for name in data.files}
    rank = next(value.shape[0] for name, value in change.items() if name.endswith(".a"))
    model = Encoder(weights, rank, first=first)
    with torch.no_grad():
        for key, linear in model.linears.items():
            name = key.replace("/", ".")
            linear.a.copy_(change[f"{name}.a"])
            linear.b.copy_(change[f"{name}.b"])
    return model


def known(weights: Path) -> tuple[Path | None, ...]:
    """What every file is compared with: the model without an adapter, and with the one that is shipped for it."""
    return (None,) if granite.is_pack(weights) else (None, SHIPPED)


def held_out(data: Path) -> list[EvalSet]:
    """What no adapter was trained on, of the sets that are there."""
    readers: tuple[tuple[str, Callable[[Path], tuple[EvalSet, ...]]], ...] = (
        ("locomo.json", locomo.read_locomo),
        ("beam-100k", beam.read),
        ("realmem", realmem.read),
        ("multihop", multihop.read),
    )
    found = []
    for place, read in readers:
        for one in read(data / place) if (data / place).exists() else ():
            if place == "realmem":
                found.append(replace(one, corpora=one.corpora[1::2]))
            elif place == "multihop":
                (whole,) = one.corpora
                found.append(replace(one, corpora=(replace(whole, questions=whole.questions[1::2]),)))
            else:
                found.append(one)
    return found


def recall(model: Encoder, texts: Texts, corpora: Sequence[Corpus]) -> dict[str, float]:
    """The mean share of a question's evidence among the nearest, by vectors and by words."""
    dense: list[float] = []
    words: list[float] = []
    for corpus in corpora:
        items = [item for session in corpus.sessions for item in session.items] + list(corpus.passages)
        asked = [question for question in corpus.questions if question.gold]
        texts.weigh([said(item) for item in items])
        known = embedded(model, texts, [said(item) for item in items])
        wanted = embedded(model, texts, [question.text for question in asked])
        mean = known.pooled.mean(0)
        by_vector = (
            functional.normalize(wanted.pooled - mean, dim=-1)
            @ functional.normalize(known.pooled - mean, dim=-1).T
        )
        by_words = matched(wanted, known)
        for place, question in enumerate(asked):
            end = known_before(corpus, question.before, len(items))
            keys = [item.key for item in items[:end]]
            for scores, found in ((by_vector, dense), (by_words, words)):
                near = nearest(keys, scores[place, :end].tolist())
                found.append(len(near & set(question.gold)) / len(set(question.gold)))
    return {"dense": round(sum(dense) / len(dense), 4), "words": round(sum(words) / len(words), 4)}


def said(item: Item) -> str:
    return f"{item.speaker}: {item.text}" if item.speaker else item.text


def known_before(corpus: Corpus, session: str | None, count: int) -> int:
    """How many items were there when a question was asked."""
    if session is None:
        return count
    return sum(len(one.items) for one in takewhile(lambda one: one.id != session, corpus.sessions))


def nearest(keys: Sequence[str], scores: Sequence[float]) -> set[str]:
    """The keys of the highest scores: of items that share one, the best counts."""
    found: dict[str, None] = {}
    for place in sorted(range(len(keys)), key=lambda place: -scores[place]):
        found[keys[place]] = None
        if len(found) == NEAREST:
            break
    return set(found)


def matched(wanted: Embedded, known: Embedded) -> Tensor:
    """How well each text covers each question's words."""
    mean = torch.cat([states[weights > 0] for _, states, weights in known.batches]).mean(0)
    scores = torch.zeros((len(wanted.pooled), len(known.pooled)))
    for rows, asked, sought in wanted.batches:
        for columns, states, weights in known.batches:
            part = covered(asked - mean, sought, states - mean, weights).cpu()
            scores[torch.tensor(rows)[:, None], torch.tensor(columns)] = part
    return scores


@torch.no_grad()
def embedded(model: Encoder, texts: Texts, lines: list[str]) -> Embedded:
    """The texts; those of one length together, so that little is padded."""
    order = sorted(range(len(lines)), key=lambda place: len(lines[place]))
    rows: list[Tensor] = [torch.empty(0)] * len(lines)
    batches = []
    for start in range(0, len(order), AT_ONCE):
        places = order[start : start + AT_ONCE]
        ids, mask, weights = texts.batch([lines[place] for place in places])
        states, pooled = model(ids, mask)
        batches.append((places, states, weights))
        for place, vector in zip(places, pooled.cpu(), strict=True):
            rows[place] = vector
    return Embedded(torch.stack(rows), batches)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapters", type=Path, nargs="*")
    parser.add_argument("--data", type=Path, required=True, help="a folder with the evaluation's sets")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--tokenizer", type=Path, default=TOKENIZER)
    asked = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    texts, weights = Texts(asked.tokenizer, device, LONGEST), read_weights(asked.weights)
    sets = held_out(asked.data)
    for path in (*known(asked.weights), *asked.adapters):
        model = adapted(weights, path, first=granite.is_pack(asked.weights)).to(device)
        told = {one.name: recall(model, texts, one.corpora) for one in sets}
        print(json.dumps({"adapter": path.name if path else "none", "recall@10": told}), flush=True)


if __name__ == "__main__":
    main()
