"""Keep something new."""

from typing import Any

from fastapi import APIRouter

from recollect.engine import Recollect
from recollect.serve import shapes
from recollect.serve.http import models, sending
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["keep"])


@verb(router, "POST", "/remember", right=Right.WRITE, answers=models.Remembered)
def remember(memory: Recollect, sent: sending.Remember) -> dict[str, Any]:
    """Keep one memory.

    The same text again reinforces the one that is there. Secrets are taken out before anything is written.
    """
    return shapes.remembered(memory.remember(sent.text, **sent.options("text")))


@verb(router, "POST", "/remember/many", right=Right.WRITE, answers=models.RememberedMany)
def remember_many(memory: Recollect, sent: sending.RememberMany) -> dict[str, Any]:
    """Keep many memories at once, all or none."""
    kept = memory.remember_many([one.options() for one in sent.memories])
    return {"memories": [shapes.remembered(one) for one in kept]}


@verb(router, "POST", "/describe", right=Right.WRITE, answers=models.Remembered)
def describe(memory: Recollect, sent: sending.Described) -> dict[str, Any]:
    """Keep something about the user: a preference, an expertise, or a style.

    What is said under a name replaces what was said under it before.
    """
    return shapes.remembered(memory.describe(sent.text, **sent.options("text")))


@verb(router, "POST", "/observe", right=Right.WRITE, answers=models.Observed)
def observe(memory: Recollect, sent: sending.Observe) -> dict[str, Any]:
    """Keep a conversation verbatim in the log lane, and form memories from what it states.

    `formed` tells what became of each statement, and why. With the setting formation.enabled off, nothing is formed.
    """
    messages = [one.model_dump(exclude_none=True) | {"content": _content(one)} for one in sent.messages]
    turns = memory.observe(messages, **sent.options("messages"))
    return shapes.observed(turns, dry_run=sent.dry_run)


def _content(message: sending.SentMessage) -> Any:
    parts = message.content
    return [part.model_dump(exclude_none=True) for part in parts] if isinstance(parts, list) else parts
