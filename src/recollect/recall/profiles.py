"""Named weightings of the signals. A document's formula is a profile; `default` was chosen by measurement.

What a document's formula needs and a question does not have stands in its profile with its weight, and is 0:

- `bayesian` (000): rewards and whether a use helped are what outcomes and feedback counted. A question names no task
  and lies in no region; `decide` weighs both. The document gives no weight for the task; it has the region's.
- `choir` (002): U = α · similarity + β · uplift + γ · recency with the defaults of its settings; the uplift is that of
  the episodes which went by the memory (`used`).
- `causal` (002): the other form of it, U = α · similarity + β · uplift − γ · latency.
- `agentx` (003): a memory's type is its lane and kind; the graph of entities is not followed.
- `jcode` (004): a product, so one signal; every kind has the half-life of a fact, and the source's trust is in the
  confidence. The cascade along edges is not followed.
- `cognitive` (001): entities give nothing yet.
"""

from dataclasses import dataclass
from types import MappingProxyType

from recollect.errors import InvalidInput
from recollect.formulas.causal import LATENCY, SIMILARITY, UPLIFT
from recollect.recall.signals import SIGNALS

WORDS_SHARE = 0.8
"""Without the words' vectors, most of what they weighed goes to words, the rest to meaning."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A score is the sum of weight × signal."""

    name: str
    about: str
    weights: MappingProxyType[str, float]

    def without(self, *signals: str) -> "Profile":
        """The same where some signals are not to be had; what they weighed goes to words and meaning."""
        left = {name: weight for name, weight in self.weights.items() if name not in signals}
        lost = sum(self.weights.get(name, 0.0) for name in signals)
        if lost and {"words_nearby", "meaning"} <= left.keys():
            left["words_nearby"] += lost * WORDS_SHARE
            left["meaning"] += lost * (1 - WORDS_SHARE)
        return Profile(self.name, self.about, MappingProxyType(left))

    def weighing(self, **signals: float) -> "Profile":
        """The same with signals that only some questions have."""
        return Profile(self.name, self.about, MappingProxyType({**self.weights, **signals}))

    def shifted(self, **by: float) -> "Profile":
        """The same with some of its signals weighing more, or less but not below nothing."""
        return self.weighing(**{name: max(self.weights[name] + more, 0.0) for name, more in by.items()})


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
                "words and meaning, of a turn and of what was said around it, by their scores",
                matched_nearby=0.25,
                matched_words=0.14,
                meaning=0.35,
                words_nearby=0.15,
                session_words=0.25,
                own_words=0.27,
                linked=0.33,
                shared_names=0.33,
                period=0.20,
                lately=0.20,
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
            _profile(
                "bayesian",
                "log-posterior of similarity, recency, reward, region, task and success of use",
                similarity=1.0,
                slow_recency=0.3,
                reward=0.5,
                same_region=0.2,
                same_task=0.2,
                usage_success=0.4,
            ),
            _profile(
                "choir",
                "similarity, causal uplift and recency at .7/.2/.1",
                similarity=0.7,
                causal_uplift=0.2,
                recency=0.1,
            ),
            _profile(
                "causal",
                "similarity and causal uplift less latency at .7/.2/.1",
                similarity=SIMILARITY,
                causal_uplift=UPLIFT,
                latency=-LATENCY,
            ),
            _profile(
                "agentx",
                "similarity by type: turns .3, facts .25, entities .2, procedures .15; recency .1",
                episodic=0.30,
                facts=0.25,
                entities=0.20,
                procedural=0.15,
                recency=0.10,
            ),
            _profile(
                "jcode",
                "similarity × recency boost × confidence that decays",
                trusted_similarity=1.0,
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
