"""Taking in what an importer reads: each message and note once, whatever stopped the last attempt."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.engine import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.integrations.importers.values import Conversation, Note, Part, Problem, Said
from recollect.integrations.mem0_filters import Scope
from recollect.model import Action, Filter, Lane, Memory, Origin, State
from recollect.ports import Progress

PLACE: Final = "imported"
"""Where the metadata keeps which source something came from, and its id there."""
BATCH: Final = 128
EVERY_STATE: Final = (State.ACTIVE, State.DORMANT)
"""What was forgotten is known: it is not imported again."""


@dataclass
class Imported:
    """What became of everything that was read."""

    source: str
    conversations: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    """The conversations that it is about, by the sessions that they are here."""


class Intake:
    """Writes what is read from one source into one user's memory, or where it names users, into theirs."""

    def __init__(self, source: str, memory: Recollect) -> None:
        self.report = Imported(source)
        self._source, self._memory = source, memory
        self._engines: dict[str, Recollect] = {memory.user: memory}
        self._notes: dict[str, dict[str, Memory]] = {}

    def take(self, parts: Sequence[Part], progress: Progress | None = None) -> Imported:
        """Every part in turn; each batch of messages and each note is durable once it is counted."""
        for done, part in enumerate(parts, 1):
            for item in part():
                match item:
                    case Conversation():
                        self._converse(item)
                    case Note():
                        self._note(item)
                    case Problem():
                        self.report.problems.append(f"{item.where}: {item.reason}")
            if progress is not None:
                progress(done, len(parts))
        return self.report

    def _converse(self, item: Conversation) -> None:
        self.report.conversations += 1
        session = f"{self._source}:{item.id}"
        self.report.sessions.append(session)
        where = Filter(lanes=(Lane.LOG,), session=session, any_session=True, states=EVERY_STATE)
        known = {_id(turn) for turn in self._memory.list(where, limit=None)}
        new = list({said.id: said for said in item.messages if said.id not in known}.values())
        self.report.unchanged += len(item.messages) - len(new)
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            try:
                kept = self._memory.observe([self._message(said, item) for said in batch], session=session)
            except InvalidInput as error:
                self.report.problems.append(f"{session}: {error}")
                continue
            for said, result in zip(batch, kept, strict=True):
                self._counted(result.action, f"{session} {said.id}: {result.reason}")

    def _message(self, said: Said, item: Conversation) -> dict[str, Any]:
        return {
            "role": said.role,
            "content": said.text,
            "name": said.speaker,
            "timestamp": said.at,
            "learn": not said.is_call,
            "metadata": self._about(said.id, item.title),
        }

    def _note(self, note: Note) -> None:
        owner = Scope(note.user, note.agent, note.run)
        named = bool(owner.told())
        engine = self._engine(owner.owner) if named else self._memory
        known = self._known(engine).get(note.id)
        metadata = {**note.metadata, **self._about(note.id)}
        try:
            if known is None:
                self._keep(engine, note, owner.channel if named else engine.channel, metadata)
            elif known.text == note.text or known.state is State.DORMANT:
                self.report.unchanged += 1
            else:
                self._counted(engine.edit(known.id, note.text, metadata=metadata).action, note.id)
        except (InvalidInput, Refused) as error:
            self.report.refused.append(f"{note.id}: {error}")

    def _engine(self, user: str) -> Recollect:
        if user not in self._engines:
            self._engines[user] = self._memory.beside(user)
        return self._engines[user]

    def _keep(self, engine: Recollect, note: Note, channel: str, metadata: dict[str, Any]) -> None:
        kept = engine.remember(
            note.text,
            channel=channel,
            tags=note.tags,
            valid_from=note.at,
            origin=Origin(
                session=note.run,
                run=note.run,
                actor=note.agent,
                event_type=f"import.{self._source}",
                write_source="import",
            ),
            metadata=metadata,
            once=False,
        )
        self._counted(kept.action, f"{note.id}: {kept.reason}")
        if kept.id is not None:
            self._known(engine)[note.id] = engine.get(kept.id)

    def _known(self, engine: Recollect) -> dict[str, Memory]:
        """What of this source a user has already, by its id there."""
        if engine.user not in self._notes:
            where = Filter(event_type_prefix=f"import.{self._source}", any_session=True, states=EVERY_STATE)
            self._notes[engine.user] = {_id(one): one for one in engine.list(where, limit=None)}
        return self._notes[engine.user]

    def _about(self, item: str, title: str | None = None) -> dict[str, Any]:
        said = {"from": self._source, "id": item, "conversation": title}
        return {PLACE: {name: value for name, value in said.items() if value is not None}}

    def _counted(self, action: Action, told: str) -> None:
        match action:
            case Action.SKIP:
                self.report.refused.append(told)
            case Action.UPDATE:
                self.report.updated += 1
            case _:
                self.report.created += 1


def _id(memory: Memory) -> str:
    return str(memory.metadata.get(PLACE, {}).get("id", ""))
