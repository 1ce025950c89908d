"""Exactly what would leave: every word, what it names, what is new in it, and what forbids it."""

from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import Any

from recollect.errors import Refused
from recollect.language.entities import entities
from recollect.language.pii import masked, personal
from recollect.language.secrets import redact
from recollect.shared.items import Item, Offer

CONTEXT_LINES = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that may not leave: what it is and in which part, never what it says."""

    part: str
    kind: str
    """`secret` or `personal data`."""
    label: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a publication would give away, before anything does."""

    offer: Offer
    entities: tuple[str, ...]
    metadata: dict[str, Any]
    problems: tuple[Problem, ...]
    changes: tuple[str, ...]
    """A unified diff against the version that is published; of something new, all of it."""
    replaces: int | None
    """The version that it would replace."""

    @property
    def may_leave(self) -> bool:
        return not self.problems


def preview(offer: Offer, published: Item | None = None) -> Preview:
    """Looks at every part that would leave."""
    problems = tuple(problem for part, said in offer.leaving.items() for problem in problems_in(part, said))
    words = "\n".join(offer.leaving.values())
    metadata = {
        "kind": offer.kind,
        "title": offer.title,
        "summary": offer.summary,
        "tags": list(offer.tags),
        "author": offer.author,
        "access": str(offer.access),
    }
    return Preview(
        offer,
        tuple(dict.fromkeys(one.id for one in entities(words))),
        metadata,
        problems,
        tuple(_difference(published, offer)),
        None if published is None else published.version,
    )


def problems_in(part: str, said: str) -> list[Problem]:
    """The secrets and personal data of one part; what was taken out before is none."""
    secret = [Problem(part, "secret", found.kind) for found in redact(said).findings]
    return list(
        dict.fromkeys([*secret, *(Problem(part, "personal data", found.label) for found in personal(said))])
    )


def cleaned(offer: Offer) -> Offer:
    """The offer with what may not leave replaced by what it was."""
    return replace(
        offer,
        title=_clean(offer.title),
        text=_clean(offer.text),
        summary=_clean(offer.summary),
        tags=tuple(map(_clean, offer.tags)),
        author=_clean(offer.author),
    )


def _clean(said: str) -> str:
    return masked(redact(said).text)


def refuse_problems(shown: Preview) -> None:
    """The hard stop: nothing with a secret or personal data leaves, whoever says so."""
    if shown.may_leave:
        return
    told = ", ".join(f"{one.kind} ({one.label}) in its {one.part}" for one in shown.problems)
    raise Refused(f"it is not published: {told}; take it out, or publish it masked (mask=True, --mask)")


def _difference(published: Item | None, offer: Offer) -> list[str]:
    before = [] if published is None else _lines(published, str(published.access))
    after = _lines(offer, str(offer.access))
    name = "nothing" if published is None else f"version {published.version}"
    return list(unified_diff(before, after, name, "this", lineterm="", n=CONTEXT_LINES))


def _lines(one: Item | Offer, access: str) -> list[str]:
    heading = [
        f"title: {one.title}",
        f"kind: {one.kind}",
        *(f"summary: {line}" for line in one.summary.splitlines()),
        f"tags: {', '.join(one.tags)}",
        f"author: {one.author}",
        f"access: {access}",
        "",
    ]
    return [*heading, *one.text.splitlines()]
