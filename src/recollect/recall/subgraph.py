"""The candidates of one question as a graph: what is known of each, and what links it to the best of them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.late_interaction import ONE_THREAD, coverage
from recollect.formulas.message_passing import Graph, linked
from recollect.language.names import name_key
from recollect.language.searched import key_term
from recollect.model import Memory, microseconds
from recollect.recall.naming import bearing, named_in
from recollect.recall.showing import shown
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
_WORD: Final = re.compile(r"\w+")

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The graph, with the contents that its nodes stand for and their scores, best first."""

    contents: NDArray[np.int64]
    scores: Matrix
    graph: Graph
    pairs: int
    """How many of them are linked to how many of the best, by whatever kind."""


def subgraph(work: Work, sources: Sources) -> Subgraph:
    """Of the best two hundred candidates; it knows no more than the asker may see."""
    places = work.order[:NODES]
    contents, scores = work.confirmed.contents[places], work.scores[places]
    best = shown(work, sources, contents[:SPEAKERS].tolist())
    # Kind by kind in memory: what is filled in and what is summed up lies together.
    by_kind = np.zeros((len(KINDS), len(contents), len(best)))
    links = np.moveaxis(by_kind, 0, 2)
    spoken = contents[: len(best)]

    def fill(kind: str, values: Matrix) -> None:
        by_kind[KINDS.index(kind), : len(values)] = values

    fill("alike", _alike(sources, contents, len(best)))
    at, known = _found_at(work, contents)
    fill("beside", _beside(np.where(known[:, None], work.read_from.around[at], -1), spoken))
    fill("same_session", _same([memory.origin.session for memory in best]))
    fill("same_episode", _same([memory.origin.run for memory in best]))
    place = {content: at for at, content in enumerate(contents.tolist())}
    for kind, node, speaker, value in (
        *_naming(work, sources, best[:READ], place),
        *_related(work, sources, spoken, contents),
        *_tagged(best),
    ):
        one = (KINDS.index(kind), node, speaker)
        by_kind[one] = max(by_kind[one], value)
    own = np.arange(len(best))
    links[own, own] = 0.0
    heard = linked(links)
    matches = None if work.matches is None else np.where(known[:, None], work.matches[at], 0.0)
    if matches is not None:
        fill("completes", _together(matches, heard, work.found.rarity))
    covered = np.zeros(len(contents)) if matches is None else coverage(matches, work.found.rarity)
    graph = Graph(_features(work, places, covered, known, at), own, links)
    return Subgraph(contents, scores, graph, int(np.count_nonzero(heard)))


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


def _found_at(work: Work, contents: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Where the index's columns have each; what a part of the question brought is not in them."""
    held = work.read_from.contents
    at = np.searchsorted(held, contents)
    at[at == len(held)] = 0
    return at, held[at] == contents


def _alike(sources: Sources, contents: NDArray[np.int64], speakers: int) -> Matrix:
    """From 0 at a cosine of .3 to 1; of each only the likest few."""
    order = np.argsort(contents)
    numbers, held = sources.index.vectors(contents[order])
    if not len(numbers) or not speakers:
        return np.zeros((len(contents), speakers))
    # Who lies where among those that have a vector: others are like nobody.
    places = order[np.searchsorted(contents[order], numbers)]
    best = places < speakers
    alike = np.zeros((len(contents), speakers), np.float32)
    alike[places[:, None], places[best]] = _products(held, held[best].T)
    alike[np.arange(speakers), np.arange(speakers)] = 0.0
    if speakers > ALIKE:
        least = np.partition(alike, -ALIKE, axis=1)[:, -ALIKE]
        alike[alike < least[:, None]] = 0.0
    return np.clip((alike.astype(np.float64) - LEAST_ALIKE) / (1.0 - LEAST_ALIKE), 0.0, 1.0)


def _products(rows: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    # BLAS shares larger products out to threads, and waits long for them on a busy machine.
    step = max(1, ONE_THREAD // max(1, columns.size))
    found = np.empty((len(rows), columns.shape[1]), np.float32)
    for at in range(0, len(rows), step):
        np.matmul(rows[at : at + step], columns, out=found[at : at + step])
    return found


def _beside(around: NDArray[np.int64], spoken: NDArray[np.int64]) -> Matrix:
    """.7 for the turn right before or after, .7 of that for the next."""
    beside = np.zeros((len(around), len(spoken)))
    middle = around.shape[1] // 2
    order = np.argsort(spoken)
    at = np.searchsorted(spoken[order], around)
    at[at == len(spoken)] = 0
    speaker = order[at]
    node, column = np.nonzero((spoken[speaker] == around) & (np.arange(around.shape[1]) != middle))
    beside[node, speaker[node, column]] = DECAY ** np.abs(column - middle)
    return beside


def _together(matches: NDArray[np.float32], heard: NDArray[np.bool_], rarity: Matrix) -> Matrix:
    """How much more of the question two that are linked cover together than the better of them alone."""
    found = np.zeros(heard.shape)
    total = rarity.sum()
    if total > 0:
        clipped = np.clip(matches, 0.0, 1.0).T.astype(np.float64) * (rarity / total)[:, None]
        node, speaker = np.nonzero(heard)
        alone = clipped.sum(axis=0)
        both = -np.maximum(alone[node], alone[speaker])
        for word in clipped:
            both += np.maximum(word[node], word[speaker])
        found[node, speaker] = both
    return found


def _same(values: Sequence[str | None]) -> Matrix:
    """1 where two of the best have the same; what has none has it with nobody."""
    known: dict[str, int] = {}
    numbers = np.array(
        [-1 - at if one is None else known.setdefault(one, len(known)) for at, one in enumerate(values)],
        np.int64,
    )
    same: Matrix = (numbers[:, None] == numbers).astype(np.float64)
    return same


Link = tuple[str, int, int, float]
"""Its kind, who hears, who speaks, how strongly."""


def _naming(work: Work, sources: Sources, best: Sequence[Memory], place: Mapping[int, int]) -> Iterator[Link]:
    """Who names whom by its title, and who names the same; what the question names tells nothing."""
    asked = _words(name_key(work.query.text))
    named = [
        {key for key in map(name_key, named_in(work, memory)) if _words(key) not in asked} for memory in best
    ]
    every = sorted({one for some in named for one in some})
    if work.found.titled and every:
        found = bearing(work, sources, [key_term(name) for name in every])
        bearers = dict(zip(every, found, strict=True))
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


def _words(folded: str) -> str:
    """Its words between blanks, so that one text holds another as whole words."""
    return f" {' '.join(_WORD.findall(folded))} "


def _related(
    work: Work, sources: Sources, spoken: NDArray[np.int64], contents: NDArray[np.int64]
) -> Iterator[Link]:
    """The edges of the best, to one another and to other candidates; all of them the asker may see."""
    place = {content: at for at, content in enumerate(contents.tolist())}
    then = None if work.query.as_of is None else microseconds(work.query.as_of)
    for edge in sources.store.edges_between(sources.user, spoken, contents):
        if then is not None and edge.recorded_at > then:
            continue
        kind = "causal" if edge.type in CAUSAL else "related"
        for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
            if place[here] < len(spoken):
                yield kind, place[there], place[here], min(edge.weight, 1.0)


def _tagged(best: Sequence[Memory]) -> Iterator[Link]:
    """Which of the best carry the same tags."""
    tagged = defaultdict(list)
    for place, memory in enumerate(best):
        for tag in memory.tags:
            tagged[tag].append(place)
    for one, other in {pair for places in tagged.values() for pair in permutations(places, 2)}:
        mine, theirs = set(best[one].tags), set(best[other].tags)
        yield "same_tag", one, other, len(mine & theirs) / len(mine | theirs)
