"""The same question in the words that the engine answers best: what a list names is looked up first, no link gone twice.

The engine plans badly what people often ask. From a list of ids it joins every id with every link there is; where the ids
are matched first and the rest is an optional match, it looks them up and goes on from there. And where Cypher means
paths that go along no link twice, it repeats links unless told otherwise, and reads all of them to begin with.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from recollect.graph.guard import QUOTED

_NAME: Final = r"(?:\w++|`[^`]*+`)"
# Nothing is tried twice here either, however many blanks there are.
_MANY_STEPS: Final = re.compile(
    rf"{QUOTED}|(-\s*+\[\s*+{_NAME}?+\s*+(?::\s*+{_NAME}(?:\s*+\|\s*+:?+\s*+{_NAME})*+)?+\s*+\*)"
    r"(?!\s*+(?:trail|acyclic|walk|all|w?shortest)\b)",
    re.DOTALL | re.IGNORECASE,
)
_HIDDEN: Final = re.compile(f"{QUOTED}|`[^`]*+`", re.DOTALL)
_WORDS: Final = re.compile(r"[([{]|[)\]}]|[.:$]\s*+\w++|\w++")
_BEGINS: Final = frozenset({"match", "optional", "unwind", "with", "return", "union"})
_UNWOUND: Final = re.compile(r"unwind\b.*\bas\s++(\w++)\s*+", re.DOTALL | re.IGNORECASE)
_NODE: Final = re.compile(r"\(\s*+(\w++)\s*+[:{)]")
_EVERYTHING: Final = re.compile(r"(?:return|with)\s+(?:distinct\s+)?\*", re.IGNORECASE)
"""What names no columns has them in the order in which they were matched."""
_MATCH: Final = len("MATCH")


class Clause(NamedTuple):
    """A part of a query, from one word that begins a clause to the next."""

    word: str
    text: str
    bare: str
    """The same, as long, without what is quoted and what is a comment."""


def phrased(query: str) -> str:
    """The query as the engine answers it best: the same rows, and of paths those that Cypher means.

    >>> phrased("UNWIND $near AS s MATCH (m {id: s.id})-[:causes*1..2]->(o) RETURN o.id")
    'UNWIND $near AS s MATCH (m {id: s.id}) WITH s, m OPTIONAL MATCH (m)-[:causes*TRAIL 1..2]->(o) \
WITH * WHERE o IS NOT NULL RETURN o.id'
    """
    return _looked_up_first(_without_repeats(query))


def _without_repeats(query: str) -> str:
    return _MANY_STEPS.sub(lambda found: f"{found[1]}TRAIL " if found[1] else found[0], query)


def _looked_up_first(query: str) -> str:
    """`UNWIND … MATCH` of something by its id and of what it is linked to; any other query stays as it is."""
    nothing = Clause("", "", "")
    unwind, match, *rest = [*_clauses(query), nothing, nothing]
    unwound = _UNWOUND.fullmatch(unwind.bare)
    if unwound is None or match.word != "match" or any(one.word == "union" for one in rest):
        return query
    each = unwound[1]
    by_id = rf"\(\s*+(\w++)\s*+(?::[\s\w:|]*+)?+\{{\s*+id\s*+:\s*+{each}(?:\s*+\.\s*+\w++)?+\s*+\}}\s*+\)"
    found = re.search(by_id, _pattern(match.bare), re.IGNORECASE)
    if found is None:
        return query
    (start, end), name = found.span(), found[1]
    if match.bare[_MATCH:start].strip() or match.bare[end:].strip():
        linked = Clause("match", *(f"{one[:start]}({name}){one[end:]}" for one in (match.text, match.bare)))
    else:
        linked, *rest = rest
    others = [one for one in _NODE.findall(_pattern(linked.bare)) if one not in (name, each)]
    if linked.word != "match" or not others or any(map(_EVERYTHING.match, (one.bare for one in rest))):
        return query
    return (
        f"{unwind.text}MATCH {match.text[start:end]} WITH {each}, {name} OPTIONAL {linked.text}"
        # A node that is in every match: where there is none, neither was there one without `OPTIONAL`.
        f"WITH * WHERE {others[0]} IS NOT NULL {''.join(one.text for one in rest)}"
    )


def _clauses(query: str) -> Iterator[Clause]:
    bare = _HIDDEN.sub(lambda found: " " * len(found[0]), query)
    starts = [*_beginnings(bare)]
    for (word, start), (_, end) in pairwise([*starts, ("", len(query))]):
        yield Clause(word, query[start:end], bare[start:end])


def _beginnings(bare: str) -> Iterator[tuple[str, int]]:
    """Where clauses begin, by the words that begin one outside of all brackets."""
    depth, before = 0, ""
    for found in _WORDS.finditer(bare):
        word = found[0].lower()
        depth += (word in "([{") - (word in ")]}")
        # `STARTS WITH` begins no clause, and `MATCH` none of its own after `OPTIONAL`.
        inside = before in ("starts", "ends") or (before, word) == ("optional", "match")
        if not depth and word in _BEGINS and not inside:
            yield word, found.start()
        before = word


def _pattern(bare: str) -> str:
    """What of a match stands before its conditions."""
    depth = 0
    for found in _WORDS.finditer(bare):
        depth += (found[0] in "([{") - (found[0] in ")]}")
        if not depth and found[0].lower() == "where":
            return bare[: found.start()]
    return bare
