"""Many memories in a few sentences by a language model, where there is one and what it says is borne out by them."""

from collections.abc import Sequence
from typing import Final

from recollect.dream.night import Night
from recollect.language.grounding import ungrounded
from recollect.language.injection import attack
from recollect.language.secrets import redact
from recollect.model import Memory

TASK: Final = "tell"
SHOWN: Final = 20
MOST_ASKED: Final = 10
"""So many are told by the model in a night; rules tell the rest, so that a dream stays affordable."""
_ASKED: Final = "asked of the language model"


def in_words(
    night: Night, form: str, memories: Sequence[Memory], entities: Sequence[str], kind: str = ""
) -> str | None:
    """What memories have in common, by its form: theme, pattern or summary; None where rules should tell it."""
    asked = night.known.get(_ASKED, 0)
    if night.generator is None or asked >= MOST_ASKED:
        return None
    night.known[_ASKED] = asked + 1
    days = sorted(one.valid_from.date().isoformat() for one in memories)
    names = [one.rsplit("/", 1)[-1].replace("-", " ") for one in entities]
    texts = [one.text for one in memories[:SHOWN]]
    about = {"form": form, "count": len(memories), "from": days[0], "to": days[-1], "kind": kind}
    answer = night.generator.answer(TASK, {**about, "entities": names, "memories": texts})
    if answer is None:
        return None
    text = redact(answer["text"]).text.strip()
    said = " ".join([*texts, *names, *days, str(len(memories))])
    return None if not text or ungrounded(text, said) or attack(text) is not None else text
