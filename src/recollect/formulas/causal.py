"""What a way of doing something is worth: how well it fits, what it brought, how long it takes."""

from recollect.errors import InvalidInput

SIMILARITY, UPLIFT, LATENCY = 0.7, 0.2, 0.1
PATIENCE_SECONDS = 60.0
"""What takes as long as this loses half of what latency can take."""


def causal_utility(similarity: float, uplift: float, seconds: float = 0.0) -> float:
    """How useful something is expected to be.

    Equation: 0.7 * similarity + 0.2 * uplift - 0.1 * latency, latency = seconds / (seconds + 60).
    Source: seeds, "CausalMemory", U = alpha * similarity + beta * uplift - gamma * latency; FEATURES.md, row M4. The
    uplift is P(success with it) - P(success at such tasks), within [-1, 1].

    >>> round(causal_utility(0.8, 0.5), 2), round(causal_utility(0.9, -0.5, 60.0), 2)
    (0.66, 0.48)
    """
    if seconds < 0.0:
        raise InvalidInput(f"a time is at least 0 seconds, not {seconds}")
    return SIMILARITY * similarity + UPLIFT * uplift - LATENCY * seconds / (seconds + PATIENCE_SECONDS)
