"""The verbs of levels: how memories lie from the general to the particular, and how much that counts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from recollect.engine.dreaming import Dreaming
from recollect.engine.graphing import Graphing
from recollect.formulas.ball import Ball
from recollect.given import IDS, texts
from recollect.recall.hits import OWN, Recall
from recollect.recall.query import Query
from recollect.recall.work import LEVEL_WEIGHT, Geometry, Reached
from recollect.short_lived import Desk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.graph.balls import Balls, Kept
    from recollect.graph.geometry import Geometry as Report
    from recollect.graph.tangents import Tangents
    from recollect.learn.mixing import Mixing

SERVED = "served"
REMEMBERED = 50
"""So many of the last recalls that asked for a level are known, for whoever judges their hits."""


class Levelling(Graphing, Dreaming):
    """Fits, tries and judges; `recall(level=…)` goes by it."""

    _own_balls: "Balls | None" = None

    @cached_property
    def _seen(self) -> "dict[str, tuple[str, Tangents | None]]":
        return {}

    def geometry(self, *, channel: str | None = None) -> "list[Report]":
        """The same, with what is in use of each."""
        return [self._standing(report) for report in super().geometry(channel=channel)]

    def fit_geometry(self, *, channel: str | None = None) -> "list[Report]":
        """Learns of each channel, or of one, how its memories lie: what texts tell of their level, and in which space.

        Gives the report. What was learnt counts from the next recall on, in every process.
        """
        from recollect.graph.geometry import fitted  # noqa: PLC0415 - only who asks pays for it

        self._check_model()
        reports, now = [], self._clock.now()
        for known, rows, vectors, _ in self._by_channel(channel):
            report, ball = fitted(known, rows, vectors)
            if ball is not None and self.refreshed().memory.records:
                self._balls().fit(known, ball, now)
            reports.append(self._standing(report))
        return reports

    def _standing(self, report: "Report") -> "Report":
        """The report with what is in use: a curvature that was fitted or chosen, and one on trial."""
        kept = self._balls().of(report.channel)
        used = kept.ball.curvature if kept.revision else None
        return replace(report, used=used, fitted_at=kept.fitted or None, trial=kept.trial)

    def set_curvature(
        self, curvature: float, *, channel: str | None = None, trial: float | None = None
    ) -> None:
        """Lays a channel out in a ball of another curvature, from the next recall on.

        With `trial`, only for that share of the questions, beside the present one: `feedback` on what either brought
        decides which stays, once both were judged twenty times.
        """
        place = self._place(channel).channel
        self._balls().choose(place, curvature, self._clock.now(), trial)

    def level_weight(self) -> float:
        """What the level that is asked for weighs beside the content; with `learning.levels` feedback teaches it."""
        return self._mixing().weight(LEVEL_WEIGHT) if self.refreshed().learning.levels else LEVEL_WEIGHT

    def feedback(self, memory_ids: str | Iterable[str], *, helpful: bool) -> None:
        """Says that memories helped, or did not: their utility, strength and confidence follow; all or none.

        Of hits of a recall that asked for a level, it also says how much the level should count.
        """
        given = texts(IDS, memory_ids)
        super().feedback(given, helpful=helpful)
        if self.settings.memory.records:
            self._judge([self._id(one) for one in given], helpful=helpful)

    def _levels(self) -> Geometry:
        return Geometry(self._ball, self.level_weight, self._near)

    def _ball(self, channel: str, question: str) -> Ball:
        return self._balls().of(channel).serving(question)[0]

    def _near(
        self,
        channels: Sequence[str],
        question: str,
        vector: "NDArray[np.float32]",
        level: int,
        count: int,
    ) -> Reached:
        """What lies nearest in the balls of those channels that were fitted."""
        import numpy as np  # noqa: PLC0415 - only who asks for a level pays for it

        found, measured, of = [np.empty(0, np.int64)], 0, 0
        for channel in channels:
            kept = self._balls().of(channel)
            seen = self._tangents(channel, kept)
            if seen is not None:
                ball = kept.serving(question)[0]
                contents, nearest = seen.near(
                    ball, vector, level, count, partial(self.store.vectors, self.user)
                )
                found.append(contents)
                measured, of = measured + nearest.measured, of + len(seen.contents)
        return Reached(np.concatenate(found), measured, of)

    def _tangents(self, channel: str, kept: "Kept") -> "Tangents | None":
        """A channel as it is seen from the centre of its ball, made when it is first needed after a fit."""
        from recollect.graph.tangents import tangents  # noqa: PLC0415 - only who asks for a level pays for it

        if kept.ball.centre is None:
            return None
        with self._index_lock:
            known = self._seen.get(channel)
            if known is None or known[0] != kept.fitted:
                made = None
                for _, rows, vectors, contents in self._by_channel(channel):
                    made = tangents(rows, vectors, contents, kept.ball)
                known = self._seen[channel] = (kept.fitted, made)
            return known[1]

    def _purging(self, ids: Sequence[str]) -> None:
        # What is seen of a channel holds numbers of what is about to be erased.
        with self._index_lock:
            self._seen.clear()
        super()._purging(ids)

    def _answered(self, query: Query, found: Recall) -> None:
        """Keeps for a while what a recall that asked for a level brought, and by what."""
        super()._answered(query, found)
        signal = next((name for name in ("hierarchy", "level") if name in found.trace.weights), None)
        if signal is None:
            return
        told = {
            hit.id: (
                hit.memory.channel,
                self._balls().of(hit.memory.channel).serving(query.text)[1],
                hit.score - hit.signals[signal],
                hit.values[signal],
            )
            for hit in found
            if hit.whence == OWN and signal in hit.signals
        }
        seconds = self.settings.working.ttl_seconds
        self._working_store.push(self._desk(), SERVED, told, keep=REMEMBERED, ttl_seconds=seconds)

    def _judge(self, ids: list[str], *, helpful: bool) -> None:
        from recollect.learn.mixing import Judged  # noqa: PLC0415 - only who judges levels pays for it

        served: dict[str, Any] = {}
        for one in self._working_store.listed(self._desk(), SERVED, REMEMBERED):
            served |= one
        now = self._clock.now()
        told = [served[one] for one in ids if one in served]
        for channel, side, _, _ in told:
            self._balls().judge(channel, side, helpful=helpful, at=now)
        if told and self.settings.learning.levels:
            judged = [Judged(min(max(content, 0.0), 1.0), level, helpful) for _, _, content, level in told]
            self._mixing().learn(judged, now)

    def _desk(self) -> Desk:
        return Desk(self.user, self.channel, "_levels")

    def _mixing(self) -> "Mixing":
        from recollect.learn.mixing import Mixing  # noqa: PLC0415 - only who asks for a level pays for it

        return Mixing(self.store, self.user)

    def _balls(self) -> "Balls":
        from recollect.graph.balls import Balls  # noqa: PLC0415 - only who asks for a level pays for it

        with self._index_lock:
            if self._own_balls is None or self._own_balls.model != self._embedder.name:
                self._own_balls = Balls(self.store, self.user, self._embedder.name)
            return self._own_balls
