"""A recall that also asks the library: beside one's own memory, up to a deadline, each hit with its label."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from recollect.engine.publishing import Publishing
from recollect.errors import RecollectError
from recollect.language.smalltalk import no_need
from recollect.recall.hits import LIBRARY, Hit, Recall, Step
from recollect.recall.merging import MergeParams, merged
from recollect.recall.options import RecallOptions
from recollect.recall.pipeline import read
from recollect.recall.query import Query

if TYPE_CHECKING:
    from recollect.shared.items import Item
    from recollect.shared.waiting import Asked

FILTERS = ("lanes", "kinds", "tags", "ids", "only_session", "run", "actor", "event_type_prefix")
TIMES = ("since", "until", "as_of", "valid_at", "channels", "include_superseded", "include_dormant")
FILTERED = (*FILTERS, *TIMES, "every_channel", "only_period")
"""Whoever asks with one of these asks for something of their own memory, so that nobody else is asked."""


class Merging(Publishing):
    """One list of what one knows and what others published."""

    def search_library(self, question: str, k: int = 10) -> "list[Item]":
        """Published items that are about a question, best first, those that one may read alone."""
        return self.library.found(self.user, question, k)

    def library_hits(self, question: str, k: int = 10, **options: Unpack[RecallOptions]) -> list[Hit]:
        """What the library has on a question, as a recall merges it: with scores, and how it served others."""
        return self._of_library(question, k, **options)

    def _ask_others(self, query: Query, *, shared: bool | None) -> Callable[[Recall], Recall] | None:
        chosen = self.settings.shared
        wanted = (
            chosen.enabled and not any(getattr(query, name) for name in FILTERED)
            if shared is None
            else shared
        )
        if not wanted or no_need(query.text) is not None:
            return None
        options = {"profile": query.profile, "ablate": query.ablate}
        asked = self.shelf.waiting.ask(
            lambda: self._of_library(query.text, query.k, **options), chosen.deadline_ms / 1_000
        )
        return lambda own: self._with_library(own, query, asked)

    def _with_library(self, own: Recall, query: Query, asked: "Asked") -> Recall:
        began = time.perf_counter()
        # Both need the vector of the question, which one of them makes: until then the library could not answer.
        embedding = sum(step.elapsed_ms for step in own.trace.steps if step.stage == read.__name__)
        found: list[Hit] | None = self.shelf.waiting.result(asked, embedding / 1_000)
        if asked.error is not None and not isinstance(asked.error, RecollectError | OSError):
            raise asked.error
        if found is None:
            detail: dict[str, object] = {"left_out": asked.why_not}
            hits = own.hits
        else:
            chosen = self.settings.recall
            weak = max(chosen.brief_from, query.min_relevance or 0.0)
            hits = merged(own.hits, found, query.k, MergeParams(strong=chosen.full_from, weak=weak))
            told = sum(hit.whence == LIBRARY for hit in hits)
            detail = {"found": len(found), "told": told, "ms": round(asked.elapsed_ms, 3)}
        waited = (time.perf_counter() - began) * 1e3
        trace = replace(own.trace, steps=(*own.trace.steps, Step(LIBRARY, waited, detail)))
        return Recall(own.query, hits, trace)

    def _of_library(self, question: str, k: int, **options: Any) -> list[Hit]:
        """What the library has, each said to be from there, and not which audience found it."""
        found = self.library.search(self.user, question, k, **options)
        return [replace(hit, memory=replace(hit.memory, channel=LIBRARY), whence=LIBRARY) for hit in found]
