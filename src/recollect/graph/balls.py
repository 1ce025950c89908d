"""How each channel's memories lie, as it is kept: the ball that was fitted, and a curvature that is on trial.

A record a channel. It holds what was learnt of a channel as a whole, and of no memory by itself: what was fitted can be
fitted anew from the store at any time.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recollect.errors import Conflict, InvalidInput
from recollect.formulas.ball import Ball, Reader
from recollect.formulas.posterior import usage_success
from recollect.model import Record
from recollect.ports import Changes, RecordChange, Store

BALL: Final = "ball"
"""The kind of record; its key is the channel."""
LEAST, MOST = 0.01, 10.0
"""Between these lies a curvature."""
JUDGED: Final = 20
"""So many judgements of either side decide a trial."""
USUAL, TRIAL = "usual", "trial"
_PARTS: Final = 10_000
TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """A curvature on trial: which, on what share of the questions, and what came of it on either side."""

    curvature: float
    share: float
    judged: Mapping[str, tuple[int, int]]
    """By side, how many hits helped and how many did not."""

    @property
    def verdict(self) -> str | None:
        """The side that served better, once both were judged often enough."""
        if any(sum(self.judged[side]) < JUDGED for side in (USUAL, TRIAL)):
            return None
        rates = {side: float(usage_success(won, won + lost)) for side, (won, lost) in self.judged.items()}
        return TRIAL if rates[TRIAL] > rates[USUAL] else USUAL


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a channel."""

    model: str
    ball: Ball
    trial: Trial | None = None
    fitted: str = ""
    """When it was fitted last."""
    revision: int = 0

    def serving(self, question: str) -> tuple[Ball, str]:
        """The ball that a question is answered with, and of which side of a trial that is."""
        if self.trial is None or crc32(question.encode()) % _PARTS >= self.trial.share * _PARTS:
            return self.ball, USUAL
        return replace(self.ball, curvature=self.trial.curvature), TRIAL


class Balls:
    """The balls of one user's channels, which follow the store: what another process changes counts at once."""

    def __init__(self, store: Store, user: str, model: str) -> None:
        self._store, self._user, self.model = store, user, model
        self._known: dict[str, Kept] = {}

    def of(self, channel: str) -> Kept:
        """What is kept of a channel; where nothing is, or it is of another model, what is usual."""
        record = self._store.record(self._user, BALL, channel)
        if record is None:
            return Kept(self.model, Ball())
        known = self._known.get(channel)
        if known is None or known.revision != record.revision:
            known = self._known[channel] = _restored(record)
        return known if known.model == self.model else Kept(self.model, Ball(), revision=known.revision)

    def fit(self, channel: str, ball: Ball, at: datetime) -> None:
        """Keeps what was fitted; a trial goes on."""
        self._update(channel, at, lambda now: replace(now, ball=ball, fitted=at.isoformat()))

    def choose(self, channel: str, curvature: float, at: datetime, share: float | None = None) -> None:
        """Puts a channel on a curvature from the next question on, or, with a share, on trial beside its own."""
        if not LEAST <= curvature <= MOST:
            raise InvalidInput(f"a curvature lies between {LEAST} and {MOST}, not {curvature}")
        if share is not None and not 0.0 < share < 1.0:
            raise InvalidInput(f"the share of a trial lies between 0 and 1, not {share}")
        trial = None if share is None else Trial(curvature, share, {USUAL: (0, 0), TRIAL: (0, 0)})

        def chosen(now: Kept) -> Kept:
            ball = replace(now.ball, curvature=curvature) if trial is None else now.ball
            return replace(now, ball=ball, trial=trial)

        self._update(channel, at, chosen)

    def judge(self, channel: str, side: str, *, helpful: bool, at: datetime) -> None:
        """Counts a judgement for a side of a trial, where there is one; the last that is needed ends it."""
        if self.of(channel).trial is not None:
            self._update(channel, at, lambda now: _judged(now, side, helpful=helpful))

    def _update(self, channel: str, at: datetime, change: Callable[[Kept], Kept]) -> None:
        for _ in range(TRIES):
            kept = change(self.of(channel))
            record = RecordChange(BALL, channel, _value(kept), kept.revision)
            detail = {
                "channel": channel,
                "curvature": kept.ball.curvature,
                "trial": kept.trial and kept.trial.curvature,
            }
            try:
                self._store.write(self._user, Changes("geometry", at, records=(record,), detail=detail))
            except Conflict:
                continue
            return
        raise Conflict(f"the geometry of {channel} keeps being changed by others; try again")


def _judged(now: Kept, side: str, *, helpful: bool) -> Kept:
    if now.trial is None:
        return now
    won, lost = now.trial.judged[side]
    counted = {**now.trial.judged, side: (won + helpful, lost + (not helpful))}
    trial = replace(now.trial, judged=counted)
    if trial.verdict is None:
        return replace(now, trial=trial)
    curvature = trial.curvature if trial.verdict == TRIAL else now.ball.curvature
    return replace(now, ball=replace(now.ball, curvature=curvature), trial=None)


def _value(kept: Kept) -> dict[str, Any]:
    ball, reader, trial = kept.ball, kept.ball.reader, kept.trial
    return {
        "model": kept.model,
        "fitted": kept.fitted,
        "curvature": ball.curvature,
        "spread": ball.spread,
        "centre": None if ball.centre is None else _packed(ball.centre),
        "reader": None
        if reader is None
        else {"usual": _packed(reader.usual), "weights": _packed(reader.weights), "depth": reader.depth},
        "trial": None
        if trial is None
        else {
            "curvature": trial.curvature,
            "share": trial.share,
            "judged": {side: list(counts) for side, counts in trial.judged.items()},
        },
    }


def _restored(record: Record) -> Kept:
    told = record.value
    read, tried = told["reader"], told["trial"]
    reader = read and Reader(_unpacked(read["usual"]), _unpacked(read["weights"]), read["depth"])
    centre = None if told["centre"] is None else _unpacked(told["centre"])
    trial = tried and Trial(
        tried["curvature"],
        tried["share"],
        {side: (counts[0], counts[1]) for side, counts in tried["judged"].items()},
    )
    ball = Ball(told["curvature"], told["spread"], centre, reader)
    return Kept(told["model"], ball, trial, told["fitted"], record.revision)


def _packed(values: NDArray[np.float64]) -> str:
    return b64encode(values.astype(np.float32).tobytes()).decode()


def _unpacked(text: str) -> NDArray[np.float64]:
    return np.frombuffer(b64decode(text), np.float32).astype(np.float64)
