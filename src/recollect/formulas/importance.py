"""How important something new is: four channels and how deeply it is encoded."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class ImportanceParams:
    """Weights of the channels, bounds of the encoding boost, and where the levels of priority begin."""

    novelty: float = 0.25
    arousal: float = 0.30
    reward: float = 0.25
    attention: float = 0.20
    least_boost: float = 0.7
    most_boost: float = 1.3
    critical: float = 0.8
    high: float = 0.6
    normal: float = 0.4


DEFAULT = ImportanceParams()


def importance(
    novelty: ArrayLike,
    arousal: ArrayLike,
    reward: ArrayLike,
    attention: ArrayLike,
    boost: ArrayLike = 1.0,
    params: ImportanceParams = DEFAULT,
) -> NDArray[np.float64]:
    """Importance of a memory when it is written.

    Equation: min(1, boost · (0.25 novelty + 0.30 arousal + 0.25 reward + 0.20 attention)), each channel cut to
    [0, 1] and the boost to [0.7, 1.3].
    Source: FEATURES.md, row C9.
    Range: [0, 1].

    >>> float(importance(1.0, 0.5, 0.5, 0.5))
    0.625
    >>> importance([0, 1], [0, 1], [0, 1], [0, 1], boost=1.3).tolist()
    [0.0, 1.0]
    """
    channels = (novelty, arousal, reward, attention)
    weights = (params.novelty, params.arousal, params.reward, params.attention)
    weighed = sum(
        weight * np.clip(np.asarray(channel, dtype=np.float64), 0.0, 1.0)
        for weight, channel in zip(weights, channels, strict=True)
    )
    depth = np.clip(np.asarray(boost, dtype=np.float64), params.least_boost, params.most_boost)
    found: NDArray[np.float64] = np.clip(depth * weighed, 0.0, 1.0)
    return found


def priority(value: float, params: ImportanceParams = DEFAULT) -> str:
    """The level of an importance.

    Equation: critical from 0.8, high from 0.6, normal from 0.4, low below.
    Source: FEATURES.md, row C9.

    >>> [priority(value) for value in (0.8, 0.79, 0.4, 0.1)]
    ['critical', 'high', 'normal', 'low']
    """
    if value >= params.critical:
        return "critical"
    if value >= params.high:
        return "high"
    return "normal" if value >= params.normal else "low"
