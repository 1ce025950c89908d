"""Among people, whoever asks something like the question is replied to: the reply is what answers.

A question stands high because it is worded like the one that is asked, and its reply, which shares few words with
either, below it. What an assistant says to a question, and what it asks itself, are not touched: both have their places
by what they say.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from recollect.formulas.ordered import places
from recollect.recall.folding import SPARE
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

ASKING = 10
"""Of so many of the best hits the replies are looked for."""
SHARE = 0.1
"""What a reply gets of the score of what it replies to."""
END = 80
"""Who asks does so in so many of the last characters: a picture or a greeting may follow."""
MARKS = frozenset("?？؟")


def replies(work: Work, sources: Sources) -> dict[str, object]:
    """What somebody else said next to a question among the best hits gains by it."""
    # A document's formula ranks as the document says.
    after = _after(work) if "own_words" in work.profile.weights else {}
    if not after:
        return {}
    gained = np.zeros(len(work.scores))
    for asking, reply in _pairs(work, sources, after):
        gained[reply] = max(gained[reply], work.scores[asking])
    if gained.any():
        work.count("reply", gained, SHARE)
    return {"replies": int(np.count_nonzero(gained))}


def asks(text: str) -> bool:
    """Whether a text ends by asking.

    >>> asks("What about you? [shares a photo: a dog]"), asks("Who knows? " + "We went there. " * 9)
    (True, False)
    """
    return not MARKS.isdisjoint(text[-END:])


def _after(work: Work) -> dict[int, list[int]]:
    """Where people said something after one of the best hits that somebody said: the places of both."""
    read, known = work.read_from, work.confirmed.contents
    best = work.order[:ASKING]
    best = best[work.own[best] & work.said[best]]
    # What only a part of a compound question found was not read beside the others.
    at, there = places(read.contents, known[best])
    next_ = read.around[at, read.around.shape[1] // 2 + 1 :]
    after = np.minimum(np.searchsorted(known, next_), len(known) - 1)
    # An assistant's answer has its place by what it says.
    kept = (known[after] == next_) & work.own[after]
    rows = zip(best[there].tolist(), after, kept, strict=True)
    return {place: some[by_people].tolist() for place, some, by_people in rows if by_people.any()}


def _pairs(work: Work, sources: Sources, after: Mapping[int, list[int]]) -> Iterator[tuple[int, int]]:
    """The places of what asks and of its reply."""
    # Whatever is looked at next is loaded with them: one question to the store in place of two.
    ahead = work.order[: work.query.k + SPARE].tolist() if work.found.mixed else []
    wanted = sorted({*ahead, *after, *(one for some in after.values() for one in some)})
    memories = shown(work, sources, work.confirmed.contents[wanted].tolist())
    of = dict(zip(wanted, memories, strict=True))
    for place, next_ in after.items():
        speaker = of[place].origin.speaker
        reply = next((one for one in next_ if of[one].origin.speaker != speaker), None)
        if reply is not None and asks(of[place].text):
            yield place, reply
