"""A companion that looks things up while the agent goes on: what it finds is there at the next turn.

The agent never waits for it and never sees an error of it: a turn without memories is better than no turn.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from recollect.dream.serving import Served
from recollect.engine import Recollect
from recollect.language.terms import query_terms
from recollect.recall.hits import Hit, Recall
from recollect.recall.present import context as presented

log = logging.getLogger("recollect.companion")

Verify = Callable[[str, Sequence[Hit]], Sequence[Hit]]
"""Which of the hits help with what is being talked about."""


@dataclass(frozen=True, slots=True)
class CompanionParams:
    """How much is looked up and when it counts as something else."""

    k: int = 5
    """How many memories a turn gets at most."""
    same_topic: float = 0.3
    """Similarity to the turn before, from which it is the same topic; below, what was surfaced may come again."""
    helps: float = 0.25
    """Similarity from which a memory helps without sharing a word."""
    most_characters: int = 4_000
    """So much of the end of a context is looked at."""
    learns_every: int = 50
    """After so many look-ups, what they taught is written: what helped is believed more, what did not less."""
    infers_tags: bool = False
    """Whether memories without a tag that help together get the word that they share with the context."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for one turn."""

    context: str
    hits: tuple[Hit, ...] = ()
    new_topic: bool = False

    def prompt(self, budget_tokens: int = 800) -> str:
        """The same as text for a prompt; empty where nothing was found."""
        return presented(self.hits, budget_tokens)


NOTHING = Found("")


class Companion:
    """Takes what is being talked about, and gives at the next turn what is known about it.

    >>> from recollect.testing import HashEmbedder
    >>> memory = Recollect(":memory:", embedder=HashEmbedder())
    >>> _ = memory.remember("Deploys go through staging first")
    >>> with Companion(memory) as companion:
    ...     companion.update("how do we deploy?")
    ...     companion.settle(5)
    ...     [hit.text for hit in companion.take().hits]
    True
    ['Deploys go through staging first']
    """

    def __init__(
        self,
        memory: Recollect,
        *,
        channel: str | None = None,
        session: str | None = None,
        params: CompanionParams | None = None,
        verify: Verify | None = None,
    ) -> None:
        self._memory, self._channel, self._session = memory, channel, session
        self._params = params or CompanionParams()
        self._verify = verify or self._close_enough
        self._changed = threading.Condition()
        self._waiting: str | None = None
        self._found = NOTHING
        self._busy = self._closed = False
        self._surfaced: set[str] = set()
        self._served = Served()
        self._before = ""
        self._thread = threading.Thread(target=self._work, name="recollect-companion", daemon=True)
        self._thread.start()

    def update(self, context: str | Mapping[str, Any] | Sequence[Mapping[str, Any] | str]) -> None:
        """Says what is being talked about now; returns at once. A newer context takes the place of one that waits."""
        text = _text(context)[-self._params.most_characters :]
        with self._changed:
            if text.strip() and not self._closed:
                self._waiting = text
                self._changed.notify_all()

    def take(self) -> Found:
        """What was found since the last time, once; never waits."""
        with self._changed:
            found, self._found = self._found, NOTHING
            return found

    def settle(self, seconds: float) -> bool:
        """Waits until everything that was said is looked up; False where that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: self._waiting is None and not self._busy, seconds)

    def close(self) -> None:
        """Ends it, without waiting for what is not looked up yet; the memory stays open."""
        with self._changed:
            self._closed, self._waiting = True, None
            self._changed.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None or self._closed)
                if self._closed:
                    return
                text, self._waiting, self._busy = str(self._waiting), None, True
            found = NOTHING
            try:
                found = self._looked_up(text)
            except Exception:
                # Whatever it was, it must not reach the agent; the log has it.
                log.exception("nothing was looked up for this turn")
            with self._changed:
                self._found = found
            # What was found can be taken by now: nobody waits for the rest.
            self._learn()
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _looked_up(self, text: str) -> Found:
        new_topic = (
            bool(self._before) and self._memory.similarity(self._before, text) < self._params.same_topic
        )
        if new_topic:
            self._surfaced.clear()
        self._before = text
        recalled: Recall = self._memory.recall(
            text,
            self._params.k + len(self._surfaced),
            channel=self._channel,
            session=self._session,
            learn=False,
            shared=False,
        )
        fresh = [hit for hit in recalled if hit.id not in self._surfaced]
        helpful = self._verify(text, fresh)
        chosen = tuple(helpful)[: self._params.k]
        if not chosen and not self._verify(text, list(recalled)):
            self._memory.note_gap(text, channel=self._channel, session=self._session)
        self._surfaced |= {hit.id for hit in chosen}
        self._memory.used(hit.id for hit in chosen)
        useful = {hit.id for hit in helpful}
        in_vain = [hit.memory for hit in fresh if hit.id not in useful][: self._params.k]
        self._served.note(text, [hit.memory for hit in chosen], in_vain)
        return Found(text, chosen, new_topic)

    def _learn(self) -> None:
        """Writes what look-ups taught, once in a while."""
        if self._served.lookups < self._params.learns_every:
            return
        served, self._served = self._served, Served()
        try:
            self._memory.learn_from_serving(served, tags=self._params.infers_tags)
        except Exception:
            # As with a look-up: the agent must not feel it, and what was taught is only a count.
            log.exception("what look-ups taught was not written")

    def _close_enough(self, text: str, hits: Sequence[Hit]) -> Sequence[Hit]:
        """Without a model: what is similar, or shares a word that means something."""
        words = set(query_terms(text))
        return [
            hit for hit in hits if hit.similarity >= self._params.helps or words & set(query_terms(hit.text))
        ]


def _text(context: str | Mapping[str, Any] | Sequence[Mapping[str, Any] | str]) -> str:
    """What is said in a context: a text, a message, or messages of which the last come last."""
    if isinstance(context, str):
        return context
    if isinstance(context, Mapping):
        content = context.get("content")
        return content if isinstance(content, str) else ""
    return "\n".join(filter(None, map(_text, context)))
