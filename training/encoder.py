"""The encoder in PyTorch, with a low-rank change beside every linear layer."""

import json
import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training import granite

HEADS = 12
EPSILON = 1e-12


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, of an .npz in half precision, or of granite's pack."""
    if granite.is_pack(path):
        return {name: torch.from_numpy(values) for name, values in granite.read_pack(path).weights.items()}
    if path.suffix == ".npz":
        with np.load(path) as data:
            return {name: torch.from_numpy(data[name].astype(np.float32)) for name in data.files}
    raw = path.read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    header, body = json.loads(raw[8 : 8 + size]), raw[8 + size :]
    found = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, stop = entry["data_offsets"]
            values = np.frombuffer(body[start:stop], "<f4").reshape(entry["shape"])
            found[name] = torch.from_numpy(values.copy())
    return found


class Linear(nn.Module):
    """A frozen linear layer and its low-rank change, which begins as nothing."""

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        outputs, inputs = weight.shape
        self.a = nn.Parameter(torch.randn(rank, inputs) / inputs**0.5)
        self.b = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, hidden: Tensor, *, adapted: bool) -> Tensor:
        given = functional.linear(hidden, self.weight, self.bias)
        return given + functional.linear(functional.linear(hidden, self.a), self.b) if adapted else given


class Encoder(nn.Module):
    """BERT as MiniLM has it, of post-norm layers. A text's vector is the mean of its tokens.

    Where it is that of the `first` one, the last layer was taught nothing about the others: the states of words are
    then those of the layer before it.
    """

    def __init__(self, weights: dict[str, Tensor], rank: int, *, first: bool = False) -> None:
        super().__init__()
        self._first = first
        embeddings = "embeddings."
        self.register_buffer("words", weights[embeddings + "word_embeddings.weight"])
        positions = weights[embeddings + "position_embeddings.weight"]
        self.register_buffer("positions", positions + weights[embeddings + "token_type_embeddings.weight"][0])
        self.norms = nn.ParameterDict()
        self.linears = nn.ModuleDict()
        self._norm(weights, embeddings + "LayerNorm")
        self.layers = 0
        while f"encoder.layer.{self.layers}.output.dense.weight" in weights:
            layer = f"encoder.layer.{self.layers}."
            for part in ("attention.self.query", "attention.self.key", "attention.self.value",
                         "attention.output.dense", "intermediate.dense", "output.dense"):  # fmt: skip
                name = layer + part
                self.linears[_key(name)] = Linear(weights[name + ".weight"], weights[name + ".bias"], rank)
            self._norm(weights, layer + "attention.output.LayerNorm")
            self._norm(weights, layer + "output.LayerNorm")
            self.layers += 1

    def forward(self, ids: Tensor, mask: Tensor, *, adapted: bool = True) -> tuple[Tensor, Tensor]:
        """The states of all tokens, and the unit vector of each text."""
        hidden = self.words[ids] + self.positions[: ids.shape[1]]
        hidden = self._normed(hidden, "embeddings.LayerNorm")
        visible = mask[:, None, None, :].bool()
        before = hidden
        for number in range(self.layers):
            before, layer = hidden, f"encoder.layer.{number}."
            heads = [
                self._linear(hidden, layer + f"attention.self.{part}", adapted=adapted)
                .unflatten(-1, (HEADS, -1))
                .transpose(1, 2)
                for part in ("query", "key", "value")
            ]
            attended = (
                functional.scaled_dot_product_attention(*heads, attn_mask=visible).transpose(1, 2).flatten(2)
            )
            attended = self._linear(attended, layer + "attention.output.dense", adapted=adapted)
            hidden = self._normed(hidden + attended, layer + "attention.output.LayerNorm")
            inner = functional.gelu(self._linear(hidden, layer + "intermediate.dense", adapted=adapted))
            outer = self._linear(inner, layer + "output.dense", adapted=adapted)
            hidden = self._normed(hidden + outer, layer + "output.LayerNorm")
        if self._first:
            return before, functional.normalize(hidden[:, 0], dim=-1)
        return hidden, functional.normalize((hidden * mask[..., None]).sum(1), dim=-1)

    def adapter(self) -> dict[str, np.ndarray]:
        """The change of each layer in half precision: NAME.a and NAME.b."""
        found = {}
        for key, linear in self.linears.items():
            name = key.replace("/", ".")
            found[f"{name}.a"] = linear.a.detach().cpu().numpy().astype(np.float16)
            found[f"{name}.b"] = linear.b.detach().cpu().numpy().astype(np.float16)
        return found

    def _norm(self, weights: dict[str, Tensor], name: str) -> None:
        for part in ("weight", "bias"):
            self.norms[_key(f"{name}.{part}")] = nn.Parameter(weights[f"{name}.{part}"], requires_grad=False)

    def _normed(self, hidden: Tensor, name: str) -> Tensor:
        weight, bias = self.norms[_key(name + ".weight")], self.norms[_key(name + ".bias")]
        return functional.layer_norm(hidden, hidden.shape[-1:], weight, bias, EPSILON)

    def _linear(self, hidden: Tensor, name: str, *, adapted: bool) -> Tensor:
        return self.linears[_key(name)](hidden, adapted=adapted)


def _key(name: str) -> str:
    return name.replace(".", "/")
