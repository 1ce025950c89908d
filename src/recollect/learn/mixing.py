"""Which hits helped → how much the level that is asked for weighs beside the content."""

from datetime import datetime
from typing import Final, NamedTuple

import numpy as np

from recollect.errors import Conflict
from recollect.formulas.mixing import mixed, unmixed
from recollect.formulas.weighing import Weighing, WeighingParams, learned
from recollect.ports import Changes, RecordChange, Store

MIXING, KEY = "mixing", "levels"
TRIES: Final = 5
PARAMS: Final = WeighingParams()


class Judged(NamedTuple):
    """A hit that somebody judged: what its content and its level scored, each from 0 to 1."""

    content: float
    level: float
    helpful: bool


class Mixing:
    """What one user's judgements taught, which follows the store."""

    def __init__(self, store: Store, user: str) -> None:
        self._store, self._user = store, user

    def weight(self, before: float) -> float:
        """What the level weighs by now."""
        return mixed(before, self._known()[0])

    def learn(self, judged: list[Judged], at: datetime) -> None:
        """Takes judgements in, in their order."""
        for _ in range(TRIES):
            state, revision = self._known()
            for one in judged:
                state = learned(state, [one.content, one.level], one.helpful, PARAMS)
            value = {
                "gained": state.gained.tolist(),
                "usual": state.usual.tolist(),
                "outcomes": state.outcomes,
                "successes": state.successes,
            }
            change = RecordChange(MIXING, KEY, value, revision)
            try:
                self._store.write(self._user, Changes("mixing", at, records=(change,)))
            except Conflict:
                continue
            return
        raise Conflict("others keep judging at the same time; try again")

    def _known(self) -> tuple[Weighing, int]:
        record = self._store.record(self._user, MIXING, KEY)
        if record is None:
            return unmixed(), 0
        told = record.value
        state = Weighing(
            np.array(told["gained"]), np.array(told["usual"]), told["outcomes"], told["successes"]
        )
        return state, record.revision
