"""The text arm: BM25 over all parts with one idf, and the best rows without scoring everything."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.bm25 import idf, term_weight
from recollect.formulas.ordered import best, distinct, nth_highest, places
from recollect.index.documents import NO_THREAD
from recollect.index.params import IndexParams
from recollect.index.segment import Found
from recollect.index.view import View

# Below this many documents, adding a term up is cheaper than finding out whether it can be left out.
FEW_DOCUMENTS: Final = 2_048
# Looking a row up in a list takes as long as adding so many of the list.
LOOKUP_COST: Final = 6
# So many postings are counted by session, those of the rarest terms, so that long lists cost nothing.
MOST_IN_SESSIONS: Final = 8_192
# Of so many times as many as are wanted, those with the rarer terms, the long lists tell the best.
LOOKED_UP: Final = 16
# Sums in float32 differ from the exact ones by less than this.
SLACK: Final = 1e-4


class TextArm:
    """A question's terms, rarest first, and where they occur."""

    def __init__(self, view: View, terms: NDArray[np.uint32], params: IndexParams) -> None:
        self._view = view
        self._params = params.bm25
        self._long_from = params.long_from
        terms = distinct(terms)
        found = [part.find(terms) for part in view.parts]
        counts = np.array([[term.frequency for term in part] for part in found], np.int64).reshape(
            len(found), len(terms)
        )
        frequencies = counts.sum(axis=0)
        told = frequencies > 0
        if len(view) >= params.common_from:
            told &= frequencies * 2 <= len(view)
        order = np.lexsort((terms, frequencies))
        order = order[told[order]]
        self._frequencies = frequencies[order]
        self._idf = idf(len(view), self._frequencies)
        self._found = [[part[at] for at in order.tolist()] for part in found]
        self._loaded: dict[tuple[int, int], Found] = {}

    def best(self, eligible: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
        """The `limit` eligible rows with a term that answer best; of equals the newest.

        A term can add at most its idf, so once `limit` rows have more than all terms to come could give,
        no other row can get among the best: from then on only those that still can are looked at
        (MaxScore, Turtle & Flood 1995).
        """
        partial = np.zeros(len(self._view), np.float32)
        every = bool(eligible.all())
        met: list[NDArray[np.int64]] = []
        chosen: NDArray[np.int64] | None = None
        for at in range(len(self._idf)):
            if chosen is None:
                new = self._add_to_all(at, partial)
                met += new if every else [rows[eligible[rows]] for rows in new]
                if not self._may_choose(at, limit):
                    continue
                rows = np.concatenate(met)
            else:
                self._add(at, partial, chosen)
                rows = chosen
            if chosen is None and self._goes_on_long(at) and len(rows) >= LOOKED_UP * limit:
                # What only long lists have in common with a question is not worth going through them.
                chosen = rows = rows[partial[rows] >= _bar(partial[rows], LOOKED_UP * limit)]
            bar, to_come = _bar(partial[rows], limit), float(self._idf[at + 1 :].sum())
            if chosen is not None or bar > to_come * (1 + SLACK) or at + 1 == len(self._idf):
                chosen = np.sort(rows[partial[rows] >= (bar - to_come) * (1 - SLACK)])
        if chosen is None:
            return np.empty(0, np.int64)
        # Every term was added to these, in the same order to each, so that equal rows are equal.
        return best(chosen, partial[chosen], limit)

    def by_term(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each term gives to the BM25 of ascending rows: one line a term."""
        times = np.zeros((len(self._idf), len(rows)), np.uint8)
        lengths = np.empty(len(rows), np.uint16)
        for part, which, positions in self._view.split(rows):
            lengths[which] = self._view.parts[part].lengths[positions]
            # Of one type, or searching would copy the list to another.
            local = positions.astype(np.uint32)
            for at in range(len(self._idf)):
                documents, often = self._postings(part, at)
                found, there = places(documents, local)
                times[at, which][there] = often[found]
        weights: NDArray[np.float64] = term_weight(times, lengths, self._view.mean_length, self._params)
        return weights * self._idf[:, None]

    def of_sessions(self, rows: NDArray[np.int64], eligible: NDArray[np.bool_]) -> NDArray[np.float32]:
        """How well the session of each row answers as a whole: each term counted through all its turns.

        The rarest terms tell the sessions apart; of the common ones, which are long lists, none is looked at.
        """
        view = self._view
        threads = view.threads[rows]
        sessions = distinct(threads[threads != NO_THREAD])
        total = np.zeros(len(sessions))
        looked_at = np.cumsum(self._frequencies)
        for at in range(
            int(np.searchsorted(looked_at, MOST_IN_SESSIONS, side="right")) if len(sessions) else 0
        ):
            times = np.zeros(len(sessions))
            for part, base in enumerate(view.bases):
                documents, often = self._postings(part, at)
                own = documents.astype(np.intp) + base
                place, there = places(sessions, np.where(eligible[own], view.threads[own], NO_THREAD))
                times += np.bincount(place, weights=often[there], minlength=len(sessions))
            total += self._idf[at] * times / (times + self._params.k1)
        place, there = places(sessions, threads)
        scores = np.zeros(len(rows), np.float32)
        scores[there] = total[place]
        return scores

    def _may_choose(self, at: int, limit: int) -> bool:
        """Whether it is worth to find out, after this term, which rows can still be among the best."""
        if at + 1 == len(self._idf):
            return True
        if self._goes_on_long(at):
            return True
        enough = (
            self._frequencies[: at + 1].sum() >= limit
            and self._idf[: at + 1].sum() > self._idf[at + 1 :].sum()
        )
        return bool(enough and self._frequencies[at + 1] > FEW_DOCUMENTS)

    def _goes_on_long(self, at: int) -> bool:
        """Whether all terms after this one have long lists: they stand by how rare they are."""
        return at + 1 < len(self._idf) and bool(self._frequencies[at + 1] >= self._long_from)

    def _add_to_all(self, at: int, partial: NDArray[np.float32]) -> list[NDArray[np.int64]]:
        """Add one term's weight to every row that has it; gives, part by part, those that had no term before it."""
        new = []
        for part, base in enumerate(self._view.bases):
            documents, times = self._postings(part, at)
            rows = documents.astype(np.int64) + base
            before = partial[rows]
            new.append(rows[before == 0])
            partial[rows] = before + self._weights(at, part, documents, times)
        return new

    def _add(self, at: int, partial: NDArray[np.float32], rows: NDArray[np.int64]) -> None:
        """Add one term's weight to those of the given, ascending rows that have it, at least."""
        if len(rows) * LOOKUP_COST > self._frequencies[at]:
            self._add_to_all(at, partial)
            return
        for part, which, positions in self._view.split(rows):
            documents, times = self._postings(part, at)
            found, there = places(documents, positions.astype(np.uint32))
            partial[rows[which][there]] += self._weights(at, part, documents[found], times[found])

    def _weights(
        self, at: int, part: int, documents: NDArray[np.uint32], times: NDArray[np.uint8]
    ) -> NDArray[np.float32]:
        """`term_weight` times idf, in float32 and in place: a third of the time."""
        k1, b = self._params.k1, self._params.b
        weights = np.take(self._view.parts[part].lengths, documents, mode="clip").astype(np.float32)
        weights *= np.float32(k1 * b / max(self._view.mean_length, 1.0))
        weights += np.float32(k1 * (1 - b))
        weights += times
        np.divide(times, weights, out=weights)
        weights *= np.float32(self._idf[at])
        return weights

    def _postings(self, part: int, at: int) -> Found:
        found = self._loaded.get((part, at))
        if found is None:
            found = self._loaded[part, at] = self._found[part][at].load()
        return found


def rarity(view: View, terms: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The idf of each term; that of a term that nothing has is the highest."""
    each, place = np.unique(terms, return_inverse=True)
    return idf(len(view), frequencies(view, each))[place]


def frequencies(view: View, terms: NDArray[np.uint32]) -> NDArray[np.int64]:
    """In how many texts each term occurs, whoever may see them."""
    if not len(terms):
        return np.empty(0, np.int64)
    counts = [[occurrences.frequency for occurrences in part.find(terms)] for part in view.parts]
    found: NDArray[np.int64] = np.array(counts, np.int64).reshape(len(view.parts), len(terms)).sum(axis=0)
    return found


def _bar(scores: NDArray[np.float32], limit: int) -> float:
    """The score of the `limit`-th best, or 0 where there are fewer."""
    if len(scores) < limit:
        return 0.0
    return nth_highest(scores, limit)
