"""The verbs that go by a question's neighbourhood: what neighbours say, and how that is learnt."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from recollect.engine.contrasting import Contrasting
from recollect.errors import InvalidInput
from recollect.formulas.message_passing import Lesson, attention
from recollect.recall.hits import OWN, Hit
from recollect.recall.layers import active
from recollect.recall.options import RecallOptions
from recollect.recall.pipeline import candidates_of
from recollect.recall.query import Query
from recollect.recall.search import Search
from recollect.recall.subgraph import NODES, Subgraph
from recollect.recall.work import Sources

if TYPE_CHECKING:
    from recollect.graph.neighbourhood import Neighbour
    from recollect.learn.lessons import GnnState, Lessons
    from recollect.model import Edge

MOST_HOPS = 5


@dataclass(frozen=True, slots=True)
class Attended:
    """A hit, and the share of all attention that it gets."""

    hit: Hit
    share: float


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Hits, with what lies a few links around them."""

    hits: tuple[Hit, ...]
    neighbours: "tuple[Neighbour, ...]"
    """The hits among them, nearest first."""
    edges: "tuple[Edge, ...]"
    """Those between them."""


class Refining(Contrasting):
    """Three searches over the graph of the candidates; contrasts teach what neighbours are worth."""

    _own_lessons: "Lessons | None" = None

    def attention(
        self,
        question: str,
        k: int | None = None,
        *,
        temperature: float = 0.1,
        channel: str | None = None,
        learn: bool = False,
        shared: bool | None = None,
        **options: Unpack[RecallOptions],
    ) -> list[Attended]:
        """The best hits with the share of attention that each gets among all candidates: how sure the answer is.

        The colder, the more goes to the best; the shares of all two hundred candidates add up to 1.
        """
        if not 0 < temperature <= 100:
            raise InvalidInput(f"the temperature lies above 0 and up to 100, not {temperature}")
        wanted = self.settings.recall.k if k is None else k
        asked: RecallOptions = {"deep": True, **options}
        most = max(wanted, NODES)
        found = self.recall(question, most, channel=channel, learn=learn, shared=shared, **asked)
        shares = attention([hit.score for hit in found], temperature).tolist()
        return [Attended(hit, share) for hit, share in zip(found[:wanted], shares[:wanted], strict=True)]

    def neighbourhood(
        self,
        question: str,
        k: int = 5,
        *,
        hops: int = 2,
        channel: str | None = None,
        learn: bool = True,
        shared: bool | None = None,
        **options: Unpack[RecallOptions],
    ) -> Neighbourhood:
        """The best hits with all that lies up to so many links around them: edges, and whatever is of the same run.

        Only what the question itself may bring.
        """
        from recollect.graph.neighbourhood import neighbours  # noqa: PLC0415 - only who asks pays for it

        if not 0 <= hops <= MOST_HOPS:
            raise InvalidInput(f"hops lie between 0 and {MOST_HOPS}, not {hops}")
        asked: RecallOptions = {"deep": True, **options}
        found = self.recall(question, k, channel=channel, learn=learn, shared=shared, **asked)
        query = self._query(question, k, channel, options)
        where, start = query.filter(found.trace.at), [hit.memory for hit in found if hit.whence == OWN]
        with self.store.reading():
            around, edges = neighbours(self.store, self.user, where, start, hops, query.as_of)
        return Neighbourhood(found.hits, tuple(around), tuple(edges))

    def candidates(
        self,
        question: str,
        k: int | None = None,
        *,
        channel: str | None = None,
        **options: Unpack[RecallOptions],
    ) -> Subgraph | None:
        """The candidates of a question as neighbours see them, in numbers; None where nothing is looked up."""
        if not self.refreshed().memory.recalls:
            return None
        query = self._query(question, k, channel, options)
        index = self._index(self._check_model())
        return candidates_of(query, self._sources(query, index), self._clock.now())

    def contrast(self, question: str, *, better: Iterable[str] | str, worse: Iterable[str] | str) -> None:
        liked = [better] if isinstance(better, str) else [*better]
        disliked = [worse] if isinstance(worse, str) else [*worse]
        super().contrast(question, better=liked, worse=disliked)
        if not (self.settings.learning.gnn and self.settings.memory.records):
            return
        found = self.candidates(question)
        if found is None:
            return
        sides = [
            np.isin(found.contents, [self._known(one).content for one in some]) for some in (liked, disliked)
        ]
        if all(side.any() for side in sides):
            lesson = Lesson(found.graph, found.scores, *sides)
            self._lessons().tell(self._writer.ids.new(), lesson, self._clock.now())

    def gnn(self) -> "GnnState":
        """How it stands with what neighbours are worth: its version, what it learnt from, where one can go back to."""
        return self._lessons().state()

    def reset_gnn(self, version: int = 0) -> None:
        """Goes back to a version of what neighbours are worth, by default to what comes with the package."""
        self._lessons().go_back(version, self._clock.now())

    def _sources(self, query: Query, index: Search) -> Sources:
        found = super()._sources(query, index)
        if not self.settings.learning.gnn or not (query.deep or "gnn" in active(query.ablate)):
            return found
        return replace(found, gnn=self._lessons().gnn())

    def _lessons(self) -> "Lessons":
        from recollect.formulas.micro_lora import Lens  # noqa: PLC0415 - only who adapts pays for it
        from recollect.learn.lessons import Lessons  # noqa: PLC0415
        from recollect.recall.refining import shipped  # noqa: PLC0415

        with self._index_lock:
            chosen = self.settings.learning
            known = self._own_lessons
            told = (chosen.consolidation, chosen.canary)
            if known is None or (known.params.consolidation, known.checked) != told:
                own = shipped()
                weights = own.gnn.flat[None, :]
                lens = Lens(weights, own.fisher, weights)
                known = self._own_lessons = Lessons(
                    self.store, self.user, lens, own.gnn.shape, chosen.consolidation, checked=chosen.canary
                )
            return known
