"""Several questions' answers as one: each candidate once, as the question sees it that it answers best."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from recollect.ports import Columns
from recollect.recall.work import Work


def fuse(whole: Work, parts: Sequence[Work]) -> int:
    """Puts what the parts found into the whole; answers how many candidates the whole had not.

    A candidate keeps its best score and that question's signals, so that they still add up to it. Scores can be
    compared: every signal lies between 0 and 1 over a question's own candidates.
    """
    # One that was weighed by other signals cannot be told beside the others.
    asked = [whole, *(part for part in parts if part.profile.weights == whole.profile.weights)]
    contents = np.concatenate([one.confirmed.contents for one in asked])
    scores = np.concatenate([one.scores for one in asked])
    # Stable: of equal scores the whole question's stands.
    best_first = np.argsort(-scores, kind="stable")
    _, first = np.unique(contents[best_first], return_index=True)
    kept = best_first[first]
    before = len(whole.scores)
    whole.values = {name: np.concatenate([one.values[name] for one in asked])[kept] for name in whole.values}
    whole.scores = scores[kept]
    whole.own = np.concatenate([one.own for one in asked])[kept]
    whole.said = np.concatenate([one.said for one in asked])[kept]
    if all(one.relevance is not None for one in asked):
        whole.relevance = np.concatenate([one.relevance for one in asked if one.relevance is not None])[kept]
    whole.similarity = np.concatenate([one.similarity for one in asked])[kept]
    whole.columns = Columns(
        **{
            column.name: np.concatenate([getattr(one.confirmed, column.name) for one in asked])[kept]
            for column in fields(Columns)
        }
    )
    return len(kept) - before
