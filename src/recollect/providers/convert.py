"""Turns weights in the safetensors format into files that ONNX Runtime opens at once."""

import importlib.util
import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput, MissingExtra

Weights = dict[str, NDArray[np.float32]]
Adapter = Mapping[str, tuple[NDArray[np.float32], NDArray[np.float32]]]
"""The name of a linear layer, to A (rank, inputs) and B (outputs, rank): B @ A is added to its weight."""


def convert(weights: Path, folder: Path, adapter: Adapter | None = None, *, exact: bool = True) -> None:
    """Write the encoder with these weights into `folder`, the adapter's changes merged in; `exact` off, rounded alone."""
    require_onnx()
    # Imported here because onnx is an extra that only a conversion needs.
    from recollect.providers.graph import write_graphs  # noqa: PLC0415

    write_graphs(merge(read_safetensors(weights), adapter or {}), folder, exact=exact)


def require_onnx() -> None:
    if importlib.util.find_spec("onnx") is None:
        raise MissingExtra(
            "The model has to be converted once, which needs the package onnx: run "
            "`pip install 'recollect[model]'`, or copy the cache folder from a machine that has the model."
        )


def read_safetensors(path: Path) -> Weights:
    """The float32 tensors of a file: 8 bytes of header length, a JSON header, raw little-endian buffers."""
    raw = np.fromfile(path, np.uint8)
    try:
        (header_bytes,) = struct.unpack("<Q", raw[:8].tobytes())
        header = json.loads(raw[8 : 8 + header_bytes].tobytes())
        body = raw[8 + header_bytes :]
        return {
            name: body[slice(*entry["data_offsets"])].view("<f4").reshape(entry["shape"])
            for name, entry in header.items()
            if entry.get("dtype") == "F32"
        }
    except (struct.error, ValueError, KeyError, AttributeError, TypeError) as error:
        raise InvalidInput(f"{path} is not a whole safetensors file: {error}") from error


def merge(weights: Weights, adapter: Adapter) -> Weights:
    """The weights with each low-rank change added to its linear layer."""
    merged = dict(weights)
    for layer, (a, b) in adapter.items():
        name = f"{layer}.weight"
        if name not in weights:
            raise InvalidInput(f"The adapter changes {layer}, which the model does not have.")
        if (b.shape[0], a.shape[1], a.shape[0]) != (*weights[name].shape, b.shape[1]):
            raise InvalidInput(
                f"The adapter's change of {layer} has shapes {a.shape} and {b.shape}; "
                f"the weight is {weights[name].shape}."
            )
        merged[name] = weights[name] + (b @ a).astype(np.float32)
    return merged
