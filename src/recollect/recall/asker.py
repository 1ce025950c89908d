"""What somebody said is kept under their name, which they do not say when they ask about themself.

"Nora: My shoe size is 39" is much less like "What is my shoe size?" than the same without her name. That changes no
order, as all that she said has her name, but how likely each is about the question.
"""

import numpy as np

from recollect.formulas.relevance import raised
from recollect.language.first_person import first_person
from recollect.language.names import mentions
from recollect.model import Memory
from recollect.ports import calibration_of
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work


def asker(work: Work, sources: Sources) -> dict[str, object]:
    """Where the question is about the asker, what they said under a name is as likely as it would be without it."""
    calibration = calibration_of(sources.embedder)
    if work.relevance is None or calibration is None or not calibration.named or not len(work.order):
        return {}
    if not first_person(work.query.text):
        return {}
    places = work.order[: work.query.k]
    places = places[work.own[places]]
    memories = shown(work, sources, work.confirmed.contents[places].tolist())
    names = {one.origin.speaker for one in memories if one.origin.speaker is not None}
    unsaid = [name for name in names if not mentions(work.query.text, name)]
    named = np.array([_is_under(one, unsaid) for one in memories], np.bool_)
    if named.any():
        work.relevance = work.relevance.copy()
        work.relevance[places[named]] = raised(work.relevance[places[named]], calibration.named)
    return {"named": int(np.count_nonzero(named))}


def _is_under(memory: Memory, names: list[str]) -> bool:
    """Whether it was said under one of the names, or was formed of what was."""
    if memory.origin.speaker is not None:
        return memory.origin.speaker in names
    return any(mentions(memory.text, name) for name in names)
