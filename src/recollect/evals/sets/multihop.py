"""MuSiQue, HotpotQA and 2Wiki: questions that need several passages of a corpus."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect.evals.model import Corpus, EvalSet, Item, Question
from recollect.evals.sets.files import document, documents, shaped


def read(path: Path) -> tuple[EvalSet, ...]:
    """One file is one set; a folder has several."""
    return tuple(_set(one) for one in documents(path))


def _set(path: Path) -> EvalSet:
    found = document(path)
    with shaped(path, "a multi-hop file"):
        passages = tuple(_passage(place, one) for place, one in enumerate(found["corpus"]))
        questions = tuple(
            Question(one["question"], tuple(map(str, one["gold"])), str(one.get("type", "unknown")))
            for one in found["queries"]
        )
    return EvalSet(path.stem, (Corpus(path.stem, questions, passages=passages),))


def _passage(place: int, one: Mapping[str, Any]) -> Item:
    return Item(str(place), f"{one['title']}\n{one['text']}", title=one["title"])
