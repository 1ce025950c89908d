"""From a conversation to memories: the turns and what they teach, in one transaction."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from recollect.errors import Conflict
from recollect.language.coreference import Person, people_in
from recollect.language.enduring import WE, of_us
from recollect.language.stance import serves
from recollect.language.tongue import tongue
from recollect.model import Action, Filter, Lane, Memory
from recollect.ports import Change, Generator, NewText, Progress, RecordChange, Written
from recollect.write.admission import LABEL
from recollect.write.claiming import NAME, claim_tags, kept_claims
from recollect.write.consulting import Opinions
from recollect.write.known import Known, Nearest, unit
from recollect.write.messages import OF_A_TOOL, TOOL_ROLES, Message
from recollect.write.policy import Policy
from recollect.write.quarantine import CLEARED, REASON
from recollect.write.result import ERASED, Formed, Remembered, remembered
from recollect.write.stages import decide, read
from recollect.write.text import Clean
from recollect.write.turns import READ, Scene, admitted, kept_of, mark, turns_of
from recollect.write.work import Choice, Draft, Heard, Refusal, Said
from recollect.write.writer import ATTEMPTS, Place, Writer

COMMIT: Final = "commit"
OURS: Final = frozenset({READ, LABEL, REASON, CLEARED})
"""What the metadata of a turn says that is true of nothing that is formed from it."""
_INSTANT: Final = timedelta(microseconds=1)
_LAST_TURNS: Final = 6
_PEOPLE_CHARACTERS: Final = 300
_BEFORE: Final = 4
_BEFORE_CHARACTERS: Final = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """What one transaction is about: what was heard, and what of it is written beside what is formed."""

    operation: str
    heard: Sequence[Heard]
    turns: Sequence[Memory] = ()
    """Those that are not in the log yet."""
    texts: Sequence[NewText] = ()
    """What is searched of them, where they were embedded before they were read."""
    records: tuple[RecordChange, ...] = ()


class Observer:
    """Reads messages, decides what they teach, and writes both or neither."""

    def __init__(
        self, writer: Writer, index: Callable[[], Nearest], generator: Generator | None = None
    ) -> None:
        self._writer, self._index, self._generator = writer, index, generator

    def observe(
        self,
        scene: Scene,
        messages: Sequence[Message],
        *,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> list[Remembered]:
        """Keeps the messages and what is formed from them; a dry run decides the same and writes nothing."""
        cleaned = [admitted(message, scene) for message in messages]
        now = self._writer.clock.now()
        heard, texts = self._read(scene, messages, cleaned, now, progress)
        plan = Plan("observe", heard, [one.turn for one in heard], texts)
        formed, changes, written = self._settled(scene, plan, now, progress=progress, dry_run=dry_run)
        results = _results(cleaned, formed, changes, written)
        return [_unwritten(one) for one in results] if dry_run else results

    def learn(
        self,
        scene: Scene,
        turns: Sequence[Memory],
        before: Sequence[Memory],
        record: RecordChange,
        *,
        dry_run: bool = False,
    ) -> list[Remembered]:
        """Forms memories from turns that the log has, after those before them, and puts down that it did."""
        now = self._writer.clock.now()
        heard = self._heard(scene, turns, [turn.metadata.get(READ) for turn in turns], before)
        plan = Plan("session", heard, records=(record,))
        formed, changes, written = self._settled(scene, plan, now, dry_run=dry_run)
        results = _read_again(turns, formed, changes, written, "the log has it; it was read")
        return [_undone(one) for one in results] if dry_run else results

    def read_on(
        self,
        scene: Scene,
        turns: Sequence[Memory],
        log_only: Sequence[str | None],
        record: RecordChange,
    ) -> list[Remembered]:
        """Forms memories from turns that were kept to be read later, and takes away the note that they wait."""
        before = self._heard_before(scene, turns, earlier_than=turns[0].id)
        was_heard = [mark(turn) in before for turn in turns]
        last = self._last_turns(scene, before=turns[0].id)
        plan = Plan("observe", self._heard(scene, turns, was_heard, last, log_only), records=(record,))
        formed, changes, written = self._settled(scene, plan, self._writer.clock.now(), dry_run=False)
        return _read_again(turns, formed, changes, written, "it was read")

    def relearn(self, scene: Scene, turn: Memory) -> Remembered:
        """Forms memories from a turn that the log has and that may be learnt from by now."""
        if scene.policy is None:
            return Remembered(turn.id, Action.UPDATE, "released", turn.text)
        unread = replace(turn, metadata={n: v for n, v in turn.metadata.items() if n != READ})
        why = OF_A_TOOL if turn.origin.role in TOOL_ROLES else None
        heard = self._heard(scene, [unread], [False], self._last_turns(scene), [why])
        formed, changes, written = self._settled(
            scene, Plan("release", heard), self._writer.clock.now(), dry_run=False
        )
        refused = _refused(changes, written)
        parts = tuple(_confirmed(part, refused.get(part.id or "")) for part in formed[0])
        return Remembered(turn.id, Action.UPDATE, "released", turn.text, formed=parts)

    def _settled(
        self, scene: Scene, plan: "Plan", now: datetime, *, progress: Progress | None = None, dry_run: bool
    ) -> tuple[list[tuple[Formed, ...]], list[Change], list[Written]]:
        """What becomes of everything that was heard, written in one transaction."""
        drafts = [(self._memory(draft, one), draft, one) for one in plan.heard for draft in one.drafts]
        new = [*plan.turns[len(plan.texts) :], *(one[0] for one in drafts)]
        texts = [*plan.texts, *self._writer.searchable(new, progress)]
        turns = [Change(turn, new) for turn, new in zip(plan.turns, texts, strict=False)]
        erased = self._writer.store.erased(scene.place.user, [memory.text for memory, _, _ in drafts])
        choices = [
            Choice(draft, one, memory, new, unit(new.vector or b""), gone)
            for (memory, draft, one), new, gone in zip(drafts, texts[len(turns) :], erased, strict=True)
        ]
        opinions = Opinions(self._generator)
        for _ in range(ATTEMPTS):
            # Asked for before a view of the store is held: whoever purges has its lock, and waits for every view.
            known = Known(self._writer.store, self._index(), scene.place, now, self._encode, opinions)
            formed = self._decided(plan.heard, choices, known, scene.policy or Policy())
            if opinions.ask():
                continue
            changes = [*turns, *known.changes]
            try:
                return formed, changes, self._written(scene.place, plan, changes, known, dry_run=dry_run)
            except Conflict:
                continue
        raise Conflict("what is observed concerns memories that others keep changing; try again")

    def _read(
        self,
        scene: Scene,
        messages: Sequence[Message],
        cleaned: Sequence[Clean | Remembered],
        now: datetime,
        progress: Progress | None,
    ) -> tuple[list[Heard], list[NewText]]:
        """Every message with something in it and the drafts that its text gives; and what is searched of the messages.

        They are embedded before they are read where their vectors tell attacks, which must not be read.
        """
        said, why = turns_of(scene, messages, cleaned, self._writer.ids.new, now)
        texts = self._writer.searchable(said, progress) if serves(self._writer.embedder_name) else []
        turns, reasons = kept_of(scene, said, why, [unit(new.vector or b"") for new in texts])
        if scene.policy is None:
            return [Heard(turn, turn.origin.role or "") for turn in turns], texts
        before = self._heard_before(scene, turns)
        was_heard = [mark(turn) in before for turn in turns]
        return self._heard(scene, turns, was_heard, self._last_turns(scene), reasons), texts

    def _heard(
        self,
        scene: Scene,
        turns: Sequence[Memory],
        was_heard: Sequence[Any],
        last: Sequence[Memory],
        log_only: Sequence[str | None] = (),
    ) -> list[Heard]:
        """Turns as they are read, with who was spoken to and of whom right before them."""
        erased = self._writer.store.erased(scene.place.user, [turn.text for turn in turns])
        spoken = [turn.origin.speaker for turn in (*last, *turns)]
        listeners = _listeners(spoken)[len(last) :]
        earlier = [*last[-1:], *turns] if last else [None, *turns]
        heard = [
            Heard(
                turn,
                turn.origin.role or "user",
                turn.origin.speaker,
                listeners[place],
                () if (before := earlier[place]) is None else _people(before.text),
                before=_said_before([*last, *turns[:place]]),
                was_heard=bool(was_heard[place]),
                was_erased=erased[place],
                log_only=log_only[place] if log_only else None,
            )
            for place, turn in enumerate(turns)
        ]
        read(heard, scene.policy or Policy(), self._generator)
        return heard

    def _last_turns(self, scene: Scene, *, before: str | None = None) -> list[Memory]:
        """What was said last in the session, oldest first: it tells who is spoken to, and of whom."""
        if scene.origin.session is None:
            return []
        where = Filter(channels=(scene.place.channel,), lanes=(Lane.LOG,), session=scene.origin.session)
        found = self._writer.store.find(
            scene.place.user, where, limit=_LAST_TURNS, after=before, newest_first=True
        )
        return found[::-1]

    def _heard_before(
        self, scene: Scene, turns: Sequence[Memory], *, earlier_than: str | None = None
    ) -> set[tuple[object, ...]]:
        """What of these moments of the session the stages have seen already."""
        if not turns:
            return set()
        moments = [turn.valid_from for turn in turns]
        where = Filter(
            channels=(scene.place.channel,),
            lanes=(Lane.LOG,),
            session=scene.origin.session,
            since=min(moments),
            until=max(moments) + _INSTANT,
        )
        found = self._writer.store.find(
            scene.place.user, where, after=earlier_than, newest_first=earlier_than is not None
        )
        return {mark(turn) for turn in found if turn.metadata.get(READ)}

    def _memory(self, draft: Draft, heard: Heard) -> Memory:
        """A draft as the memory that it would be; a role or a speaker would make a turn of it."""
        turn = heard.turn
        # What the caller says of a message holds for what is formed from it.
        said = {name: value for name, value in turn.metadata.items() if name not in OURS}
        metadata = {**said, **draft.metadata}
        if draft.claims:
            metadata[NAME] = kept_claims(draft.text, draft.claims)
        if heard.speaker is not None and of_us(draft.text):
            metadata[WE] = heard.speaker
        return Memory(
            self._writer.ids.new(),
            draft.text,
            turn.recorded_at,
            turn.valid_from,
            draft.valid_until,
            kind=draft.kind,
            channel=turn.channel,
            scope=turn.scope,
            tags=claim_tags(draft.claims),
            origin=replace(turn.origin, role=None, speaker=None, sources=(turn.id,)),
            metadata=metadata,
        )

    def _encode(self, memory: Memory) -> NewText:
        return self._writer.searchable([memory])[0]

    def _decided(
        self, heard: Sequence[Heard], choices: Sequence[Choice], known: Known, policy: Policy
    ) -> list[tuple[Formed, ...]]:
        """What becomes of every part of every message, in the order in which it was said."""
        left = iter(choices)
        with self._writer.store.reading() if choices else nullcontext():
            known.look_up((choice.vector, choice.memory.valid_from) for choice in choices)
            return [
                tuple(
                    part.formed if isinstance(part, Refusal) else decide(next(left), known, policy)
                    for part in one.parts
                )
                for one in heard
            ]

    def _written(
        self, place: Place, plan: "Plan", changes: Sequence[Change], known: Known, *, dry_run: bool
    ) -> list[Written]:
        if dry_run or not (changes or plan.records):
            return [Written(change.memory.id) for change in changes]
        return self._writer.write(
            place, plan.operation, known.now, changes, known.edges, records=plan.records
        )


def _said_before(turns: Sequence[Memory]) -> tuple[Said, ...]:
    return tuple(
        Said(turn.origin.speaker or turn.origin.role or "user", turn.text[:_BEFORE_CHARACTERS])
        for turn in turns[-_BEFORE:]
    )


def _people(text: str) -> tuple[Person, ...]:
    end = text[-_PEOPLE_CHARACTERS:]
    return people_in(end, tongue(end))


def _listeners(speakers: Sequence[str | None]) -> list[str | None]:
    """To whom each one speaks: who spoke last before them, else who is the first to speak after.

    >>> _listeners(["Ada", "Bob", "Ada", None])
    ['Bob', 'Ada', 'Bob', 'Ada']
    """
    names = list(dict.fromkeys(name for name in speakers if name))[:2]
    found: list[str | None] = []
    recent: list[str] = []
    for speaker in speakers:
        found.append(next((name for name in (*recent, *names) if name != speaker), None))
        if speaker:
            recent = [speaker, *(name for name in recent if name != speaker)][:2]
    return found


def _results(
    cleaned: Sequence[Clean | Remembered],
    formed: Sequence[tuple[Formed, ...]],
    changes: Sequence[Change],
    written: Sequence[Written],
) -> list[Remembered]:
    """What became of each message, with what the store refused of what was formed."""
    refused = _refused(changes, written)
    left = iter(zip(formed, changes, written, strict=False))
    results: list[Remembered] = []
    for found in cleaned:
        if isinstance(found, Remembered):
            results.append(found)
            continue
        parts, change, turn = next(left)
        kept = tuple(_confirmed(part, refused.get(part.id or "")) for part in parts)
        result = replace(remembered(turn, found), formed=kept)
        attack = change.memory.metadata.get(REASON)
        held_back = attack is not None and result.kept
        results.append(replace(result, reason=f"quarantined: {attack}") if held_back else result)
    return results


def _read_again(
    turns: Sequence[Memory],
    formed: Sequence[tuple[Formed, ...]],
    changes: Sequence[Change],
    written: Sequence[Written],
    why: str,
) -> list[Remembered]:
    """What became of turns that the log had before."""
    refused = _refused(changes, written)
    return [
        Remembered(
            turn.id,
            Action.REINFORCE,
            why,
            turn.text,
            formed=tuple(_confirmed(part, refused.get(part.id or "")) for part in parts),
        )
        for turn, parts in zip(turns, formed, strict=True)
    ]


def _refused(changes: Sequence[Change], written: Sequence[Written]) -> dict[str, Written]:
    return {
        change.memory.id: one for change, one in zip(changes, written, strict=True) if one.refusal is not None
    }


def _unwritten(result: Remembered) -> Remembered:
    """A message that was not kept."""
    return replace(_undone(result), id=None)


def _undone(result: Remembered) -> Remembered:
    """A decision that was not carried out: what it would have created has no id."""
    made = {Action.CREATE, Action.SUPERSEDE}
    formed = tuple(replace(one, id=None) if one.action in made else one for one in result.formed)
    return replace(result, formed=formed)


def _confirmed(part: Formed, refused: Written | None) -> Formed:
    """The decision, unless the store knew better: the same text came from elsewhere, or was purged."""
    if refused is None or part.action is Action.REINFORCE:
        return part
    if refused.refusal == "duplicate":
        reason = "the same text is known already"
        return replace(part, action=Action.REINFORCE, stage=COMMIT, reason=reason, id=refused.id)
    return replace(part, action=Action.SKIP, stage=COMMIT, reason=ERASED, id=None, supersedes=())
