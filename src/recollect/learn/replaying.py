"""Outcomes that were told in another store, learnt here: each at its own moment, by the same way as any other."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.learn.experience import STEPS
from recollect.learn.knowing import Tools
from recollect.learn.learner import Learner
from recollect.learn.params import LearningParams
from recollect.learn.values import OUTCOME
from recollect.model import Record
from recollect.ports import Changes, Store


@dataclass(slots=True)
class Then:
    """A clock that stands at the moment that is told of."""

    at: datetime

    def now(self) -> datetime:
        return self.at


class Replaying(Learner):
    """Learns outcomes of another store. Skills are not made of them: those come as memories."""

    def __init__(self, tools: Tools, user: str, counted: Container[str]) -> None:
        """The counters of `counted` memories hold what the outcomes taught about them already."""
        self._here, self._then, self._counted = tools.clock, Then(tools.clock.now()), counted
        super().__init__(replace(tools, clock=self._then, practised=lambda *_: None), user)

    def replay(
        self, episode_id: str, success: bool, at: datetime, params: LearningParams, used: Sequence[str]
    ) -> None:
        """Ends an episode as it ended then; what it used and is not here counts nowhere."""
        self._then.at = at
        here = [one for one in used if self._tools.store.get(self.user, one) is not None]
        self.finish(episode_id, success, params, here)

    def _in_turn(self, changes: Changes, turn: Record | None) -> bool:
        left = {one: values for one, values in changes.counters.items() if one not in self._counted}
        return super()._in_turn(replace(changes, at=self._here.now(), counters=left), turn)


def touched(store: Store, user: str, but: Container[str]) -> set[str]:
    """The memories whose counters an outcome has changed here, of any episode but some."""
    values = [one.value for one in store.records(user, OUTCOME) if one.key not in but]
    contents = {one for value in values for one in (*value["used"], *(row[0] for row in value["decayed"]))}
    steps = store.shown(user, sorted(contents), STEPS) if contents else []
    return {one.id for one in steps} | {one for value in values for one in value.get("recalled", ())}
