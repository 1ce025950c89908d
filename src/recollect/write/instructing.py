"""How something is done and what must never be done: kept whole, whatever the filters say of lists."""

from typing import Final

from recollect.language.emotion import Emotion
from recollect.language.entities import entities
from recollect.language.procedure import Procedure, procedure
from recollect.language.prohibition import Prohibition, prohibitions
from recollect.language.roles import is_user
from recollect.write.policy import Policy
from recollect.write.work import Draft, Heard, Refusal

CONFIDENCE: Final = 0.6
"""Whoever gives a rule means it."""
_CALM: Final = Emotion(0.0, 0.0, None)


def instruct(heard: Heard, _: Policy) -> Refusal | None:
    """The procedure of a message and what it forbids, as drafts; an assistant's advice is no rule of the user's."""
    if not is_user(heard.role):
        return None
    text = heard.turn.text
    found = procedure(text)
    if found is not None:
        heard.parts.append(_procedure(found))
    warned = () if found is None else found.warnings
    heard.parts += [_warning(one) for one in prohibitions(text) if one.text not in warned]
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
    return _draft(text, "procedure", {"procedure": about})


def _warning(found: Prohibition) -> Draft:
    about = {"forbids": found.action, "triggers": list(found.triggers)}
    return _draft(found.text, "warning", {"warning": about})


def _draft(text: str, kind: str, about: dict[str, object]) -> Draft:
    named = tuple(entity.id for entity in entities(text))
    told = {**about, "entities": list(named)} if named else about
    return Draft(text, kind, CONFIDENCE, _CALM, entities=named, metadata=told)


def _counted(steps: tuple[str, ...]) -> str:
    return " ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
