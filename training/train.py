"""Trains the adapter: `python -m training.train --data DIR --target FILE`, on a GPU where there is one."""

import argparse
import json
import math
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor
from torch.nn import functional

from recollect.providers import files
from recollect.providers.minilm import MiniLM
from training import granite
from training.data import Example, examples
from training.encoder import Encoder, read_weights
from training.pools import STOP
from training.stopping import Stopping, batches, parted

# Where `recollect setup` puts the model as it was published.
PUBLISHED = MiniLM().folder.parent / "weights"
WEIGHTS, TOKENIZER = PUBLISHED / files.WEIGHTS, PUBLISHED / files.TOKENIZER

LONGEST = 4000
"""Characters of a text that can matter: more than the tokens that are looked at."""
SPACE = "Ġ"
"""What a space before a word is to granite's tokenizer."""


def tokenizer_of(path: Path) -> Tokenizer:
    """The tokenizer of a file of its own, or in granite's pack."""
    if granite.is_pack(path):
        return Tokenizer.from_str(granite.read_pack(path).tokenizer)
    return Tokenizer.from_file(str(path))


class Texts:
    """Texts as padded batches of tokens, and which tokens are words that a question asks by."""

    def __init__(self, path: Path, device: str, longest: int) -> None:
        self._tokenizer = tokenizer_of(path)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(longest)
        self._device = device
        vocabulary = self._tokenizer.get_vocab()
        content = np.ones(max(vocabulary.values()) + 1, np.bool_)
        for token, number in vocabulary.items():
            word = token.removeprefix("##").removeprefix(SPACE).lower()
            content[number] = (
                word not in STOP and any(c.isalnum() for c in word) and not token.startswith(("[", "<"))
            )
        self._content = content
        self._weight = torch.from_numpy(content.astype(np.float32)).to(device)

    def weigh(self, texts: list[str]) -> None:
        """Words that are rare in these texts count for more, as they do in a recall."""
        counts = np.zeros(len(self._content))
        for ids in self._ids(texts):
            counts[list(set(ids))] += 1
        rarity = np.log1p((len(texts) - counts + 0.5) / (counts + 0.5)).astype(np.float32)
        self._weight = torch.from_numpy(rarity * self._content).to(self._device)

    def batch(self, texts: list[str]) -> tuple[Tensor, Tensor, Tensor]:
        """Ids, mask, and the weight of each word; 0 for what no question asks by."""
        ids = self._ids(texts)
        width = max(map(len, ids))
        padded = torch.zeros((len(ids), width), dtype=torch.long)
        mask = torch.zeros((len(ids), width))
        for row, own in enumerate(ids):
            padded[row, : len(own)] = torch.tensor(own)
            mask[row, : len(own)] = 1
        padded, mask = padded.to(self._device), mask.to(self._device)
        return padded, mask, self._weight[padded] * mask

    def encoding(self, text: str) -> Encoding:
        """The tokens of one text, with what each stands for."""
        return self._tokenizer.encode(text[:LONGEST])

    def _ids(self, texts: list[str]) -> list[list[int]]:
        return [found.ids for found in self._tokenizer.encode_batch([text[:LONGEST] for text in texts])]


def covered(query: Tensor, asked: Tensor, document: Tensor, said: Tensor) -> Tensor:
    """Over a question's words, the mean of the likest word of each document: [questions, documents]."""
    flat, own = query[asked > 0], asked.nonzero()[:, 0]
    words = functional.normalize(document, dim=-1)
    likeness = torch.einsum("qd,nld->qnl", functional.normalize(flat, dim=-1), words)
    best = likeness.masked_fill(said[None] == 0, -1.0).amax(-1).float()
    weighed = best * asked[asked > 0][:, None]
    total = torch.zeros((len(query), best.shape[1]), device=best.device).index_add_(0, own, weighed)
    return total / asked.sum(1).clamp(min=1e-6)[:, None]


def step_loss(
    model: Encoder, texts: Texts, batch: list[Example], *, keep: float, words: float, heat: float
) -> Tensor:
    """InfoNCE on the pooled vectors and on the words, and a pull of each document's vector to where it was."""
    documents = [e.positive for e in batch] + [n for e in batch for n in e.negatives]
    q_ids, q_mask, q_words = texts.batch([e.question for e in batch])
    d_ids, d_mask, d_words = texts.batch(documents)
    q_states, q_pooled = model(q_ids, q_mask)
    d_states, d_pooled = model(d_ids, d_mask)
    with torch.no_grad():
        before_states, before = model(d_ids, d_mask, adapted=False)
        mean = before_states[d_words > 0].mean(0)
    truth = torch.arange(len(batch), device=q_ids.device)
    loss = functional.cross_entropy(q_pooled @ d_pooled.T / heat, truth)
    loss = loss + words * functional.cross_entropy(
        covered(q_states - mean, q_words, d_states - mean, d_words) / heat, truth
    )
    drift = 1 - (d_pooled * before).sum(-1).mean()
    moved = (
        1 - functional.cosine_similarity(d_states - mean, before_states - mean, dim=-1)[d_words > 0].mean()
    )
    return loss + keep * (drift + 0.5 * moved)


def trained(
    model: Encoder,
    texts: Texts,
    chosen: list[Example],
    *,
    steps: int,
    size: int,
    rate: float,
    seed: int,
    held: Sequence[Example] = (),
    every: int = 25,
    patience: int = 3,
    **weights: float,
) -> Stopping:
    """AdamW with a warm-up and a linear decay, until what is held back is no longer understood better."""
    order = random.Random(seed)
    stopping = Stopping(
        model,
        lambda batch: step_loss(model, texts, batch, **weights),
        batches(held, size // 2, seed),
        patience,
    )
    by_source: dict[str, list[Example]] = {}
    for example in chosen:
        by_source.setdefault(example.source, []).append(example)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=0.01)
    warm = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min((s + 1) / warm, max(0.0, (steps - s) / (steps - warm)))
    )
    # Small sources are met more often than their size says, or they would teach nothing.
    sources = sorted(by_source)
    shares = [math.sqrt(len(by_source[source])) for source in sources]
    for step in range(steps):
        # One source a batch: an answer of another kind is too easy to tell from the right one.
        (source,) = order.choices(sources, shares)
        count = size if source in {"msc", "made"} else size // 2
        batch = order.sample(by_source[source], min(count, len(by_source[source])))
        # Half precision is slower on a processor.
        with torch.autocast("cuda", torch.bfloat16, enabled=parameters[0].is_cuda):
            loss = step_loss(model, texts, batch, **weights)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step}: {loss.item():.3f} ({source})", flush=True)
        if ((step + 1) % every == 0 or step + 1 == steps) and stopping.over(step + 1):
            break
    stopping.restore()
    return stopping


def repeatable(seed: int) -> None:
    """The same seed gives the same adapter, on the same kind of machine."""
    # Without room of its own cuBLAS adds up in whatever order comes first; it is read when CUDA starts.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(mode=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--tokenizer", type=Path, default=TOKENIZER)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--rank", type=int, default=24)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--keep", type=float, default=4.0)
    parser.add_argument("--words", type=float, default=1.0)
    parser.add_argument("--heat", type=float, default=0.05)
    parser.add_argument("--longest", type=int, default=192)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=25, help="look at what is held back after so many steps")
    parser.add_argument(
        "--patience", type=int, default=3, help="stop after so many looks that found nothing better"
    )
    parser.add_argument(
        "--without", default="", help="sources to leave out, with commas between, for an ablation"
    )
    parser.add_argument("--most", type=int, default=None, help="so many examples, for a quick trial")
    asked = parser.parse_args()
    repeatable(asked.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Encoder(read_weights(asked.weights), asked.rank, first=granite.is_pack(asked.weights)).to(device)
    texts = Texts(asked.tokenizer, device, asked.longest)
    left_out = set(asked.without.split(","))
    found = [one for one in examples(asked.data, asked.seed) if one.source not in left_out]
    texts.weigh(sorted({example.positive for example in found}))
    random.Random(asked.seed).shuffle(found)
    began = time.time()
    shown, held = parted(found[: asked.most])
    stopped = trained(
        model, texts, shown, steps=asked.steps, size=asked.batch, rate=asked.rate, seed=asked.seed,
        held=held, every=asked.every, patience=asked.patience,
        keep=asked.keep, words=asked.words, heat=asked.heat,
    )  # fmt: skip
    np.savez_compressed(asked.target, **model.adapter())
    told = {
        "examples": len(found),
        "held_back": len(held),
        "best_step": stopped.best_step,
        "best_loss": round(stopped.best, 4) if held else None,
        "seconds": round(time.time() - began),
        "target": str(asked.target),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
