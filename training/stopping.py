"""When training stops: by the loss on examples of its own, and with the weights that were best by it."""

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor, nn

from training.data import Example

ONE_IN = 20
"""Of so many texts one is held back, with every question that it answers."""
BATCHES = 4
"""So many batches of each source are looked at, always the same."""


def parted(found: Iterable[Example]) -> tuple[list[Example], list[Example]]:
    """What is trained on, and what is held back: no answer is in both."""
    shown: list[Example] = []
    held: list[Example] = []
    for example in found:
        digest = hashlib.blake2b(example.positive.encode("utf-8", "surrogatepass"), digest_size=4).digest()
        (held if int.from_bytes(digest) % ONE_IN == 0 else shown).append(example)
    return shown, held


def batches(held: Sequence[Example], size: int, seed: int) -> list[list[Example]]:
    """The same few batches each time, one source a batch, as in training."""
    order = random.Random(seed)
    found = []
    for source in sorted({example.source for example in held}):
        own = [example for example in held if example.source == source]
        order.shuffle(own)
        cut = [own[start : start + size] for start in range(0, len(own), size)]
        found += [batch for batch in cut[:BATCHES] if len(batch) > 1]
    return found


class Stopping:
    """Looks at the loss every so many steps; says when it has not fallen for a while, and keeps the best weights."""

    def __init__(
        self,
        model: nn.Module,
        loss: Callable[[list[Example]], Tensor],
        held: Sequence[list[Example]],
        patience: int,
    ) -> None:
        self._model, self._loss, self._held, self._patience = model, loss, held, patience
        self._kept: dict[str, Tensor] = {}
        self.best, self.best_step, self._failed = float("inf"), 0, 0

    def over(self, step: int) -> bool:
        """Whether training should end here; nothing held back never ends it."""
        if not self._held:
            return False
        with torch.no_grad():
            now = sum(self._loss(batch).item() for batch in self._held) / len(self._held)
        print(f"step {step}: {now:.4f} on what is held back", flush=True)
        if now < self.best:
            self.best, self.best_step, self._failed = now, step, 0
            self._kept = {name: value.detach().clone() for name, value in self._learnt()}
        else:
            self._failed += 1
        return self._failed >= self._patience

    def restore(self) -> None:
        """The weights as they were at their best."""
        with torch.no_grad():
            for name, value in self._learnt():
                if name in self._kept:
                    value.copy_(self._kept[name])

    def _learnt(self) -> list[tuple[str, nn.Parameter]]:
        return [(name, value) for name, value in self._model.named_parameters() if value.requires_grad]
