"""Trains the guard: `python -m training.guard --texts FILE --part N --target FILE`, on a GPU where there is one.

The encoder learns, by a low-rank change of every linear layer, to tell attacks by its vector, and with it the head that
says how likely one is. `--texts` is what `python -m training.injection --export FILE` wrote; a part leaves some sources
of attacks out, the last one none. What it writes also says how likely it takes each text for an attack.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from recollect.language.stance import HIDDEN, SCALE
from training.encoder import Encoder, read_weights
from training.injection_doubts import HEAD, ODDS
from training.train import WEIGHTS, repeatable

RANK = 24
EPOCHS = 8
BATCH = 128
RATE = 1e-3
HEAD_RATE = 1e-3
DROPPED = 0.2
AMID = 0.3
"""So many texts are met amid others, where an attack stands in a page or a mail."""
BEFORE, AFTER = 90, 70
"""So many tokens of another text there may be before it, and behind it."""
HEAVIEST = 20.0
"""A text of a tiny source counts as much as so many others, and no more."""
WARM = 0.1
START, END = 101, 102
_AT_ONCE = 1024
_SORTED = 32
"""So many batches at a time are made of texts of like length."""

Tokens = list[NDArray[np.int64]]


class Part(NamedTuple):
    """Texts as tokens, and which of them one training learns from, with what each counts."""

    tokens: Tokens
    attack: NDArray[np.bool_]
    rows: NDArray[np.int64]
    weights: NDArray[np.float32]


def part_of(path: Path, number: int) -> Part:
    """One part of what was exported."""
    with np.load(path) as data:
        flat, ends, attack = data["flat"].astype(np.int64), data["ends"], data["attack"]
        rows, weights = data[f"rows{number}"], data[f"weights{number}"]
    counted = np.zeros(len(ends), np.float32)
    counted[rows] = np.minimum(weights, HEAVIEST)
    return Part(np.split(flat, ends[:-1]), attack, rows, counted)


class Guard(nn.Module):
    """The encoder's vector under a hidden layer of rectified units, as `stance` has it."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.hidden = nn.Linear(encoder.words.shape[1], HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)
        self.dropped = nn.Dropout(DROPPED)
        nn.init.zeros_(self.out.weight)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The log odds of each text."""
        vectors = self.encoder(ids, mask)[1].float() * SCALE
        hidden = functional.relu(self.hidden(self.dropped(vectors)))
        odds: Tensor = self.out(self.dropped(hidden)).squeeze(-1)
        return odds

    def learnt(self) -> dict[str, NDArray[np.floating]]:
        """The change of the encoder, and the head."""
        found = dict(self.encoder.adapter())
        for name, layer in (("hidden", self.hidden), ("out", self.out)):
            found[f"{HEAD}{name}"] = layer.weight.detach().cpu().numpy().T
            found[f"{HEAD}{name}_bias"] = layer.bias.detach().cpu().numpy()
        return found


class Padded:
    """Texts of up to so many tokens on a device, from which batches are taken."""

    def __init__(self, tokens: Tokens, device: str) -> None:
        self.lengths = np.array([len(one) for one in tokens])
        table = np.zeros((len(tokens), self.lengths.max()), np.int32)
        for row, one in enumerate(tokens):
            table[row, : len(one)] = one
        self._table = torch.from_numpy(table).to(device)
        self._ends = torch.from_numpy(self.lengths).to(device)

    def batch(self, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Ids and mask."""
        chosen = torch.from_numpy(rows).to(self._table.device)
        width = int(self.lengths[rows].max())
        places = torch.arange(width, device=chosen.device)
        return self._table[chosen, :width].long(), (places < self._ends[chosen, None]).float()


def amid(tokens: Tokens, part: Part, rng: np.random.Generator) -> Tokens:
    """Some of the texts inside what two ordinary ones say; an ordinary text too, or that alone would tell attacks."""
    ordinary = part.rows[~part.attack[part.rows]]
    longest = max(map(len, tokens))
    found = list(tokens)
    for row in part.rows[rng.random(len(part.rows)) < AMID]:
        before, after = (tokens[other][1:-1] for other in rng.choice(ordinary, 2))
        whole = np.concatenate(
            [[START], before[: rng.integers(BEFORE)], tokens[row][1:-1], after[: rng.integers(AFTER)], [END]]
        )
        if len(whole) <= longest:
            found[row] = whole
    return found


def shuffled(lengths: NDArray[np.int64], part: Part, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Every text once, in batches of like length."""
    order = rng.permutation(part.rows)
    found = []
    for start in range(0, len(order), BATCH * _SORTED):
        near = order[start : start + BATCH * _SORTED]
        near = near[np.argsort(lengths[near], kind="stable")]
        found += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    for at in rng.permutation(len(found)):
        yield found[at]


def trained(guard: Guard, part: Part, epochs: int, rate: float, seed: int, device: str) -> float:
    """AdamW with a warm-up and a linear decay; gives the mean loss of the last epoch."""
    rng = np.random.default_rng(seed)
    wanted = torch.from_numpy(part.attack.astype(np.float32)).to(device)
    counted = torch.from_numpy(part.weights).to(device)
    changes = [one for one in guard.encoder.parameters() if one.requires_grad]
    head = [*guard.hidden.parameters(), *guard.out.parameters()]
    optimiser = torch.optim.AdamW(
        [{"params": changes, "lr": rate}, {"params": head, "lr": HEAD_RATE}], weight_decay=0.01
    )
    steps = epochs * sum(1 for _ in shuffled(np.zeros(len(part.tokens), np.int64), part, rng))
    warm = max(1, int(WARM * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)))
    )
    guard.train()
    losses: list[Tensor] = []
    for epoch in range(epochs):
        losses = []
        padded = Padded(amid(part.tokens, part, rng), device)
        for rows in shuffled(padded.lengths, part, rng):
            chosen = torch.from_numpy(rows).to(device)
            with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                odds = guard(*padded.batch(rows))
            loss = functional.binary_cross_entropy_with_logits(odds, wanted[chosen], weight=counted[chosen])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*changes, *head], 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.detach())
        print(f"epoch {epoch}: {torch.stack(losses).mean():.4f}", flush=True)
    return float(torch.stack(losses).mean())


def judged(guard: Guard, tokens: Tokens, device: str) -> NDArray[np.float32]:
    """The log odds of every text."""
    guard.eval()
    padded = Padded(tokens, device)
    order = np.argsort(padded.lengths, kind="stable")
    found = np.zeros(len(tokens), np.float32)
    with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
        for start in range(0, len(order), _AT_ONCE):
            rows = order[start : start + _AT_ONCE]
            found[rows] = guard(*padded.batch(rows)).float().cpu().numpy()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--part", type=int, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--rank", type=int, default=RANK)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    repeatable(asked.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    part = part_of(asked.texts, asked.part)
    began = time.time()
    guard = Guard(Encoder(read_weights(asked.weights), asked.rank)).to(device)
    loss = trained(guard, part, asked.epochs, asked.rate, asked.seed, device)
    odds = judged(guard, part.tokens, device)
    np.savez_compressed(asked.target, **{ODDS: odds}, **guard.learnt())
    print(
        json.dumps({"texts": len(part.rows), "loss": round(loss, 4), "seconds": round(time.time() - began)})
    )


if __name__ == "__main__":
    main()
