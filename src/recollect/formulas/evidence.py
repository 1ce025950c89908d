"""How much a similar situation says about this one."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput


def evidence_weight(similarity: ArrayLike, temperature: float = 0.06) -> NDArray[np.float64]:
    """The weight of a situation by its similarity, 1 for the same one.

    Equation: exp((similarity - 1) / temperature).
    Source: kernel regression with an exponential kernel on the cosine; flatter weights (a temperature of .1 and
    more) wash the signal out.
    Range: (0, 1] for similarities up to 1; it doubles every 0.042 at the default temperature.

    >>> evidence_weight([1.0, 0.94]).round(4).tolist()
    [1.0, 0.3679]
    """
    if not temperature > 0.0:
        raise InvalidInput(f"the temperature must be above 0, not {temperature}")
    weight: NDArray[np.float64] = np.exp(
        (np.minimum(np.asarray(similarity, np.float64), 1.0) - 1.0) / temperature
    )
    return weight
