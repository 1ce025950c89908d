"""PrecisionMemBench: beliefs of some users, and what each question must and must not bring back of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.evals.sets.dates import moment_in
from recollect.evals.sets.files import document, located, shaped

USUAL = ("precisionmembench",)
EVERYWHERE = "user:universal"
SOMEONE = "test-user"
PRELUDE = "personaPrelude"


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of a user, in one part of life."""

    key: str
    user: str
    kind: str
    text: str
    scope: str
    pinned: bool
    confidence: float
    since: datetime
    resolved_at: datetime | None
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class Expected:
    """What one section of an answer must have, must not have, and may have alone."""

    include: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()
    only: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One question, by whom, in which parts of life, and what is expected by section."""

    key: str
    type: str
    user: str
    scopes: tuple[str, ...]
    query: str
    most: int | None
    expected: Mapping[str, Expected]
    words: Expected
    """Of the prelude: words that it must and must not have."""
    prelude: bool | None
    """Whether there must be a prelude or must be none."""


def read(data: Path) -> tuple[tuple[Belief, ...], tuple[Case, ...]]:
    """The folder with the beliefs and the cases."""
    folder = located(data, USUAL)
    beliefs, cases = folder / "beliefs.seed.json", folder / "retrieval.cases.json"
    told, asked = document(beliefs), document(cases)
    with shaped(beliefs, "a file of beliefs"):
        known = tuple(_belief(one) for one in told)
    with shaped(cases, "a file of retrieval cases"):
        return known, tuple(_case(one) for one in asked)


def _belief(one: Mapping[str, Any]) -> Belief:
    named = [str(one["canonical_name"]).replace("_", " "), *one.get("aliases", ())]
    resolved, since = one.get("resolved_at"), moment_in(one["created_at"])
    ended = None if resolved is None else moment_in(resolved)
    return Belief(
        key=one["_id"],
        user=one["user_id"],
        kind=one["type"],
        text=f"{', '.join(named)}: {one['content']}",
        scope=one["scope"][0],
        pinned=bool(one.get("pinned")),
        confidence=float(one.get("confidence", 1.0)),
        since=since,
        resolved_at=ended,
        superseded_by=one.get("superseded_by"),
    )


def _case(one: Mapping[str, Any]) -> Case:
    expect = dict(one["expect"])
    prelude = expect.pop(PRELUDE, {})
    return Case(
        key=one["caseId"],
        type=one["category"],
        user=one.get("userId", SOMEONE),
        scopes=tuple(one["scope"]),
        query=one["query"],
        most=one.get("budget", {}).get("maxBeliefs"),
        expected={name: _expected(section) for name, section in expect.items()},
        words=Expected(frozenset(prelude.get("contains", ())), frozenset(prelude.get("mustNotContain", ()))),
        prelude=True if prelude.get("nonEmpty") else False if prelude.get("isNull") else None,
    )


def _expected(section: Mapping[str, Any]) -> Expected:
    only = section.get("shouldOnlyInclude")
    return Expected(
        frozenset(section.get("mustInclude", ())),
        frozenset(section.get("mustExclude", ())),
        None if only is None else frozenset(only),
    )
