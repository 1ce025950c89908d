"""What adapters are worth on conversations that none was trained on, side by side: `python -m training.check --data DIR FILE …`.

Recall@10 of LoCoMo's turns by dense vectors alone, the mean of a conversation's turns taken off: without an adapter,
with the one that is shipped, and with each file. Of two files that `make train` made, the figures should lie within
half a point of one another.
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recollect.evals.model import Corpus
from recollect.evals.sets.locomo import read_locomo
from recollect.providers.adapters import NEWEST
from training.encoder import Encoder, read_weights
from training.train import TOKENIZER, WEIGHTS, Texts

SHIPPED = Path(str(files("recollect.providers") / f"adapter-{NEWEST}.npz"))
AT_ONCE = 256
NEAREST = 10


def adapted(weights: dict[str, Tensor], path: Path | None) -> Encoder:
    """The encoder with the change that a file has; without a file, as it was published."""
    if path is None:
        return Encoder(weights, 1)
    with np.load(path) as data:
        change = {name: torch.from_numpy(data[name].astype(np.float32)) for name in data.files}
    model = Encoder(weights, next(value.shape[0] for name, value in change.items() if name.endswith(".a")))
    with torch.no_grad():
        for key, linear in model.linears.items():
            name = key.replace("/", ".")
            linear.a.copy_(change[f"{name}.a"])
            linear.b.copy_(change[f"{name}.b"])
    return model


def recall(model: Encoder, texts: Texts, corpora: tuple[Corpus, ...]) -> float:
    """The mean share of a question's turns among the nearest, over all questions that have some."""
    found = []
    for corpus in corpora:
        turns = [(item.key, f"{item.speaker}: {item.text}") for s in corpus.sessions for item in s.items]
        asked = [question for question in corpus.questions if question.gold]
        vectors = embedded(model, texts, [text for _, text in turns])
        mean = vectors.mean(0)
        questions = embedded(model, texts, [question.text for question in asked]) - mean
        likeness = functional.normalize(questions, dim=-1) @ functional.normalize(vectors - mean, dim=-1).T
        for question, row in zip(
            asked, likeness.topk(min(NEAREST, len(turns))).indices.tolist(), strict=True
        ):
            near = {turns[place][0] for place in row}
            found.append(len(near & set(question.gold)) / len(set(question.gold)))
    return sum(found) / len(found)


@torch.no_grad()
def embedded(model: Encoder, texts: Texts, lines: list[str]) -> Tensor:
    """The unit vectors of the texts; those of one length together, so that little is padded."""
    order = sorted(range(len(lines)), key=lambda place: len(lines[place]))
    rows: list[Tensor] = [torch.empty(0)] * len(lines)
    for start in range(0, len(order), AT_ONCE):
        places = order[start : start + AT_ONCE]
        ids, mask, _ = texts.batch([lines[place] for place in places])
        for place, vector in zip(places, model(ids, mask)[1], strict=True):
            rows[place] = vector
    return torch.stack(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapters", type=Path, nargs="*")
    parser.add_argument("--data", type=Path, required=True, help="a folder with locomo.json")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--tokenizer", type=Path, default=TOKENIZER)
    asked = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    texts, weights = Texts(asked.tokenizer, device, 256), read_weights(asked.weights)
    (found,) = read_locomo(asked.data / "locomo.json")
    told = {
        "none" if path is None else path.name: round(
            recall(adapted(weights, path).to(device), texts, found.corpora), 4
        )
        for path in (None, SHIPPED, *asked.adapters)
    }
    print(json.dumps({"locomo_recall@10": told}))


if __name__ == "__main__":
    main()
