"""What the steps of a dream look at: every awake memory as columns, kept up with what the steps decide."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.dream.params import DreamParams
from recollect.dream.proposal import Proposal, Sleep
from recollect.formulas.fading import floating_threshold, kept_days
from recollect.formulas.fsrs import fsrs_retention
from recollect.formulas.retention import retention
from recollect.model import KEYED, Filter, Lane, Memory, microseconds
from recollect.ports import Generator, NewText, Store, Survey

DAY = timedelta(days=1) / timedelta(microseconds=1)
FORMED = Filter(lanes=(Lane.MEMORY,), any_session=True)
"""A dream concerns what was formed; the log stays as it was said."""
COLUMNS = {"stability": "stability", "strength": "strength", "utility": "utility", "tier": "tiers"}

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]
Recall = Callable[[str, Memory], Sequence[str]]
"""The ids that a cue brings back, asked where a memory is seen."""


class Night:
    """One user's awake memories, as the steps so far have left them."""

    def __init__(
        self,
        store: Store,
        user: str,
        now: datetime,
        *,
        params: DreamParams,
        recall: Recall,
        encode: Callable[[Memory], NewText],
        new_id: Callable[[], str],
        backfill: Callable[[int], int] = lambda _: 0,
        folder: Path | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.encode, self.new_id = encode, new_id
        self.backfill, self.folder, self.generator = backfill, folder, generator
        self.known: dict[str, Any] = {}
        """What a step has worked out and a later one may use again."""
        self.store, self.user, self.now, self.params, self.recall = store, user, now, params, recall
        self.since: datetime | None = None
        """When the step was done before; None where it never was."""
        self.survey: Survey = store.survey(user, FORMED)
        self.awake: Flags = np.ones(len(self.survey), np.bool_)
        self.cursor = ""
        """Behind which a step goes on that was interrupted."""
        self.resumes = False
        """Whether the step had written something before it was interrupted."""
        felt = self.survey.arousal >= params.flashbulb
        self.keyed: Flags = np.isin(self.survey.kinds.astype(str), KEYED)
        """Kept by an application under a key of its own."""
        self.protected: Flags = self.survey.pinned | self.survey.immutable | felt | self.keyed
        """Pinned, immutable, felt too strongly to be forgotten, or an application's own."""
        self._places = {one: place for place, one in enumerate(self.survey.ids.tolist())}

    @property
    def current(self) -> Flags:
        """Awake, and neither replaced nor past its time."""
        return self.awake & ~self.survey.superseded & (self.survey.valid_until > microseconds(self.now))

    @property
    def age_days(self) -> NDArray[np.float64]:
        return (microseconds(self.now) - self.survey.began_at) / DAY

    @property
    def idle_days(self) -> NDArray[np.float64]:
        """How long nobody has used it."""
        return (microseconds(self.now) - self.survey.last_accessed_at) / DAY

    @property
    def elapsed_days(self) -> NDArray[np.float64]:
        """For how long it was idle since the dream before this one."""
        since = np.iinfo(np.int64).min if self.since is None else microseconds(self.since)
        idle = microseconds(self.now) - np.maximum(self.survey.last_accessed_at, since)
        elapsed: NDArray[np.float64] = np.maximum(idle, 0) / DAY
        return elapsed

    def retention(self, days: NDArray[np.float64]) -> NDArray[np.float64]:
        """How well each is remembered after so many days without use."""
        curve = fsrs_retention if self.params.curve == "fsrs6" else retention
        return curve(days, self.survey.stability)

    @property
    def kept_days(self) -> NDArray[np.float64]:
        """For how long each is kept in any case, by its kind (C12)."""
        kept = {kind: kept_days(kind, self.params.fading) for kind in set(self.survey.kinds.tolist())}
        return np.fromiter((kept[kind] for kind in self.survey.kinds), np.float64, len(self.survey))

    @property
    def past_its_keep(self) -> Flags:
        return self.age_days >= self.kept_days

    @property
    def little_used(self) -> Flags:
        """Not used more than is usual: the threshold floats with the mean of all (C12)."""
        return self.survey.access_count <= floating_threshold(self.survey.access_count[self.awake])

    def place(self, memory_id: str) -> int | None:
        """Where a memory stands in the survey; None where it is not awake."""
        place = self._places.get(memory_id)
        return place if place is not None and self.awake[place] else None

    def is_current(self, place: int) -> bool:
        seen = self.survey
        over = seen.valid_until[place] <= microseconds(self.now)
        return bool(self.awake[place] and not seen.superseded[place] and not over)

    def batches(self, chosen: Flags, *, once: bool = False) -> Iterator[Places]:
        """The places of the chosen by id, a batch at a time.

        `once` is for what would be more if it were done twice: it goes on where the step was interrupted.
        """
        places = np.flatnonzero(chosen & self.awake)
        if once:
            places = places[self.survey.ids[places] > self.cursor]
        for start in range(0, len(places), self.params.batch):
            yield places[start : start + self.params.batch]

    def counted(self, places: Places, rules: str | Sequence[str], **columns: Sequence[object]) -> Proposal:
        """A proposal that sets learnt counters of the memories at these places, under a rule or one for each."""
        ids = self.survey.ids[places].tolist()
        why = [rules] * len(ids) if isinstance(rules, str) else rules
        values = zip(*columns.values(), strict=True)
        counters = {
            one: dict(zip(columns, value, strict=True)) for one, value in zip(ids, values, strict=True)
        }
        return Proposal(counters, rules=dict(zip(ids, why, strict=True)), cursor=ids[-1])

    def sleeping(self, places: Places, rule: str) -> Proposal:
        """A proposal that makes the memories at these places dormant."""
        ids = self.survey.ids[places].tolist()
        return Proposal(asleep=dict.fromkeys(ids, Sleep(rule)))

    def take(self, proposal: Proposal) -> None:
        """Sees the memories as the proposal leaves them."""
        for memory_id, values in proposal.counters.items():
            for name, value in values.items():
                getattr(self.survey, COLUMNS[name])[self._places[memory_id]] = value
        for memory_id in proposal.asleep:
            self.awake[self._places[memory_id]] = False
        for memory_id, revision in proposal.revised.items():
            place = self._places[memory_id]
            self.survey.confidence[place] = revision.values.get("confidence", self.survey.confidence[place])
            self.survey.superseded[place] |= "superseded_by" in revision.values
