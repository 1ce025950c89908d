"""The candidates of one question as a graph: what is known of each, and what links it to the best of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.late_interaction import coverage
from recollect.formulas.message_passing import Graph
from recollect.language.names import name_key, names
from recollect.language.searched import title_term
from recollect.model import Memory
from recollect.recall.work import Sources, Work

NODES: Final = 200
SPEAKERS: Final = 30
"""So many of the best say something about the others."""
READ: Final = 4
"""Of so many of them it is read whom and what they name."""
SIGNALS: Final = ("meaning", "matched_words", "matched_nearby", "words_nearby", "linked")
FEATURES: Final = (
    "always",
    "score",
    "part_of_best",
    "place",
    "similarity",
    "covered",
    "said",
    *SIGNALS,
)
KINDS: Final = (
    "alike",
    "names",
    "named_by",
    "names_the_same",
    "beside",
    "same_session",
    "same_episode",
    "causal",
    "related",
    "same_tag",
    "completes",
)
"""What a link may be; the last is no link by itself: what two that are linked cover of the question together."""
LEAST_ALIKE: Final = 0.3
ALIKE: Final = 8
"""So many of the speakers a candidate hears at most because they are like it."""
DECAY: Final = 0.7
CAUSAL: Final = frozenset(
    {"causes", "caused_success", "caused_failure", "followed_by", "temporal", "granger_causal"}
)
MOST_RELATED: Final = 100
_WORD: Final = re.compile(r"\w+")

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The graph, with the contents that its nodes stand for and their scores, best first."""

    contents: NDArray[np.int64]
    scores: Matrix
    graph: Graph


def subgraph(work: Work, sources: Sources) -> Subgraph:
    """Of the best two hundred candidates; it knows no more than the asker may see."""
    places = work.order[:NODES]
    contents, scores = work.confirmed.contents[places], work.scores[places]
    best = _shown(work, sources, contents[:SPEAKERS])
    links = np.zeros((len(contents), len(best), len(KINDS)))
    spoken = contents[: len(best)]

    def fill(kind: str, values: Matrix) -> None:
        links[:, :, KINDS.index(kind)] = values

    fill("alike", _alike(sources, contents, len(best)))
    at, known = _found_at(work, contents)
    around = np.where(known[:, None], work.read_from.around[at], -1)
    fill("beside", _beside(around, spoken))
    place = {content: at for at, content in enumerate(contents.tolist())}
    for kind, node, speaker, value in (
        *_naming(work, sources, best[:READ], place),
        *_related(work, sources, best, place),
        *_in_common(best),
    ):
        one = (node, speaker, KINDS.index(kind))
        links[one] = max(links[one], value)
    own = np.arange(len(best))
    links[own, own] = 0.0
    matches = None if work.matches is None else np.where(known[:, None], work.matches[at], 0.0)
    if matches is not None:
        together = _together(matches, len(best), work.found.rarity)
        fill("completes", together * links.any(axis=2))
    covered = np.zeros(len(contents)) if matches is None else coverage(matches, work.found.rarity)
    return Subgraph(contents, scores, Graph(_features(work, places, covered, known, at), own, links))


def _features(
    work: Work,
    places: NDArray[np.intp],
    covered: Matrix,
    known: NDArray[np.bool_],
    at: NDArray[np.intp],
) -> Matrix:
    scores = work.scores[places]
    nothing = np.zeros(len(places))
    best = scores.max(initial=0.0)
    return np.column_stack(
        [
            np.ones(len(places)),
            scores,
            scores / best if best > 0 else nothing,
            1.0 / (1.0 + np.arange(len(places))),
            work.similarity[places],
            covered,
            known & work.read_from.said[at],
            *(work.values[name][places] if name in work.values else nothing for name in SIGNALS),
        ]
    ).astype(np.float64)


def _shown(work: Work, sources: Sources, contents: NDArray[np.int64]) -> list[Memory]:
    """The best, in their order; they will be among the hits, so that nothing is loaded twice."""
    wanted = contents.tolist()
    missing = [content for content in wanted if content not in work.shown]
    more = sources.store.shown(sources.user, missing, work.where) if missing else []
    work.shown = {**work.shown, **{memory.content: memory for memory in more}}
    return [work.shown[content] for content in wanted]


def _found_at(work: Work, contents: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Where the index's columns have each; what a part of the question brought is not in them."""
    held = work.read_from.contents
    at = np.searchsorted(held, contents)
    at[at == len(held)] = 0
    return at, held[at] == contents


def _alike(sources: Sources, contents: NDArray[np.int64], speakers: int) -> Matrix:
    """From 0 at a cosine of .3 to 1; of each only the likest few."""
    numbers, held = sources.store.vectors(sources.user, np.sort(contents))
    if not len(numbers) or not speakers:
        return np.zeros((len(contents), speakers))
    at = np.searchsorted(numbers, contents)
    at[at == len(numbers)] = 0
    vectors = np.where((numbers[at] == contents)[:, None], held[at], np.float16(0.0)).astype(np.float32)
    alike = vectors @ vectors[:speakers].T
    alike[np.arange(speakers), np.arange(speakers)] = 0.0
    if speakers > ALIKE:
        least = np.partition(alike, -ALIKE, axis=1)[:, -ALIKE]
        alike[alike < least[:, None]] = 0.0
    return np.clip((alike.astype(np.float64) - LEAST_ALIKE) / (1.0 - LEAST_ALIKE), 0.0, 1.0)


def _beside(around: NDArray[np.int64], spoken: NDArray[np.int64]) -> Matrix:
    """.7 for the turn right before or after, .7 of that for the next."""
    middle = around.shape[1] // 2
    near = DECAY ** np.abs(np.arange(around.shape[1]) - middle)
    near[middle] = 0.0
    beside: Matrix = np.einsum("nas,a->ns", (around[:, :, None] == spoken).astype(np.float64), near)
    return beside


def _together(matches: NDArray[np.float32], speakers: int, rarity: Matrix) -> Matrix:
    """How much more of the question two cover together than the better of them alone."""
    clipped = np.clip(matches, 0.0, 1.0)
    alone = coverage(clipped, rarity)
    both = np.maximum(clipped[:, None, :], clipped[None, :speakers, :])
    covered = coverage(both.reshape(-1, both.shape[2]), rarity).reshape(both.shape[:2])
    return covered - np.maximum(alone[:, None], alone[None, :speakers])


Link = tuple[str, int, int, float]
"""Its kind, who hears, who speaks, how strongly."""


def _naming(work: Work, sources: Sources, best: Sequence[Memory], place: Mapping[int, int]) -> Iterator[Link]:
    """Who names whom by its title, and who names the same; what the question names tells nothing."""
    asked = _words(work.query.text)
    named = [
        {key for key in map(name_key, names(memory.text)) if _words(key) not in asked} for memory in best
    ]
    every = sorted({one for some in named for one in some})
    if work.found.titled and every:
        terms = np.array([title_term(name) for name in every], np.uint32)
        bearers = dict(zip(every, sources.index.having(terms, work.where), strict=True))
        for speaker, some in enumerate(named):
            for node in {place.get(content) for name in some for content in bearers[name].tolist()}:
                if node is not None:
                    yield "names", node, speaker, 1.0
                    if node < SPEAKERS:
                        yield "named_by", speaker, node, 1.0
    said = {name: sum(name in some for some in named) for name in every}
    for one, mine in enumerate(named):
        for other, theirs in enumerate(named):
            shared = sum(1.0 / (said[name] - 1) for name in mine & theirs) if one != other else 0.0
            if shared:
                yield "names_the_same", one, other, min(shared, 1.0)


def _words(text: str) -> str:
    """Folded, as words between blanks, so that one text holds another as whole words."""
    return f" {' '.join(_WORD.findall(name_key(text)))} "


def _related(
    work: Work, sources: Sources, best: Sequence[Memory], place: Mapping[int, int]
) -> Iterator[Link]:
    """The edges of the best, to one another and to other candidates."""
    speaker = {memory.id: at for at, memory in enumerate(best)}
    then = work.query.as_of
    edges = [
        edge
        for edge in sources.store.edges(sources.user, [*speaker])
        if then is None or edge.recorded_at is None or edge.recorded_at <= then
    ]
    far = {end for edge in edges for end in (edge.source, edge.target)} - speaker.keys()
    node = speaker | {
        one.id: place[one.content] for one in _visible(work, sources, far) if one.content in place
    }
    for edge in edges:
        kind = "causal" if edge.type in CAUSAL else "related"
        for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
            if here in speaker and there in node:
                yield kind, node[there], speaker[here], min(edge.weight, 1.0)


def _visible(work: Work, sources: Sources, ids: Iterable[str]) -> list[Memory]:
    allowed = work.where.ids
    wanted = sorted(one for one in ids if allowed is None or one in allowed)[:MOST_RELATED]
    return sources.store.find(sources.user, replace(work.where, ids=tuple(wanted))) if wanted else []


def _in_common(best: Sequence[Memory]) -> Iterator[Link]:
    """Which of the best are of one session or one episode, or carry the same tags."""
    sessions, runs, tagged = (defaultdict(list) for _ in range(3))
    for place, memory in enumerate(best):
        sessions[memory.origin.session].append(place)
        runs[memory.origin.run].append(place)
        for tag in memory.tags:
            tagged[tag].append(place)
    for kind, groups in (("same_session", sessions), ("same_episode", runs)):
        for name, places in groups.items():
            if name is not None:
                yield from ((kind, *pair, 1.0) for pair in permutations(places, 2))
    for one, other in {pair for places in tagged.values() for pair in permutations(places, 2)}:
        mine, theirs = set(best[one].tags), set(best[other].tags)
        yield "same_tag", one, other, len(mine & theirs) / len(mine | theirs)
