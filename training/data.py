"""The sources of training pairs, each with a licence that allows shipping what is learnt from it (see DATA.md)."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from training.made import made_dialogues, made_pairs
from training.pools import HARD, Pool, content_words
from training.questions import FIRST, about, from_fact, from_partner, from_turn, statements

NAMES = [
    "Alice", "Ben", "Carla", "David", "Elena", "Felix", "Grace", "Hugo", "Irene", "Jonas", "Kira", "Noah",
    "Olga", "Pedro", "Quinn", "Rosa", "Samir", "Tara", "Umar", "Vera", "Walter", "Xenia", "Yusuf", "Zoe",
    "Amir", "Bianca", "Cem", "Dora", "Emil", "Fatma", "Gustav", "Hana", "Igor", "Julia", "Karl", "Leyla",
    "Mehmet", "Nina", "Oscar", "Paula", "Rahul", "Selin", "Tomas", "Ulla", "Viktor", "Wendy", "Yara",
    "Zeki", "Anna", "Boris", "Chloe", "Deniz", "Ella", "Frank", "Gina", "Henry", "Isla", "Maya", "Owen",
    "Priya", "Ravi", "Marta", "Lukas", "Sofia", "Ahmet", "Ines", "Theo", "Clara", "Rafael", "Ayla",
    "Stefan", "Nora", "Bruno", "Lena", "Kerem",
]  # fmt: skip
"""None of them speaks in LoCoMo, which is measured with."""
LONGEST_QUESTION = 300


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
    pool = Pool(texts)
    for at, (who, text, facts) in enumerate(turns):
        asker = FIRST if mine else names[who]
        asked = [(question, source) for fact in facts for question in from_fact(fact, asker, rng)]
        if at and len(text.split()) > 3:
            partner = from_partner(turns[at - 1][1], asker)
            asked += [(partner, source)] if partner else []
        topic = pool.topic(text, rng)
        if topic and rng.random() < 0.35:
            asked.append((about(topic, asker, rng), source))
        asked += [(question, "turns") for question in from_turn(text, asker, rng)]
        for question, kind in asked:
            # "What do I have?" is answered by half of what anybody says.
            if mine and len(content_words(question)) < 2:
                continue
            yield Example(question, texts[at], pool.hard(question, {at}, rng), kind)


def _realmem(user: dict[str, Any], rng: Random) -> Iterator[Example]:
    """A user's sessions with an assistant, in their order."""
    past: dict[str, Pool] = {}
    for session in user["dialogues"]:
        pool = Pool([turn["content"] or "-" for turn in session["dialogue_turns"]])
        yield from _kept(session, pool, rng)
        yield from _stated(session, pool, rng)
        yield from _built_on(session, past, rng)
        past[str(session["session_uuid"])] = pool


def _kept(session: dict[str, Any], pool: Pool, rng: Random) -> Iterator[Example]:
    """What was worth keeping of a session, and the turn of it that says so."""
    for memory in session.get("extracted_memory") or ():
        content = re.sub(r"【.*?】", "", memory["content"]).strip()
        ranked = pool.ranked(content)
        if not ranked or ranked[0][0] < 2.0:
            continue
        at = ranked[0][1]
        negatives = pool.hard(content, {at}, rng)
        yield Example(content[:LONGEST_QUESTION], pool.texts[at], negatives, "realmem")
        topic = pool.topic(content, rng)
        if topic:
            yield Example(about(topic, FIRST, rng), pool.texts[at], negatives, "realmem")


def _stated(session: dict[str, Any], pool: Pool, rng: Random) -> Iterator[Example]:
    """What users say of themselves."""
    for at, turn in enumerate(session["dialogue_turns"]):
        if turn["speaker"] == "User":
            for question in from_turn(pool.texts[at], FIRST, rng):
                if len(content_words(question)) > 1:
                    yield Example(question, pool.texts[at], pool.hard(question, {at}, rng), "stated")


def _built_on(session: dict[str, Any], past: dict[str, Pool], rng: Random) -> Iterator[Example]:
    """What users asked, and the best turn of each session that the answer built on; no other session answers."""
    for turn, answer in pairwise(session["dialogue_turns"]):
        if not turn.get("is_query"):
            continue
        named = [key for key in map(str, answer.get("memory_session_uuids") or ()) if key in past]
        others = Pool([text for key, pool in past.items() if key not in named for text in pool.texts])
        asked = turn["content"][:LONGEST_QUESTION]
        negatives = others.hard(asked, set(), rng)
        for key in named:
            ranked = past[key].ranked(asked)
            if ranked and len(negatives) == HARD:
                yield Example(asked, past[key].texts[ranked[0][1]], negatives, "queries")


def _multihop(found: dict[str, Any]) -> Iterator[Example]:
    """Every other question, so that the rest can be measured."""
    texts = {passage["id"]: f"{passage['title']}\n{passage['text']}" for passage in found["corpus"]}
    places = list(texts)
    pool = Pool([texts[place] for place in places])
    for query in found["queries"][::2]:
        gold = {place for place in range(len(places)) if places[place] in set(query["gold"])}
        ranked = [at for _, at in pool.ranked(query["question"]) if at not in gold]
        negatives = tuple(pool.texts[at] for at in ranked[:HARD])
        for at in sorted(gold):
            yield Example(query["question"], pool.texts[at], negatives, "multihop")
