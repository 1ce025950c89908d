"""One vector of several."""

import numpy as np
from numpy.typing import NDArray


def pooled(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The direction of the mean of some unit vectors: each part of a text weighs the same, however long it is.

    Range: a unit vector; of parts that cancel each other out, the first.

    >>> pooled(np.array([[1, 0], [0.28, 0.96]], np.float32)).astype(float).round(2).tolist()
    [0.8, 0.6]
    """
    total = vectors.sum(axis=0)
    length = float(np.linalg.norm(total))
    whole: NDArray[np.float32] = total / length if length > 1e-6 else vectors[0]
    return whole
