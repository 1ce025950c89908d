"""The verbs by which outcomes of many users say what of the published serves."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.engine.dreaming import Dreaming
from recollect.engine.granting import Granting
from recollect.engine.learning import Learning
from recollect.errors import NotFound
from recollect.given import IDS, answer, texts

if TYPE_CHECKING:
    from recollect.learn.values import Outcome


class Coordinating(Granting, Learning, Dreaming):
    """What one's runs that used published items came to; only that it went well or not is ever told."""

    def report(self, item_ids: str | Iterable[str], *, success: bool) -> list[str]:
        """Says how a run went that used published items; gives those for which it counts.

        One account has one voice about an item, however often it reports. Nothing is told of an item before enough
        accounts have, and then with noise.
        """
        answer("the run went well or not: True or False", success)
        given = texts("items are named by their ids", item_ids)
        return self.library.tell(self.user, given, success=success)

    def outcome(self, episode_id: str, *, success: bool, used: str | Iterable[str] = ()) -> "Outcome":
        """Ends an episode that is open and learns from it: one transaction.

        How it ended also counts for what it `used`: for memories of one's own, and, as by `report`, for published
        items. What was reported stays so when the outcome is undone.
        """
        own, published = self._parted(used)
        learnt = super().outcome(episode_id, success=success, used=own)
        if published:
            self.report(published, success=success)
        return learnt

    def feedback(self, memory_ids: str | Iterable[str], *, helpful: bool) -> None:
        """Says that memories helped, or did not: their utility, strength and confidence follow; all or none.

        Of published items it is reported, as by `report`.
        """
        own, published = self._parted(memory_ids)
        super().feedback(own, helpful=helpful)
        if published:
            self.report(published, success=helpful)

    def coordinate(self, *, minutes: float = 0.0) -> int | None:
        """Lets what was reported move the ranks; gives how many items were judged anew, None where it is not due."""
        return self.library.coordinate(timedelta(minutes=minutes))

    def is_own(self, memory_id: str) -> bool:
        """Whether an id, or the beginning of one, is of one's own memory."""
        return bool(memory_id) and bool(self.store.resolve(self.user, memory_id))

    def _parted(self, ids: str | Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
        """Ids of one's own memory, and those of published items, which nothing here is known by."""
        given = texts(IDS, ids)
        published = [one for one in given if not self.is_own(one) and self._is_item(one)]
        return [one for one in given if one not in published], published

    def _is_item(self, item_id: str) -> bool:
        try:
            return self.item(item_id) is not None
        except NotFound:
            return False
