"""Messages that are kept at once and read later: what waits is noted in the transaction that keeps them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from recollect.language.stance import serves
from recollect.model import Memory, Record, State
from recollect.ports import Change, Changes, Embedder, NewText, RecordChange, Store, Written
from recollect.write.known import unit
from recollect.write.messages import Message
from recollect.write.observer import Observer
from recollect.write.quarantine import REASON, held, hides, judged
from recollect.write.reembed import embed_texts
from recollect.write.result import Remembered, remembered
from recollect.write.turns import Scene, admitted, kept_of, turns_of
from recollect.write.writer import Writer, terms_of

WAITING: Final = "waiting"
"""The kind of the records that say which turns wait to be read, and why nothing is formed from some of them."""
LATER: Final = "it is read afterwards"
ATTEMPTS: Final = 3
"""How often turns are read that make reading fail."""


def keep(writer: Writer, scene: Scene, messages: Sequence[Message]) -> list[Remembered]:
    """Keeps messages in the log, where their words find them, and notes that they wait to be read."""
    cleaned = [admitted(message, scene) for message in messages]
    said, why = turns_of(scene, messages, cleaned, writer.ids.new, writer.clock.now())
    turns, reasons = kept_of(scene, said, why, vectors_follow=serves(writer.embedder_name))
    left = iter(zip(turns, _written(writer, scene, turns, reasons), strict=True))
    results: list[Remembered] = []
    for found in cleaned:
        if isinstance(found, Remembered):
            results.append(found)
            continue
        turn, written = next(left)
        result = remembered(written, found)
        told = f"quarantined: {turn.metadata[REASON]}" if REASON in turn.metadata else LATER
        results.append(replace(result, reason=told) if result.kept else result)
    return results


def next_waiting(store: Store, user: str) -> Record | None:
    """What has waited longest."""
    return next(iter(store.records(user, WAITING, limit=1)), None)


def read(
    writer: Writer,
    embedder: Embedder,
    observer: Observer,
    scene_of: Callable[[Memory], Scene],
    user: str,
    note: Record,
) -> list[Remembered]:
    """Embeds what a note is about, forms memories from it, and takes the note away.

    Raises `Conflict` where somebody else did so meanwhile, or changed one of the turns.
    """
    store = writer.store
    turns = [turn for one in note.value["turns"] if (turn := store.get(user, one)) is not None]
    made = embed_texts(store, embedder, [(turn.content, turn.text, turn.origin.speaker) for turn in turns])
    # What somebody forgot meanwhile teaches nothing.
    awake = [(turn, vector) for turn, vector in zip(turns, made, strict=True) if turn.state is State.ACTIVE]
    scene = scene_of(awake[0][0]) if awake else None
    if scene is None:
        take_away(writer, user, note)
        return []
    told = dict(note.value["log_only"])
    left = [
        turn for turn, vector in awake if not _put_to_sleep(writer, embedder.name, scene, turn, vector, told)
    ]
    if scene.policy is None or not left:
        take_away(writer, user, note)
        return []
    return observer.read_on(scene, left, [told.get(turn.id) for turn in left], _gone(note))


def _put_to_sleep(
    writer: Writer, embedder: str, scene: Scene, turn: Memory, vector: bytes, told: dict[str, str]
) -> bool:
    """Whether a turn, now that it has a vector, is held back as an attack; `told` has why nothing is formed else."""
    if not serves(embedder) or (kind := judged(turn, unit(vector), scene.admission.guard)) is None:
        return False
    if scene.admission.quarantine:
        writer.quarantine(scene.place, turn.id, lambda newest: held(newest, kind))
        return True
    told.setdefault(turn.id, hides(kind))
    return False


def put_off(writer: Writer, user: str, note: Record) -> None:
    """Notes that reading failed; after some times it is given up, and the turns stay in the log as they are."""
    failed = note.value.get("failed", 0) + 1
    if failed == ATTEMPTS:
        take_away(writer, user, note)
        return
    change = RecordChange(WAITING, note.key, {**note.value, "failed": failed}, note.revision)
    writer.store.write(user, Changes("observe", writer.clock.now(), records=(change,)))


def take_away(writer: Writer, user: str, note: Record) -> None:
    """Nothing more is read because of it."""
    writer.store.write(user, Changes("observe", writer.clock.now(), records=(_gone(note),)))


def _gone(note: Record) -> RecordChange:
    return RecordChange(WAITING, note.key, None, note.revision)


def _written(
    writer: Writer, scene: Scene, turns: Sequence[Memory], reasons: Sequence[str | None]
) -> list[Written]:
    if not turns:
        return []
    silent = {turn.id: why for turn, why in zip(turns, reasons, strict=True) if why is not None}
    note = {"turns": [turn.id for turn in turns], "log_only": silent}
    return writer.write(
        scene.place,
        "observe",
        turns[0].recorded_at,
        [Change(turn, NewText(terms_of(turn), None)) for turn in turns],
        records=(RecordChange(WAITING, turns[0].id, note, 0),),
    )
