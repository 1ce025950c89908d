"""How much a statement matters: how new, how moving and of what kind it is."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from recollect.formulas.importance import DEFAULT, importance
from recollect.language.roles import is_user
from recollect.write.known import Known
from recollect.write.policy import Policy
from recollect.write.work import Choice, Refusal

FLASHBULB_IMPORTANCE: Final = 0.9
REWARD: Final = MappingProxyType(
    {"warning": 0.9, "procedure": 0.8, "correction": 0.8, "decision": 0.8, "preference": 0.7, "fact": 0.5}
)
"""What knowing a kind of thing is worth later; a rule that is not known costs more than a fact."""
_OWN_WORDS, _OTHERS_WORDS = 0.6, 0.3
_EACH_ENTITY: Final = 0.1


def score(choice: Choice, _: Known, __: Policy) -> Refusal | None:
    """Importance and confidence; what is felt strongly is pinned."""
    draft, feeling = choice.draft, choice.draft.feeling
    closest = max((near.similarity for near in choice.near), default=0.0)
    attention = _OWN_WORDS if is_user(choice.heard.role) else _OTHERS_WORDS
    attention += _EACH_ENTITY * len(draft.entities)
    boost = DEFAULT.most_boost if feeling.flashbulb else 1.0
    value = float(importance(1.0 - closest, feeling.arousal, REWARD.get(draft.kind, 0.5), attention, boost))
    # Stored vectors have half the digits: beyond three, the order of writing would show.
    value = round(value, 3)
    metadata = dict(choice.memory.metadata)
    if feeling.arousal or feeling.valence:
        metadata["emotion"] = {
            "valence": feeling.valence,
            "arousal": feeling.arousal,
            "category": feeling.category,
        }
    choice.memory = replace(
        choice.memory,
        pinned=feeling.flashbulb,
        importance=max(value, FLASHBULB_IMPORTANCE) if feeling.flashbulb else value,
        confidence=draft.confidence,
        metadata=metadata,
    )
    return None
