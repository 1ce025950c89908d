"""The verbs for what came up and nothing was known about."""

from dataclasses import replace

from recollect.engine.reading import Reading
from recollect.engine.writing import Writing
from recollect.errors import InvalidInput, Refused
from recollect.model import Counters, Filter, Lane, Memory, Origin, State
from recollect.ports import Change, Changes
from recollect.working.gaps import GAP, Gap, gap_from, same_tag, snippet
from recollect.write.result import Remembered
from recollect.write.text import clean
from recollect.write.writer import draft, following

Gaps = list[Gap]
Memories = list[Memory]


class Noticing(Reading, Writing):
    """Gaps: notice, look, close."""

    def note_gap(self, context: str, *, channel: str | None = None, session: str | None = None) -> Gap | None:
        """Keeps that nothing was known about a context; the same again is counted. None where nothing is recorded."""
        if not snippet(context):
            raise InvalidInput("a gap is a context, not empty")
        if not self.refreshed().memory.records:
            return None
        text, place = clean(snippet(context)).text, self._place(channel)
        tag, now = same_tag(text), self._clock.now()
        known = self._open_gaps(Filter(tags=(tag,), channels=(place.channel,)), 1)
        if known:
            self.used([known[0].id])
            return self._gaps(known)[0]
        self._check_model()
        origin = Origin(session=session, event_type="recall.gap", write_source="companion")
        made = draft(text, place, now, kind=GAP, tags=[tag], origin=origin)
        memory = replace(made, id=self._writer.ids.new(), recorded_at=now, lane=Lane.LOG, state=State.DORMANT)
        change = Change(memory, self._writer.searchable([memory])[0])
        (written,) = self._writer.write(place, "gap", now, (change,))
        # What was purged is not kept again, not even as a question.
        return None if written.refusal is not None else gap_from(memory, 0)

    def gaps(self, *, channel: str | None = None, limit: int | None = 50, after: str | None = None) -> Gaps:
        """What came up and nothing was known about, the newest first; of one channel if one is named."""
        where = Filter(channels=None if channel is None else (channel,))
        return self._gaps(self._open_gaps(where, limit, after))

    def close_gap(self, gap_id: str, *, answer: str | None = None) -> Remembered | None:
        """Says that a gap is none any more; an answer is remembered, with the gap as its source."""
        memory = self._known(gap_id)
        gap_from(memory, 0)
        if memory.valid_until is not None:
            raise Refused(f"gap {memory.id} is closed already")
        kept = None
        if answer is not None:
            kept = self.remember(answer, channel=memory.channel, sources=[memory.id])
        now = self._clock.now()
        closed = replace(memory, valid_until=max(now, memory.valid_from))
        self.store.write(self.user, Changes("gap closed", now, (Change(following(closed, now)),)))
        return kept

    def _open_gaps(self, where: Filter, limit: int | None, after: str | None = None) -> Memories:
        wanted = replace(
            where,
            kinds=(GAP,),
            lanes=(Lane.LOG,),
            states=(State.DORMANT,),
            any_session=True,
            unexpired_at=self._clock.now(),
        )
        return self.store.find(self.user, wanted, limit=limit, after=after, newest_first=True)

    def _gaps(self, memories: Memories) -> Gaps:
        self._accesses.flush()
        counters = self.store.counters(self.user, [one.id for one in memories])
        return [gap_from(one, counters.get(one.id, Counters()).access_count) for one in memories]
