"""How much something goes on with what came before it."""

import numpy as np
from numpy.typing import NDArray


def coherence(vector: NDArray[np.float32], recent: NDArray[np.float32]) -> float:
    """The greatest cosine between a unit vector and the few before it; 1 where nothing came before.

    The greatest and not the mean: a new topic is coherent as soon as a second thing is said about it.

    >>> first, second = np.eye(2, dtype=np.float32)
    >>> coherence(first, np.stack([second])), coherence(first, np.stack([second, first]))
    (0.0, 1.0)
    """
    return float((recent @ vector).max()) if len(recent) else 1.0
