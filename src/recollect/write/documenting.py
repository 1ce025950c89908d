"""A document that is sent as a message is not taken for talk: what it is, what it recaps and its lead are kept."""

from collections.abc import Iterator
from typing import Final

from recollect.language.category import BASE_CONFIDENCE
from recollect.language.emotion import Emotion
from recollect.language.entities import entities
from recollect.language.lexicon import tables
from recollect.language.outline import Outline, outline
from recollect.language.quoting import own
from recollect.language.roles import called, is_user
from recollect.language.tongue import tongue
from recollect.write.forming import drafted
from recollect.write.observing import OTHERS
from recollect.write.policy import Policy
from recollect.write.work import Draft, Heard, Refusal

DOCUMENT: Final = "document"
"""The kind of a memory that says what a document is about; the log has the document itself."""
REFUSED_AS: Final = frozenset({"markdown", "length"})
"""What a document is refused as by the filters."""
MOST_LEAD: Final = 2_000
LONGEST: Final = 400
_CALM: Final = Emotion(0.0, 0.0, None)


def document(heard: Heard, policy: Policy) -> Refusal | None:
    """Drafts of what a document says in few words; the filters then refuse the rest of it."""
    text, role = heard.turn.text, heard.role
    refused = next((name for name, check in OTHERS if check(text, role) is not None), None)
    found = outline(text) if refused in REFUSED_AS else None
    if found is None:
        return None
    if found.has_headings and not is_user(heard.role):
        heard.parts.append(_whole(found, heard))
    said = outline(own(text))
    for line in () if said is None else _sayings(said, heard):
        heard.parts += drafted(line, heard, policy)
    return None


def _sayings(found: Outline, heard: Heard) -> Iterator[str]:
    """What of it is read as talk: what it begins with, and of a list what somebody told."""
    yield found.lead[:MOST_LEAD]
    yield from found.listed if is_user(heard.role) else found.told


def _whole(found: Outline, heard: Heard) -> Draft:
    """One memory of what somebody laid out, by its title and its sections: a key to the turn that has all of it."""
    language = tongue(f"{found.title} {' '.join(found.sections)}")
    table = tables("outline")[language]
    speaker = heard.speaker or called(heard.role, language)
    parts = {"title": found.title, "sections": "; ".join(found.sections)}
    form = table["gave"] if all(parts.values()) else table["gave_alone"]
    text = form.format(speaker=speaker, alone=found.title or parts["sections"], **parts)[:LONGEST]
    named = tuple(entity.id for entity in entities(text))
    about = {"title": found.title, "sections": list(found.sections)}
    metadata = {"document": about, "entities": list(named)} if named else {"document": about}
    return Draft(text, DOCUMENT, BASE_CONFIDENCE["fact"], _CALM, entities=named, metadata=metadata)
