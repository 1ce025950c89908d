"""How episodes ended that come from another store, learnt here."""

from typing import TYPE_CHECKING

from recollect.engine.learning import Learning
from recollect.exchange.importing import Report
from recollect.exchange.jsonl import Bundle
from recollect.exchange.learnt import Ended, ending, undoings
from recollect.model import Counters

if TYPE_CHECKING:
    from recollect.learn.replaying import Replaying


class Relearning(Learning):
    """Each ending is learnt once, by the rules of this store; what is known here of an episode stands."""

    def _relearn(self, bundle: Bundle, report: Report) -> None:
        """Learns how the episodes of a bundle ended, in its order; where an episode ended otherwise here, it is told."""
        new = [one for one in bundle.endings if self._is_news(one, report)]
        if not new:
            return
        undone, learner = undoings(self.store, self.user), self._replaying(bundle)
        # What was taken back first, so that nothing is learnt in the light of it.
        ended = [one for one in new if ending(self.store, self.user, one.episode) is not None]
        for one in ended:
            learner.undo(one.episode)
        for one in new:
            back = undone.get(one.episode)
            if one.success is not None and one.at is not None and (back is None or back < one.at):
                learner.replay(one.episode, one.success, one.at, self._learning_params(), one.used)
                report.outcomes += 1
        report.outcomes += len(ended)

    def _is_news(self, told: Ended, report: Report) -> bool:
        """Whether an episode is here, and open, or was opened again there since it ended here."""
        episode = self.find(told.episode)
        if episode is None or episode.kind != "episode":
            return False
        ours = ending(self.store, self.user, told.episode)
        if ours is None:
            return told.success is not None
        if told.takes_back(ours):
            return True
        if told.success not in (None, ours.success):
            report.conflicts.append(told.episode)
        return False

    def _replaying(self, bundle: Bundle) -> "Replaying":
        from recollect.learn.knowing import Tools  # noqa: PLC0415 - only who learns pays for it
        from recollect.learn.replaying import Replaying, touched  # noqa: PLC0415

        self._check_model()
        known = self.store.counters(self.user, list(bundle.counters))
        # What use has taught there, and nothing else here, has these outcomes in it.
        as_told = {one for one, told in bundle.counters.items() if known.get(one, Counters()) == told}
        if as_told:
            as_told -= touched(self.store, self.user, {one.episode for one in bundle.endings})
        new_id = self._writer.ids.new
        tools = Tools(self.store, self._embedder, self._clock, new_id, self._prepared, self._practised)
        return Replaying(tools, self.user, as_told)
