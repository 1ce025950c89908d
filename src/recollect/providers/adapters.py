"""What the model learnt, about memory questions and about attacks: small changes of its weights, shipped with the package.

An adapter is a low-rank change of every linear layer, trained as in `training/`, and merged in when the model is
converted, so that embedding takes no longer. The projection of word vectors is fitted to it.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

from recollect.errors import InvalidInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NONE = "none"
NEWEST = "memory-3"
SHA256: Mapping[str, str] = {
    "memory-1": "3c45930d76606a41d16cc76feb6f3272e216c8cff1a8275894055f861cfe634e",
    "memory-2": "d1cf1f6f295be0f42405952bd6365f91150d443586b5406b21d0de7702438e92",
    "memory-3": "eb039818f684bb64580173f27b86a3f25f458a9154a880bf5576b5831064eb46",
}
"""Of each adapter's file: it decides what a vector means. An older one serves the stores that were filled with it."""
GUARD = "guard-1"
"""What it learnt about attacks, for `guard` alone: no store is filled with its vectors."""
GUARD_SHA256 = "a6a1a97dff565f688f9855ad9dbd3f6210f890e090f573575ea56aebdf4b5fce"


def checked_name(name: str) -> str:
    """The name of an adapter that there is."""
    if name not in {NONE, GUARD, *SHA256}:
        raise InvalidInput(f"no adapter {name!r}; there are: {', '.join([NONE, *SHA256])}")
    return name


def read(name: str) -> "dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]":
    """Each linear layer's change as two factors; nothing where there is no adapter."""
    import numpy as np  # noqa: PLC0415 - only a conversion needs it

    if checked_name(name) == NONE:
        return {}
    raw = (files("recollect.providers") / f"adapter-{name}.npz").read_bytes()
    if hashlib.sha256(raw).hexdigest() != {**SHA256, GUARD: GUARD_SHA256}[name]:
        raise InvalidInput(f"the file of the adapter {name} is damaged: install recollect again")
    with np.load(BytesIO(raw)) as data:
        layers = sorted({key.rpartition(".")[0] for key in data.files})
        return {
            layer: (data[f"{layer}.a"].astype(np.float32), data[f"{layer}.b"].astype(np.float32))
            for layer in layers
        }


@cache
def projection(name: str) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
    """The mean of all words' states, and the matrix that narrows what is left."""
    import numpy as np  # noqa: PLC0415 - as above

    raw = (files("recollect.providers") / f"words-{checked_name(name)}.npz").read_bytes()
    with np.load(BytesIO(raw)) as data:
        return data["mean"], data["matrix"].astype(np.float32)
