"""The verbs that ask the graph as a whole."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from recollect.engine.reading import Reading
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.formulas.ordered import distinct
from recollect.model import Filter, Memory, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.graph.analytics import Community, Graph, Hub, Path
    from recollect.graph.cypher import CypherCopy, Table
    from recollect.graph.geometry import Geometry
    from recollect.graph.shape import Naming, Rows

NEAR = 50
"""So many scored ids a text is bound as, unless told otherwise."""
MOST_PARAMETERS = 1_000_000
EPISODE_BEFORE = ("temporal", "causes", "followed_by", "caused_success", "caused_failure")
"""Types by which one member of an episode comes before another."""


class Graphing(Reading):
    """Cypher, hubs, communities, paths and orders; all of it derived from the store, and none of it kept."""

    _cypher_copy: "CypherCopy | None" = None

    def cypher(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        near: Mapping[str, str] | None = None,
        k: int = NEAR,
        limit: int = 1_000,
    ) -> "Table":
        """The rows of a Cypher query over this user's graph; it can only read.

        `near` binds parameters to what is most like a text: a list of `id` and `score`, the best first, for
        `UNWIND $name AS s MATCH (m:Memory {id: s.id})`.
        """
        bound = _bound(parameters or {})
        if not self.refreshed().memory.recalls:
            raise Refused("recalling is switched off: `recollect config set memory.recalling true`")
        for name, text in (near or {}).items():
            found = self.recall(text, k, learn=False, every_channel=True)
            bound[name] = [{"id": hit.id, "score": hit.score} for hit in found]
        return self._copy().ask(query, bound, limit)

    def hubs(self, limit: int = 10) -> "list[Hub]":
        """What most is related to: memories, entities, tags."""
        return self._graph().hubs(_positive(limit))

    def communities(self, limit: int = 10) -> "list[Community]":
        """What belongs together by its relations, the greatest first."""
        return self._graph().communities(_positive(limit))

    def why_related(self, one: str, other: str) -> "Path":
        """The best path from one memory to another along edges, tags and entities: why the two are related.

        By their ids; entities and tags by theirs (`entity://…`, `tag:…`).
        """
        graph = self._graph()
        ends = [known if known in graph.nodes else self._id(known) for known in (one, other)]
        found = graph.path(*ends)
        if found is None:
            raise NotFound(f"nothing relates {ends[0]} and {ends[1]}")
        return found

    def episode_order(self, episode: str) -> list[Memory]:
        """The members of an episode so that each comes after all that led to it."""
        from recollect.graph.analytics import ordered  # noqa: PLC0415 - only who asks pays for it

        known = self._id(episode)
        asleep_too = (State.ACTIVE, State.DORMANT)
        where = Filter(run=known, kinds=("step",), states=asleep_too, any_session=True)
        members = self.store.find(self.user, where)
        edges = self.store.edges(self.user, [known], ["part_of"])
        linked = [edge.source for edge in edges if edge.target == known]
        memories = {memory.id: memory for memory in members}
        memories |= {one.id: one for one in map(self.find, linked) if one is not None}
        if not memories:
            raise NotFound(f"{known} has no members: it is no episode, or nothing was done in it")
        given = sorted(memories.values(), key=lambda one: (one.recorded_at, one.id))
        steps = [one.id for one in given if one.kind == "step"]
        before = [*pairwise(steps)]
        related = self.store.edges(self.user, [*memories], list(EPISODE_BEFORE))
        before += [(edge.source, edge.target) for edge in related]
        order = ordered([one.id for one in given], before)
        if order is None:
            # Whoever linked them in a circle is believed as little as the links: time decides.
            order = [one.id for one in given]
        return [memories[one] for one in order]

    def geometry(self, *, channel: str | None = None) -> "list[Geometry]":
        """Of each channel, or of one, whether its memories form levels, whether texts tell them, and which space fits.

        Also which space recalls go by, and how a curvature stands that is on trial.
        """
        from recollect.graph.geometry import geometry  # noqa: PLC0415 - only who asks pays for it

        return [geometry(known, rows, vectors) for known, rows, vectors, _ in self._by_channel(channel)]

    def _by_channel(
        self, channel: str | None = None
    ) -> "Iterator[tuple[str, Rows, dict[str, NDArray[np.float32]], dict[str, int]]]":
        """Of each channel, or of one, the graph, and the memories' vectors and contents."""
        import numpy as np  # noqa: PLC0415 - only who asks pays for it

        from recollect.graph.shape import graph_rows  # noqa: PLC0415

        only = None if channel is None else (channel,)
        asleep_too = (State.ACTIVE, State.DORMANT)
        survey = self.store.survey(self.user, Filter(channels=only, states=asleep_too, any_session=True))
        numbers, held = self.store.vectors(self.user, distinct(survey.contents))
        place = {content: at for at, content in enumerate(numbers.tolist())}
        for known in sorted(set(survey.channels.tolist())):
            own = survey.channels == known
            contents = dict(zip(survey.ids[own].tolist(), survey.contents[own].tolist(), strict=True))
            vectors = {
                one: held[place[content]].astype(np.float32)
                for one, content in contents.items()
                if content in place
            }
            yield known, graph_rows(self.store, self.user, _naming(), known), vectors, contents

    def close(self) -> None:
        self._end_copy()
        super().close()

    def _purging(self, ids: Sequence[str]) -> None:
        # The copy holds texts that are about to be erased: it goes as a whole.
        self._end_copy()
        super()._purging(ids)

    def _end_copy(self) -> None:
        with self._index_lock:
            if self._cypher_copy is not None:
                self._cypher_copy.end()

    def _graph(self) -> "Graph":
        from recollect.graph.analytics import Graph  # noqa: PLC0415 - only who asks pays for it

        return Graph(self._rows())

    def _rows(self) -> "Rows":
        from recollect.graph.shape import graph_rows  # noqa: PLC0415 - only who asks pays for it

        return graph_rows(self.store, self.user, _naming())

    def _copy(self) -> "CypherCopy":
        from recollect.graph.cypher import CypherCopy, Limits  # noqa: PLC0415 - only who asks pays for it
        from recollect.graph.following import Followed  # noqa: PLC0415

        with self._index_lock:
            if self._cypher_copy is None:
                chosen = self.settings.graph
                limits = Limits(chosen.cypher_seconds, chosen.cypher_megabytes)
                self._cypher_copy = CypherCopy(limits, lambda: Followed(self.store, self.user, _naming()))
            return self._cypher_copy


def _naming() -> "Naming":
    from recollect.graph.shape import Naming  # noqa: PLC0415 - only who asks pays for it
    from recollect.learn.influences import influence_edges  # noqa: PLC0415
    from recollect.write.entities import merged, named_in  # noqa: PLC0415

    return Naming(named_in, merged, influence_edges)


def _bound(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as the other process is told them: moments as texts, which `timestamp($name)` reads."""
    try:
        told = json.dumps(dict(parameters), default=str, allow_nan=False)
    except ValueError as error:
        raise InvalidInput(f"a parameter cannot be bound ({error}): bind numbers that are finite") from None
    if len(told) > MOST_PARAMETERS:
        raise InvalidInput("the parameters are too long: bind less")
    bound: dict[str, Any] = json.loads(told)
    return bound


def _positive(limit: int) -> int:
    if not 1 <= limit <= 1_000:
        raise InvalidInput(f"the limit lies between 1 and 1000, not {limit}")
    return limit
