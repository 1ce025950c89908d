"""What becomes of a new memory, by its likeness to the closest one that there is."""

from dataclasses import dataclass

from recollect.errors import InvalidInput
from recollect.model import Action


@dataclass(frozen=True, slots=True)
class GateParams:
    """Cosine similarities from which the closest memory counts as the same, as overlapping, as near.

    Calibrated for the built-in embedder; benchmarks/results/gate.json has the curve.
    """

    reinforce: float = 0.96
    update: float = 0.86
    near: float = 0.81

    def __post_init__(self) -> None:
        if not -1.0 <= self.near <= self.update <= self.reinforce <= 1.0:
            raise InvalidInput(f"gate thresholds must rise from near to update to reinforce, not {self}")


@dataclass(frozen=True, slots=True)
class Decision:
    """The action, why, and the prediction error that it answers."""

    action: Action
    reason: str
    prediction_error: float


def decide(
    similarity: float,
    *,
    contradicts: bool,
    same_key: bool,
    important: bool,
    adds: bool = False,
    params: GateParams = GateParams(),  # noqa: B008 - frozen
) -> Decision:
    """The outcome for a new memory, given its cosine similarity to the closest one.

    Equation: PE = 1 - similarity; contradiction → SUPERSEDE; other key values → CREATE; then by similarity s:
    s ≥ reinforce → REINFORCE, or UPDATE where the new text adds a value; s ≥ update → UPDATE;
    s ≥ near → CREATE if important or if it adds a value, else SKIP; below → CREATE.
    Source: DESIGN.md, "Gate thresholds are cosine similarities"; FEATURES.md, row C7.
    Range: PE in [0, 2]; a similarity outside [-1, 1] is cut to it.

    `same_key` is false where the texts differ in a number, a date, a name or any other word that says something,
    however alike they are: "on the left side" is as like "on the right side" as one sentence is like another.

    >>> decide(0.97, contradicts=False, same_key=True, important=False).action
    <Action.REINFORCE: 'reinforce'>
    >>> decide(0.97, contradicts=False, same_key=False, important=False).action
    <Action.CREATE: 'create'>
    """
    if similarity != similarity:  # noqa: PLR0124 - the one value that is not itself
        raise InvalidInput("similarity is not a number")
    action, reason = _outcome(
        similarity, contradicts=contradicts, same_key=same_key, important=important, adds=adds, params=params
    )
    return Decision(action, reason, 1.0 - min(max(similarity, -1.0), 1.0))


def _outcome(
    similarity: float, *, contradicts: bool, same_key: bool, important: bool, adds: bool, params: GateParams
) -> tuple[Action, str]:
    if contradicts:
        return Action.SUPERSEDE, "contradicts the closest memory"
    if similarity < params.near:
        return Action.CREATE, f"nothing like it: similarity below {params.near}"
    if not same_key:
        return Action.CREATE, "alike, but with other values"
    if similarity >= params.update:
        if adds or similarity < params.reinforce:
            return Action.UPDATE, f"overlaps and adds: similarity from {params.update}"
        return Action.REINFORCE, f"says the same: similarity from {params.reinforce}"
    return _nearby(important=important, adds=adds, params=params)


def _nearby(*, important: bool, adds: bool, params: GateParams) -> tuple[Action, str]:
    if important:
        return Action.CREATE, "near the closest memory, and important"
    if adds:
        return Action.CREATE, "near the closest memory, and with a value that it lacks"
    return Action.SKIP, f"near the closest memory (from {params.near}) and not important"
