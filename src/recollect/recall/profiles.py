"""Named weightings of the signals. A document's formula is a profile; `default` was chosen by measurement."""

from dataclasses import dataclass
from types import MappingProxyType

from recollect.errors import InvalidInput
from recollect.recall.signals import SIGNALS


@dataclass(frozen=True, slots=True)
class Profile:
    """A score is the sum of weight × signal."""

    name: str
    about: str
    weights: MappingProxyType[str, float]


def _profile(name: str, about: str, **weights: float) -> Profile:
    unknown = weights.keys() - SIGNALS.keys()
    if unknown:
        raise InvalidInput(f"profile {name} weighs unknown signals: {', '.join(sorted(unknown))}")
    return Profile(name, about, MappingProxyType(weights))


PROFILES = MappingProxyType(
    {
        p.name: p
        for p in (
            _profile(
                "default",
                "words and meaning by their scores",
                words=0.55,
                meaning=0.43,
                recency=0.01,
                importance=0.01,
                doubt=-0.2,
            ),
            _profile(
                "cognitive",
                "similarity, ACT-R activation, importance and fused ranks at .40/.30/.15/.15",
                similarity=0.40,
                activation=0.30,
                importance=0.15,
                fused_rank=0.15,
                same_session=0.15,
                doubt=-0.2,
            ),
            _profile("words", "BM25 alone", words=1.0),
            _profile("meaning", "the vector's cosine alone", similarity=1.0),
            _profile("ranks", "reciprocal rank fusion alone", fused_rank=1.0),
        )
    }
)


def profile(name: str) -> Profile:
    """The profile of that name."""
    if name not in PROFILES:
        raise InvalidInput(f"no profile {name!r}; there are: {', '.join(PROFILES)}")
    return PROFILES[name]
