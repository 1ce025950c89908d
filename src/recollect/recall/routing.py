"""The document's table of intents as weights of the signals (C17).

- `vector_weight` and `text_weight` scale the signals of meaning and those of words; both are .5 where nothing
  changes. What the two leave of 1 (a causal question: .4) goes to `linked`, the one way along relations there is.
- `utility_boost` goes to `importance`: how useful a memory has been is not recorded yet.
- `categories` become the `category` signal and not a filter: what was only said has no category, and would be lost.
- `limit` widens the search; how many hits come back stays the caller's `k`.
- `sort` changes nothing: hits come best first, and `timeline()` gives them by time.
"""

from types import MappingProxyType

from recollect.language.intents import IntentPlan
from recollect.recall.profiles import Profile

BY_MEANING = ("similarity", "meaning", "matched_words", "matched_nearby")
BY_WORDS = ("words", "words_nearby", "session_words")
CATEGORY_WEIGHT = 0.2


def routed(profile: Profile, plan: IntentPlan) -> Profile:
    """The profile as an intent wants it; one that knows only words or only meaning stays what it is."""
    weights = dict(profile.weights)
    meaning, words = ([n for n in family if n in weights] for family in (BY_MEANING, BY_WORDS))
    if not meaning or not words:
        return profile
    before = sum(weights[name] for name in (*meaning, *words))
    for family, share in ((meaning, plan.vector_weight), (words, plan.text_weight)):
        for name in family:
            weights[name] *= share
    # The families differ in size: the sum of both stays the plan's part of what it was.
    after = sum(weights[name] for name in (*meaning, *words))
    part = plan.vector_weight + plan.text_weight
    for name in (*meaning, *words):
        weights[name] *= part * before / after
    if "linked" in weights:
        weights["linked"] += (1.0 - part) * before
    weights["importance"] = weights.get("importance", 0.0) + plan.utility_boost
    if plan.categories:
        weights["category"] = CATEGORY_WEIGHT
    return Profile(profile.name, profile.about, MappingProxyType(weights))
