"""What a tool is: a function of one user's memory, with what a client is told about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.serve.keys import Right


@dataclass(frozen=True, slots=True)
class Tool:
    """A function over a memory; its docstring is what the model reads."""

    name: str
    title: str
    function: Callable[..., dict[str, Any]]
    right: Right
    destructive: bool = False
    """Whether it takes something away; all of it can be restored."""
    idempotent: bool = False
    """Whether doing it twice is as good as once."""

    @property
    def read_only(self) -> bool:
        return self.right is Right.READ


def listed(*tools: Tool) -> Mapping[str, Tool]:
    """Tools by their names."""
    return {tool.name: tool for tool in tools}
