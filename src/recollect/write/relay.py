"""From a stream of events to the log lane and what is formed from it: each event once, in order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.coherence import coherence
from recollect.language.spoken import spoken
from recollect.model import Action, Filter, Lane, Memory
from recollect.ports import Embedder
from recollect.write.events import ABOUT, Event, refusal
from recollect.write.observer import Observer
from recollect.write.policy import EventParams
from recollect.write.result import Remembered
from recollect.write.text import EMBEDDED_CHARACTERS
from recollect.write.turns import Scene, cleaned_of
from recollect.write.writer import Writer

BATCH: Final = 128
RECENT: Final = 4
"""Beside how many of the last of its session an event is held to tell whether the topic changes."""
_INSTANT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Relay:
    """Hands events to the observer: those that the gates let through and that are new."""

    writer: Writer
    observer: Observer
    embedder: Embedder
    params: EventParams

    def take(self, scene: Scene, events: Sequence[Event], *, dry_run: bool = False) -> list[Remembered]:
        """What became of each event, in order. What was taken in is durable, session by session."""
        results: list[Remembered] = []
        for session, group in groupby(events, key=lambda event: event.origin.session):
            place = replace(scene, origin=replace(scene.origin, session=session))
            some = list(group)
            for start in range(0, len(some), BATCH):
                results += self._batch(place, some[start : start + BATCH], dry_run=dry_run)
        return results

    def _batch(self, scene: Scene, events: Sequence[Event], *, dry_run: bool) -> list[Remembered]:
        results = [self._left_out(event) for event in events]
        open_ = [place for place, result in enumerate(results) if result is None]
        new: dict[int, Event] = {}
        for place, earlier in zip(open_, self._kept_before(scene, [events[p] for p in open_]), strict=True):
            if earlier is None:
                new[place] = events[place]
            else:
                text = events[place].text
                results[place] = Remembered(
                    earlier or None, Action.SKIP, "the same event was kept before", text
                )
        switches = self._switches(scene, list(new.values()))
        messages = [event.message(why) for event, why in zip(new.values(), switches, strict=True)]
        kept = self.observer.observe(scene, messages, dry_run=dry_run)
        for place, result in zip(new, kept, strict=True):
            results[place] = result
        return [result for result in results if result is not None]

    def _left_out(self, event: Event) -> Remembered | None:
        reason = refusal(event, self.params)
        return None if reason is None else Remembered(None, Action.SKIP, reason, event.text)

    def _kept_before(self, scene: Scene, events: Sequence[Event]) -> Iterator[str | None]:
        """Of each event, the turn that it is already, or None; an empty id is one of this very batch.

        It is the same if session, time and type are, and its id; where it has none, its text.
        """
        moments = [event.at for event in events if event.at is not None]
        found: list[Memory] = []
        if moments:
            where = Filter(
                channels=(scene.place.channel,),
                lanes=(Lane.LOG,),
                session=scene.origin.session,
                since=min(moments),
                until=max(moments) + _INSTANT,
            )
            found = self.writer.store.find(scene.place.user, where)
        known = {
            (turn.origin.session, turn.valid_from, turn.origin.event_type, name): turn.id
            for turn in found
            for name in (turn.metadata.get(ABOUT, {}).get("id"), turn.text)
            if name is not None
        }
        for event in events:
            if event.at is None:
                yield None
                continue
            name = event.id or cleaned_of(event.message(), scene.admission).text
            mark = (event.origin.session, event.at, event.type, name)
            yield known.get(mark)
            known.setdefault(mark, "")

    def _switches(self, scene: Scene, events: Sequence[Event]) -> list[str | None]:
        """Of each event, why nothing is formed from it: it leaves the topic, and none is found again yet."""
        if self.params.coherence <= 0.0 or not events:
            return [None] * len(events)
        # As the writer embeds them, without secrets: the vectors are then made once.
        texts = [spoken(cleaned_of(one.message(), scene.admission).text, one.speaker) for one in events]
        recent = list(self._recent(scene))
        reasons: list[str | None] = []
        for vector in self.embedder.embed([text[:EMBEDDED_CHARACTERS] for text in texts]):
            before = np.stack(recent[-RECENT:]) if recent else np.empty((0, len(vector)), np.float32)
            how = coherence(vector, before)
            switch = f"the topic changes: {how:.2f} like what came before (events.coherence)"
            reasons.append(switch if how < self.params.coherence else None)
            recent.append(vector)
        return reasons

    def _recent(self, scene: Scene) -> Iterator[NDArray[np.float32]]:
        """The vectors of what was said last in the session, the oldest first."""
        if scene.origin.session is None:
            return
        store, user = self.writer.store, scene.place.user
        where = Filter(channels=(scene.place.channel,), lanes=(Lane.LOG,), session=scene.origin.session)
        turns = store.find(user, where, limit=RECENT, newest_first=True)[::-1]
        contents, vectors = store.vectors(user, np.array([turn.content for turn in turns], np.int64))
        rows = dict(zip(contents.tolist(), vectors.astype(np.float32), strict=True))
        yield from (rows[turn.content] for turn in turns if turn.content in rows)
