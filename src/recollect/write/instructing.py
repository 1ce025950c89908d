"""How something is done and what must never be done: kept whole, whatever the filters say of lists."""

import hashlib
from typing import Final

from recollect.language.claims import Claim
from recollect.language.emotion import Emotion
from recollect.language.entities import entities
from recollect.language.fences import beside_code
from recollect.language.phrases import flat
from recollect.language.procedure import Procedure, procedure
from recollect.language.prohibition import Prohibition, prohibitions
from recollect.language.quoting import own
from recollect.language.roles import is_user
from recollect.write.policy import Policy
from recollect.write.work import Draft, Heard, Refusal

PROCEDURE, WARNING = "procedure", "warning"
CONFIDENCE: Final = 0.6
"""Whoever gives a rule means it."""
_CALM: Final = Emotion(0.0, 0.0, None)


def instruct(heard: Heard, _: Policy) -> Refusal | None:
    """The procedure of a message and what it forbids, as drafts; an assistant's advice is no rule of the user's."""
    if not is_user(heard.role):
        return None
    text = own(heard.turn.text)
    found = procedure(text)
    if found is not None:
        heard.parts.append(_procedure(found))
    warned = () if found is None else found.warnings
    heard.parts += [_warning(one) for one in prohibitions(beside_code(text)) if one.text not in warned]
    return None


def _procedure(found: Procedure) -> Draft:
    parts = [f"{found.name}: {_counted(found.steps)}"]
    parts += [f"Needs {need}." for need in found.prerequisites]
    parts += [f"Beware: {warning}." for warning in found.warnings]
    text = " ".join(parts)
    about = {
        "name": found.name,
        "trigger": found.trigger,
        "steps": list(found.steps),
        "prerequisites": list(found.prerequisites),
        "warnings": list(found.warnings),
    }
    # Another way to do the same is another value of one thing: the newer procedure takes the older's place.
    way = hashlib.blake2b("\n".join(found.steps).encode(), digest_size=3).hexdigest()
    claim = Claim(flat(found.trigger), "steps", f"{len(found.steps)} steps ({way})")
    return _draft(text, PROCEDURE, {"procedure": about}, (claim,))


def _warning(found: Prohibition) -> Draft:
    about = {"forbids": found.action, "triggers": list(found.triggers)}
    return _draft(found.text, WARNING, {"warning": about})


def _draft(text: str, kind: str, about: dict[str, object], claims: tuple[Claim, ...] = ()) -> Draft:
    named = tuple(entity.id for entity in entities(text))
    told = {**about, "entities": list(named)} if named else about
    return Draft(text, kind, CONFIDENCE, _CALM, entities=named, claims=claims, metadata=told)


def _counted(steps: tuple[str, ...]) -> str:
    return " ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
