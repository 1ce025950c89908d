"""Memories of mem0: what `get_all` gives back, as JSON or a line each."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from recollect.integrations.importers.files import files, lines
from recollect.integrations.importers.values import Item, Note, Part, Problem, as_text, known_moment
from recollect.integrations.mem0_shapes import payload


def parts(path: Path) -> list[Part]:
    """A part a file."""
    return [partial(_file, file) for file in files(path, "*.json*")]


def _file(path: Path) -> Iterator[Item]:
    if path.suffix == ".jsonl":
        for found in lines(path):
            yield found if isinstance(found, Problem) else _note(f"{path}:{found[0]}", found[1])
        return
    try:
        whole = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        yield Problem(str(path), f"not JSON: {error}")
        return
    listed = whole.get("results", whole.get("memories")) if isinstance(whole, Mapping) else whole
    if not isinstance(listed, list):
        yield Problem(str(path), "no list of memories, nor are there any under 'results'")
        return
    for place, value in enumerate(listed):
        yield _note(f"{path}[{place}]", value)


def _note(where: str, value: Any) -> Note | Problem:
    text = as_text(value.get("memory") or value.get("text")) if isinstance(value, Mapping) else None
    if text is None:
        return Problem(where, "no memory: it has no text")
    if not isinstance(value.get("id"), str | int):
        return Problem(where, "no memory: it has no id")
    metadata = value.get("metadata")
    categories = value.get("categories")
    return Note(
        str(value["id"]),
        text,
        known_moment(value.get("created_at")),
        tuple(one for one in categories if as_text(one)) if isinstance(categories, list) else (),
        payload(
            metadata if isinstance(metadata, Mapping) else None,
            role=as_text(value.get("role")),
            actor_id=as_text(value.get("actor_id")),
        ),
        as_text(value.get("user_id")),
        as_text(value.get("agent_id")),
        as_text(value.get("run_id")),
    )
