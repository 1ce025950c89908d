"""What a language model can be asked to do: a prompt and the shape of its answer, each a file in `prompts/`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from recollect.errors import InvalidInput

TASKS: Final = ("extract", "merge", "relate", "tell")


@dataclass(frozen=True, slots=True)
class Task:
    """One of them."""

    name: str
    prompt: str
    schema: Mapping[str, Any]


@cache
def task(name: str) -> Task:
    """The task of that name."""
    if name not in TASKS:
        raise InvalidInput(f"no task {name!r}; there are: {', '.join(TASKS)}")
    folder = files("recollect.providers") / "prompts"
    schema = json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))
    return Task(name, (folder / f"{name}.md").read_text(encoding="utf-8"), schema)
