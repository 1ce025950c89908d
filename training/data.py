"""The sources of training pairs, each with a licence that allows shipping what is learnt from it (see DATA.md)."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from training.made import made_dialogues, made_pairs
from training.questions import FIRST, about, from_fact, from_partner, statements

NAMES = ["Alice", "Ben", "Carla", "David", "Elena", "Felix", "Grace", "Hugo", "Irene", "Jonas", "Kira", "Liam", "Maria", "Noah", "Olga", "Pedro", "Quinn", "Rosa", "Samir", "Tara", "Umar", "Vera", "Walter", "Xenia", "Yusuf", "Zoe", "Amir", "Bianca", "Cem", "Dora", "Emil", "Fatma", "Gustav", "Hana", "Igor", "Julia", "Karl", "Leyla", "Mehmet", "Nina", "Oscar", "Paula", "Rahul", "Selin", "Tomas", "Ulla", "Viktor", "Wendy", "Yara", "Zeki", "Anna", "Boris", "Chloe", "Deniz", "Ella", "Frank", "Gina", "Henry", "Isla", "Jack", "Caroline", "Melanie", "Nate", "Joanna", "Tim", "James", "Audrey", "Andrew", "Calvin", "Dave", "Evan", "Sam", "Jolene", "Deborah", "Maya", "Owen", "Priya", "Ravi"]  # fmt: skip
HARD = 3
STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "if",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "from",
        "by",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "do",
        "does",
        "did",
        "have",
        "has",
        "had",
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "me",
        "my",
        "your",
        "his",
        "her",
        "its",
        "our",
        "their",
        "this",
        "that",
        "these",
        "those",
        "there",
        "here",
        "what",
        "when",
        "where",
        "who",
        "why",
        "how",
        "which",
        "not",
        "no",
        "yes",
        "so",
        "too",
        "very",
        "just",
        "really",
        "about",
        "into",
        "out",
        "up",
        "down",
        "over",
        "then",
        "than",
        "can",
        "could",
        "will",
        "would",
        "should",
        "like",
        "know",
        "think",
        "get",
        "got",
        "go",
        "going",
        "good",
        "great",
        "nice",
        "love",
        "oh",
        "wow",
        "well",
        "yeah",
        "that's",
        "it's",
        "i'm",
        "don't",
    ]
)


@dataclass(frozen=True, slots=True)
class Example:
    """A question, the text that answers it, and texts that are like it and do not."""

    question: str
    positive: str
    negatives: tuple[str, ...]
    source: str


def examples(data: Path, seed: int = 0) -> Iterator[Example]:
    """All pairs of all sources that are there."""
    rng = Random(seed)
    for path in sorted((data / "msc").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield from _conversation([_msc(turn) for turn in json.loads(line)["dialog"]], "msc", rng)
    for dialogue in made_dialogues(rng):
        yield from _conversation(dialogue, "made", rng)
    for question, positive, negative in made_pairs(rng, NAMES):
        yield Example(question, positive, (negative,), "made")
    # Every other user, so that the rest can say how it works for users that were not trained on.
    for path in sorted((data / "realmem").glob("*.json"))[::2]:
        yield from _realmem(json.loads(path.read_text("utf-8")), rng)
    for path in sorted((data / "multihop").glob("*.json")):
        yield from _multihop(json.loads(path.read_text("utf-8")))


def _msc(turn: dict[str, Any]) -> tuple[str, str, list[str]]:
    return turn["id"], turn["text"], statements(turn.get("persona_text") or "")


def _conversation(turns: Sequence[tuple[str, str, list[str]]], source: str, rng: Random) -> Iterator[Example]:
    """Two people who speak: (speaker, text, facts that the text states)."""
    mine = rng.random() < 0.3
    names = dict(zip(sorted({who for who, _, _ in turns}), rng.sample(NAMES, 4), strict=False))
    texts = [text if mine else f"{names[who]}: {text}" for who, text, _ in turns]
    rarity = _rarity(texts)
    for at, (who, text, facts) in enumerate(turns):
        asker = FIRST if mine else names[who]
        asked = [question for fact in facts for question in from_fact(fact, asker, rng)]
        if at and len(text.split()) > 3:
            partner = from_partner(turns[at - 1][1], asker)
            asked += [partner] if partner else []
        topic = _topic(text, rarity, rng)
        if topic and rng.random() < 0.35:
            asked.append(about(topic, asker, rng))
        for question in asked:
            # "What do I have?" is answered by half of what anybody says.
            if mine and len(_words(question)) < 2:
                continue
            yield Example(question, texts[at], _hard(question, texts, {at}, rng), source)


def _realmem(user: dict[str, Any], rng: Random) -> Iterator[Example]:
    """Between sessions: what was worth keeping of one, and the turn of it that says so."""
    for session in user["dialogues"]:
        turns = [turn["content"] or "-" for turn in session["dialogue_turns"]]
        rarity = _rarity(turns)
        for memory in session.get("extracted_memory") or ():
            content = re.sub(r"【.*?】", "", memory["content"]).strip()
            ranked = _ranked(content, turns, rarity)
            if not ranked or ranked[0][0] < 2.0:
                continue
            at = ranked[0][1]
            negatives = _hard(content, turns, {at}, rng)
            yield Example(content[:300], turns[at], negatives, "realmem")
            topic = _topic(content, rarity, rng)
            if topic:
                yield Example(about(topic, FIRST, rng), turns[at], negatives, "realmem")


def _multihop(found: dict[str, Any]) -> Iterator[Example]:
    """Every other question, so that the rest can be measured."""
    texts = {passage["id"]: f"{passage['title']}\n{passage['text']}" for passage in found["corpus"]}
    places = list(texts)
    passages = [texts[place] for place in places]
    rarity = _rarity(passages)
    for query in found["queries"][::2]:
        gold = {place for place in range(len(places)) if places[place] in set(query["gold"])}
        ranked = [at for _, at in _ranked(query["question"], passages, rarity) if at not in gold]
        for at in gold:
            yield Example(
                query["question"], passages[at], tuple(passages[n] for n in ranked[:HARD]), "multihop"
            )


def _hard(question: str, texts: Sequence[str], gold: set[int], rng: Random) -> tuple[str, ...]:
    """Other texts of the same conversation: those with the question's words, then any."""
    gold = {at for at, text in enumerate(texts) if text in {texts[right] for right in gold}}
    others = [at for _, at in _ranked(question, texts, _rarity(texts)) if at not in gold]
    rest = [at for at in range(len(texts)) if at not in gold and at not in others]
    rng.shuffle(rest)
    return tuple(texts[at] for at in [*others, *rest][:HARD])


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w']+", text.lower()) if word not in STOP]


def _rarity(texts: Sequence[str]) -> dict[str, float]:
    counts = Counter(word for text in texts for word in set(_words(text)))
    return {word: math.log(1 + len(texts) / count) for word, count in counts.items()}


def _ranked(question: str, texts: Sequence[str], rarity: dict[str, float]) -> list[tuple[float, int]]:
    wanted = set(_words(question))
    scored = [
        (sum(rarity.get(w, 0.0) for w in wanted & set(_words(text))), at) for at, text in enumerate(texts)
    ]
    return sorted((pair for pair in scored if pair[0] > 0), reverse=True)


def _topic(text: str, rarity: dict[str, float], rng: Random) -> str | None:
    """Something rare that the text speaks of, with the word before it where that says more."""
    words = [word for word in _words(text) if len(word) > 3 and word.isalpha()]
    if not words:
        return None
    best = sorted(set(words), key=lambda w: (-rarity.get(w, 9.0), w))[:4]
    chosen = rng.choice(best)
    match = re.search(rf"\b([A-Za-z]{{4,}}) {re.escape(chosen)}\b", text, re.IGNORECASE)
    return f"{match[1]} {chosen}" if match and match[1].lower() not in STOP and rng.random() < 0.5 else chosen
