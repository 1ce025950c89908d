"""The verbs that ask what comes before what: Granger's test between entities and tags."""

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING

from recollect.engine.core import Core
from recollect.errors import InvalidInput, NotFound
from recollect.model import GLOBAL_CHANNEL, Edge, Filter, Lane, State
from recollect.ports import Changes, RecordChange

if TYPE_CHECKING:
    from recollect.learn.influences import Influence

COMPARED = 30
"""So many of the most named are compared with each other, unless told otherwise."""
RATE = 0.05
OPERATION = "influences"


class Influencing(Core):
    """What is named today because something else was named before; prediction, not proof of a cause."""

    def influence(
        self, cause: str, effect: str, *, period: str = "day", lags: int = 3, channel: str | None = None
    ) -> "Influence":
        """Whether mentions of one come before mentions of another, beyond what the other's own past foretells.

        Both are entities, by name or id, or tags (`tag:…`). Refused where either series is too short.
        """
        from recollect.learn.influences import Asked, influence, series  # noqa: PLC0415 - only who asks pays

        asked = Asked(period, lags)
        moments, names = self._moments(channel)
        ends = [_resolved(one, moments, names) for one in (cause, effect)]
        if ends[0] == ends[1]:
            raise InvalidInput(f"{cause} and {effect} are the same: name two")
        return influence(ends[0], ends[1], series(moments, period), asked)

    def learn_influences(
        self,
        *,
        period: str = "day",
        lags: int = 3,
        rate: float = RATE,
        limit: int = COMPARED,
        channel: str | None = None,
    ) -> "list[Influence]":
        """Tests every pair of the most named and keeps what is believed, in place of what was; the surest first.

        Of what is believed, at most the share `rate` is chance, on average. They are `granger_causal` edges of the
        graph from then on.
        """
        from recollect.learn import influences as of  # noqa: PLC0415 - only who asks pays

        asked = of.Asked(period, lags)
        moments, _ = self._moments(channel)
        found, _tested = of.influences(of.series(moments, period), asked, rate=rate, limit=limit)
        place = self._place(channel).channel
        kept = RecordChange(of.INFLUENCE, place, of.stored(found) if found else None)
        if found or self.store.record(self.user, of.INFLUENCE, place) is not None:
            self.store.write(self.user, Changes(OPERATION, self._clock.now(), records=(kept,)))
        return found

    def influences(self, *, channel: str | None = None) -> "list[Influence]":
        """What `learn_influences` found last, between those that memories name now; the surest first."""
        from recollect.learn.influences import INFLUENCE, read  # noqa: PLC0415 - only who asks pays

        record = self.store.record(self.user, INFLUENCE, self._place(channel).channel)
        return [] if record is None else read(record, self._moments(channel)[0])

    def _influence_edges(self) -> list[Edge]:
        """The same of every channel, as edges, the weightiest first."""
        from recollect.learn.influences import INFLUENCE, influence_edges  # noqa: PLC0415 - only who asks pays

        if not self.store.records(self.user, INFLUENCE, limit=1):
            return []
        found = influence_edges(self.store, self.user, self._moments(None)[0])
        return sorted(found, key=lambda edge: -edge.weight)

    def _moments(self, channel: str | None) -> tuple[dict[str, list[datetime]], dict[str, str]]:
        """By entity and tag, when it was named; and of each id that an entity goes by, the one that stands for it."""
        from recollect.write.entities import merged, named_in  # noqa: PLC0415 - only who asks pays

        places = (self._place(channel).channel, GLOBAL_CHANNEL)
        where = Filter(
            channels=tuple(dict.fromkeys(places)),
            lanes=(Lane.MEMORY,),
            states=(State.ACTIVE, State.DORMANT),
        )
        memories = [(memory, named_in(memory)) for memory in self.store.find(self.user, where)]
        stands_for = merged(Counter(one for _, named in memories for one in named))
        moments: dict[str, list[datetime]] = {}
        for memory, named in memories:
            nodes = dict.fromkeys(
                [*(stands_for[one] for one in named), *(f"tag:{tag}" for tag in memory.tags)]
            )
            for node in nodes:
                moments.setdefault(node, []).append(memory.valid_from)
        return moments, stands_for


def _resolved(asked: str, moments: dict[str, list[datetime]], names: dict[str, str]) -> str:
    """The node that a name or an id means."""
    from recollect.language.entities import slug  # noqa: PLC0415 - only who asks pays

    if not isinstance(asked, str) or not asked.strip():
        raise InvalidInput("name an entity, or a tag as tag:NAME")
    if asked in moments:
        return asked
    meant = sorted(
        {node for one, node in names.items() if asked == one or one.rpartition("/")[2] == slug(asked)}
    )
    if len(meant) > 1:
        raise InvalidInput(f"{asked} could be {', '.join(meant)}: name one by its id")
    if not meant:
        raise NotFound(f"no memory here names {asked}; `recollect entity` lists who and what is named")
    return meant[0]
