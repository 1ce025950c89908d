"""How ready a memory is to come to mind, from how often and how long ago it was used."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def base_level(uses: ArrayLike, age_seconds: ArrayLike) -> NDArray[np.float64]:
    """Log odds that a memory is needed now.

    Equation: B = ln(max(n, 1)) - 0.5 * ln(max(age, 1)).
    Source: ACT-R base-level learning with decay d = 0.5 and all n uses counted at one age
    (Anderson & Schooler 1991; Petrov 2006).
    Range: unbounded; 0 for one use a second ago. A future age (a clock that jumped) counts as one second.

    >>> float(base_level(1, 1))
    0.0
    >>> round(float(base_level(10, 3600)), 6)
    -1.791759
    """
    count = np.maximum(np.asarray(uses, dtype=np.float64), 1.0)
    age = np.maximum(np.asarray(age_seconds, dtype=np.float64), 1.0)
    level: NDArray[np.float64] = np.log(count) - 0.5 * np.log(age)
    return level


def activation(uses: ArrayLike, age_seconds: ArrayLike) -> NDArray[np.float64]:
    """Probability that a memory is needed now: its base level through a sigmoid.

    Equation: A = 1 / (1 + e^-B), with B from `base_level`; written as n / (n + sqrt(age)), which is the
    same and cannot overflow.
    Source: ACT-R (Anderson & Schooler 1991).
    Range: [0, 1]; 0.5 for one use a second ago.

    >>> float(activation(1, 1))
    0.5
    >>> activation([1, 10], [3600, 3600]).round(4).tolist()
    [0.0164, 0.1429]
    """
    count = np.maximum(np.asarray(uses, dtype=np.float64), 1.0)
    forgetting = np.sqrt(np.maximum(np.asarray(age_seconds, dtype=np.float64), 1.0))
    probability: NDArray[np.float64] = count / (count + forgetting)
    return probability
