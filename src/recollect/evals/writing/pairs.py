"""What the gate makes of two texts: contradictions that are none, contradictions found, duplicates recognised."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from recollect.evals.measuring import Watch
from recollect.evals.sets.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair, english, turkish
from recollect.evals.writing.trial import share
from recollect.formulas.gate import GateParams, decide
from recollect.language.claims import claims
from recollect.language.differences import differing, retold
from recollect.model import EPOCH, Action, Memory
from recollect.ports import Embedder
from recollect.write.claiming import contradiction

CURVE: Final = (0.7, 0.75, 0.8, 0.86, 0.9, 0.96)
LEAST_SIMILARITY: Final = 0.5
"""Below it the gate reads no memory for a contradiction."""
_DUPLICATE: Final = frozenset({Action.REINFORCE, Action.UPDATE})


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Of every set of pairs: wrong and right contradictions, and duplicates by the gate and by a threshold."""
    found: dict[str, Any] = {}
    pairs = _first(english(path), limit)
    with watch("comparing pairs") as heard:
        alike = _similarities(pairs, embedder, heard)
    said = [_contradicts(pair, one) for pair, one in zip(pairs, alike, strict=True)]
    for source in dict.fromkeys(pair.source for pair in pairs):
        mine = [place for place, pair in enumerate(pairs) if pair.source == source]
        found |= _contradictions(f"pairs_{source}", [pairs[at] for at in mine], [said[at] for at in mine])
    found |= _contradictions("pairs", pairs, said)
    judged = [at for at, pair in enumerate(pairs) if pair.same is not None]
    found |= _duplicates("pairs", [pairs[at] for at in judged], [alike[at] for at in judged])
    return found


def measure_turkish(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Turkish pairs of the same meaning, and how many of them the gate takes for duplicates."""
    pairs = _first(turkish(path), limit)
    with watch("comparing Turkish pairs") as heard:
        alike = _similarities(pairs, embedder, heard)
    return _duplicates("turkish", pairs, alike)


def _first(pairs: Iterable[Pair], limit: int | None) -> list[Pair]:
    """The first of each set."""
    taken: dict[str, list[Pair]] = {}
    for pair in pairs:
        mine = taken.setdefault(pair.source, [])
        if limit is None or len(mine) < limit:
            mine.append(pair)
    return [pair for mine in taken.values() for pair in mine]


def _similarities(pairs: Sequence[Pair], embedder: Embedder, heard: Any) -> list[float]:
    texts = sorted({text for pair in pairs for text in (pair.old, pair.new)})
    vectors = dict(zip(texts, embedder.embed(texts, heard), strict=True)) if texts else {}
    return [float(vectors[pair.old] @ vectors[pair.new]) for pair in pairs]


def _contradicts(pair: Pair, similarity: float) -> bool:
    """Whether the newer text would supersede the older one."""
    ours = claims(pair.new)
    keyed = {one.key for one in ours} & {one.key for one in claims(pair.old)}
    if similarity < LEAST_SIMILARITY and not keyed:
        return False
    return contradiction(pair.new, ours, Memory("", pair.old, EPOCH, EPOCH)) is not None


def _contradictions(name: str, pairs: Sequence[Pair], said: Sequence[bool]) -> dict[str, Any]:
    others = [s for pair, s in zip(pairs, said, strict=True) if pair.label in {NEUTRAL, ENTAILMENT}]
    true = [s for pair, s in zip(pairs, said, strict=True) if pair.label == CONTRADICTION]
    return {
        f"{name}_wrongly_superseded": share(sum(others), len(others)),
        f"{name}_contradictions": len(true),
        f"{name}_contradiction_recall": share(sum(true), len(true)),
        f"{name}_contradiction_precision": share(sum(true), sum(said)),
    }


def _duplicates(name: str, pairs: Sequence[Pair], alike: Sequence[float]) -> dict[str, Any]:
    same = [bool(pair.same) for pair in pairs]
    by_gate = [_is_duplicate(pair, one) for pair, one in zip(pairs, alike, strict=True)]
    found: dict[str, Any] = {f"{name}_same": sum(same), **_scored(f"{name}_duplicate", by_gate, same)}
    for threshold in CURVE:
        said = [one >= threshold for one in alike]
        found |= _scored(f"{name}_duplicate_at_{threshold}", said, same)
    return found


def _is_duplicate(pair: Pair, similarity: float) -> bool:
    again = retold(pair.new, pair.old)
    decision = decide(
        similarity,
        contradicts=_contradicts(pair, similarity),
        same_key=differing(pair.new, pair.old) is None and again is not None,
        important=False,
        adds=again == "more",
        params=GateParams(),
    )
    return decision.action in _DUPLICATE


def _scored(name: str, said: Sequence[bool], same: Sequence[bool]) -> dict[str, Any]:
    right = sum(one and true for one, true in zip(said, same, strict=True))
    return {f"{name}_precision": share(right, sum(said)), f"{name}_recall": share(right, sum(same))}
