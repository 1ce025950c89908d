"""What a language model finds in messages, as drafts: believed as far as the messages bear it out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from recollect.language.claims import Claim, claims
from recollect.language.emotion import emotion
from recollect.language.entities import Entity, entities
from recollect.language.grounding import ungrounded
from recollect.language.injection import attack
from recollect.language.lexicon import fold
from recollect.ports import Generator
from recollect.write.admission import LABEL, labels_in
from recollect.write.forming import STAGE, is_part_of_rule
from recollect.write.policy import Policy
from recollect.write.text import clean
from recollect.write.work import Draft, Heard, Refusal

TASK: Final = "extract"
CERTAINTY: Final[Mapping[str, float]] = MappingProxyType(
    {"explicit": 0.95, "implied": 0.85, "inferred": 0.70, "uncertain": 0.50}
)
"""How sure a memory is, by how sure the model says it is."""
MOST_MESSAGES: Final = 12
MOST_CHARACTERS: Final = 8_000
"""So much is asked about at once; a longer message is read by rules."""
_SHOWN_CHARACTERS: Final = 200
Parts = list[Draft | Refusal]


def extract(heard: Sequence[Heard], generator: Generator, policy: Policy) -> list[Heard]:
    """Drafts of what the model finds in messages; gives back those that are left for rules to read.

    These are the ones that it did not read, and those of which nothing that it found could be believed.
    """
    found = _extracted(heard, generator, policy)
    left: list[Heard] = []
    for place, one in enumerate(heard):
        parts = found.get(place)
        if parts is not None and not parts and not one.drafts:
            reason = f"{generator.name} finds nothing in it that is worth remembering"
            parts.append(Refusal(STAGE, reason, one.turn.text[:_SHOWN_CHARACTERS]))
        elif parts is None or (parts and not any(isinstance(part, Draft) for part in parts)):
            left.append(one)
        one.parts += parts or []
    return left


def _extracted(heard: Sequence[Heard], generator: Generator, policy: Policy) -> dict[int, Parts]:
    """What the model finds in each message that it has read, by its place."""
    found: dict[int, Parts] = {}
    for batch in _batches(heard):
        answer = generator.answer(TASK, _asked(batch))
        if answer is not None:
            found |= _read(answer["facts"], batch, generator.name, policy)
    return found


def _batches(heard: Sequence[Heard]) -> Iterator[dict[int, Heard]]:
    """As many messages at a time as one question holds, each under its place."""
    batch: dict[int, Heard] = {}
    size = 0
    for place, one in enumerate(heard):
        length = len(one.turn.text)
        if length > MOST_CHARACTERS:
            continue
        if batch and (len(batch) == MOST_MESSAGES or size + length > MOST_CHARACTERS):
            yield batch
            batch, size = {}, 0
        batch[place] = one
        size += length
    if batch:
        yield batch


def _asked(batch: Mapping[int, Heard]) -> dict[str, Any]:
    messages = [
        {
            "number": number,
            "speaker": one.speaker or one.role,
            "listener": one.listener,
            "said_at": f"{one.turn.valid_from:%A %Y-%m-%d}",
            "text": one.turn.text,
        }
        for number, one in enumerate(batch.values(), 1)
    ]
    before = next(iter(batch.values())).before
    return {"before": [f"{who}: {text}" for who, text in before], "messages": messages}


def _read(
    facts: Sequence[Mapping[str, Any]], batch: Mapping[int, Heard], model: str, policy: Policy
) -> dict[int, Parts]:
    """Every message with its facts."""
    places = dict(enumerate(batch, 1))
    said = " ".join(
        part
        for one in batch.values()
        for part in (*chain(*one.before), one.speaker or "", one.listener or "", one.turn.text)
    )
    found: dict[int, Parts] = {place: [] for place in batch}
    for fact in facts:
        place = places.get(fact["message"])
        if place is not None and (part := _Reading(batch[place], model, policy, said).part(fact)) is not None:
            found[place].append(part)
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    """A message beside what the model says of it."""

    heard: Heard
    model: str
    policy: Policy
    said: str
    """All that the model could know it from."""

    def part(self, fact: Mapping[str, Any]) -> Draft | Refusal | None:
        """A draft, or why the model is not believed; None for a piece of a rule that is kept whole."""
        text = clean(fact["text"]).text.strip() if fact["text"].strip() else ""
        if is_part_of_rule(text, self.heard):
            return None
        reason = self._objection(text)
        return self._draft(text, fact) if reason is None else Refusal(STAGE, reason, text)

    def _objection(self, text: str) -> str | None:
        if not text:
            return f"{self.model} gives an empty fact"
        invented = ungrounded(text, self.said)
        if invented:
            return f"{self.model} says what nobody said: {', '.join(invented)}"
        if attack(text) is not None:
            return f"{self.model} repeats hidden instructions"
        labels = labels_in(text)
        if labels and self.policy.personal_data == "refuse":
            return f"it has personal data: {', '.join(labels)}"
        return None

    def _draft(self, text: str, fact: Mapping[str, Any]) -> Draft:
        named = _entities(text, fact["entities"])
        metadata: dict[str, Any] = {
            "formed_by": self.model,
            "certainty": fact["certainty"],
            "time": fact["time"],
        }
        if named:
            metadata["entities"] = [entity.id for entity in named]
        if labels := labels_in(text):
            metadata[LABEL] = list(labels)
        return Draft(
            text,
            fact["category"],
            CERTAINTY[fact["certainty"]],
            emotion(text),
            _end(fact["valid_until"], self.heard.turn.valid_from),
            tuple(entity.id for entity in named),
            tuple(dict.fromkeys((*claims(text), *_related(text, fact["relationships"])))),
            fact["category"] == "correction",
            metadata,
        )


def _entities(text: str, given: Sequence[Mapping[str, str]]) -> tuple[Entity, ...]:
    """Who and what the text names, as the rules find it, and beside that what the model finds and the text has."""
    known = entities(text)
    folded, seen = fold(text), {fold(entity.name) for entity in known}
    more = [
        Entity(one["type"], one["name"], 0, 0)
        for one in given
        if fold(one["name"]) in folded and fold(one["name"]) not in seen
    ]
    return (*known, *more)


def _related(text: str, given: Sequence[Mapping[str, str]]) -> Iterator[Claim]:
    """Relationships as claims; of each there may be many at a time, so that none replaces another."""
    folded = fold(text)
    for one in given:
        source, target = fold(one["source"]), fold(one["target"])
        if source != target and source in folded and target in folded:
            yield Claim(source, one["relation"], target, holds="many")


def _end(day: str | None, at: datetime) -> datetime | None:
    """The end of a day that is still to come."""
    try:
        end = None if day is None else datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    return end if end is not None and end > at else None
