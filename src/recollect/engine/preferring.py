"""What people say of hits, and how runs ended that used them, as contrasts of the questions that brought them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from recollect.engine.dreaming import Dreaming
from recollect.engine.learning import Learning
from recollect.engine.refining import Refining
from recollect.given import IDS, texts
from recollect.recall.hits import OWN, Recall
from recollect.recall.query import Query
from recollect.settings import Settings
from recollect.short_lived import Desk
from recollect.write.text import clean

if TYPE_CHECKING:
    from recollect.learn.values import Outcome

BROUGHT: Final = "brought"
JUDGED: Final = "judged"
REMEMBERED: Final = 50
"""So many of the last recalls are known, for whoever judges their hits."""


class Preferring(Refining, Learning, Dreaming):
    """With `learning.lens` or `learning.gnn` on, feedback and outcomes teach what `contrast` teaches."""

    def feedback(self, memory_ids: str | Iterable[str], *, helpful: bool) -> None:
        """Says that memories helped, or did not: their utility, strength and confidence follow; all or none.

        Where contrasts teach something, this is one: what helped was better for the question that brought it than
        what did not, and than what stood above it.
        """
        given = texts(IDS, memory_ids)
        super().feedback(given, helpful=helpful)
        self._prefer(given, helpful=helpful)

    def outcome(self, episode_id: str, *, success: bool, used: str | Iterable[str] = ()) -> "Outcome":
        """Ends an episode that is open and learns from it: one transaction.

        How it ended also counts for the memories that it `used`, as `feedback` on them does.
        """
        given = texts(IDS, used)
        learnt = super().outcome(episode_id, success=success, used=given)
        self._prefer(given, helpful=success)
        return learnt

    def _answered(self, query: Query, found: Recall) -> None:
        """Keeps for a while what a question brought."""
        super()._answered(query, found)
        hits = [hit.id for hit in found if hit.whence == OWN]
        # By the settings that this recall has read.
        if _prefers(self.settings) and hits and query.text.strip():
            told = {"question": clean(query.text).text, "hits": hits}
            seconds = self.settings.working.ttl_seconds
            self._working_store.push(self._brought(), BROUGHT, told, keep=REMEMBERED, ttl_seconds=seconds)

    def _prefer(self, ids: Sequence[str], *, helpful: bool) -> None:
        from recollect.learn.preferences import preferred  # noqa: PLC0415 - only who adapts pays for it

        if not ids or not _prefers(self.refreshed()):
            return
        now = [self._id(one) for one in ids]
        desk = self._brought()
        brought: list[dict[str, Any]] = self._working_store.listed(desk, BROUGHT, REMEMBERED)
        known = {hit for one in brought for hit in one["hits"]}
        said = {**(self._working_store.get(desk, JUDGED) or {}), **dict.fromkeys(now, helpful)}
        judged: dict[str, bool] = {hit: one for hit, one in said.items() if hit in known}
        self._working_store.put(desk, JUDGED, judged, self.settings.working.ttl_seconds)
        last = next((one for one in reversed(brought) if not set(now).isdisjoint(one["hits"])), None)
        if last is None:
            return
        # What was purged meanwhile can be compared with nothing.
        hits = [one for one in last["hits"] if self.find(one) is not None]
        better, worse = preferred(hits, judged, now)
        if better:
            self.contrast(last["question"], better=better, worse=worse)

    def _brought(self) -> Desk:
        return Desk(self.user, self.channel, "_lens")


def _prefers(settings: Settings) -> bool:
    return settings.memory.records and (settings.learning.lens or settings.learning.gnn)
