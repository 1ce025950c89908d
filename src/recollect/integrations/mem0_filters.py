"""mem0's filters: which user, agent and run, and a condition on everything else that a memory tells."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.language.moments import moment_from

ENTITIES: Final = ("user_id", "agent_id", "run_id")
ANYTHING: Final = "*"
MOMENTS: Final = frozenset({"created_at", "updated_at"})
"""What every memory has as a moment: it is compared as one, in whichever zone it is written."""
Condition = Callable[[Mapping[str, Any]], bool]
"""Of a memory as mem0 shows it, its metadata and its own fields side by side."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories, of which agent and of which run; what is None is any."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    @property
    def owner(self) -> str:
        """The user whose memory it goes to: ids hold no space, so that no user can be called like an agent."""
        if self.user_id is not None:
            return self.user_id
        return f"agent {self.agent_id}" if self.agent_id is not None else f"run {self.run_id}"

    @property
    def channel(self) -> str:
        """The channel it goes to: what one agent or run was told neither merges with nor replaces another's."""
        named = (("agent", self.agent_id), ("run", self.run_id))
        return "/".join(f"{name}:{value}" for name, value in named if value is not None) or "_global"

    def told(self) -> dict[str, str]:
        """The ids that are given, by their names."""
        return {name: value for name in ENTITIES if (value := getattr(self, name)) is not None}


def scope(*, needed: str, **ids: Any) -> Scope:
    """The scope that these ids make; one of them is needed."""
    given = {name: _id(name, value) for name, value in ids.items() if value is not None}
    if not given:
        raise InvalidInput(f"{needed}: give at least one of user_id, agent_id, run_id")
    return Scope(**{name: None if value == ANYTHING else value for name, value in given.items()})


def split(filters: Mapping[str, Any] | None, **ids: Any) -> tuple[Scope, Condition]:
    """The scope of a question, given in its filters or beside them, and the condition that is left."""
    if filters is not None and not isinstance(filters, Mapping):
        raise InvalidInput(f"filters is a mapping such as {{'user_id': 'ada'}}, not {type(filters).__name__}")
    rest = dict(filters or {})
    found = {name: rest.pop(name, None) for name in ENTITIES}
    chosen = {name: found[name] if ids.get(name) is None else ids[name] for name in ENTITIES}
    return scope(needed="filters say whose memories are meant", **chosen), condition(rest)


def condition(filters: Mapping[str, Any]) -> Condition:
    """All of these hold: `{"key": value}`, `{"key": {"gte": 3}}`, `{"OR": [...]}`.

    >>> holds = condition({"OR": [{"priority": {"gte": 3}}, {"topic": {"icontains": "Tax"}}]})
    >>> holds({"priority": 1, "topic": "taxes"}), holds({"priority": 1}), holds({"priority": 3})
    (True, False, True)
    """
    parts = [_part(name, value) for name, value in filters.items()]
    return lambda memory: all(part(memory) for part in parts)


def _part(name: str, value: Any) -> Condition:
    if name in LOGIC:
        if not isinstance(value, Sequence) or isinstance(value, str) or (not value and name != "AND"):
            raise InvalidInput(f"{name} takes a list of filters, not {value!r}")
        if not all(isinstance(one, Mapping) for one in value):
            raise InvalidInput(f"{name} takes a list of filters, not {value!r}")
        parts = [condition(one) for one in value]
        how = LOGIC[name]
        return lambda memory: how([part(memory) for part in parts])
    if isinstance(value, Mapping):
        unknown = value.keys() - OPERATORS.keys()
        if unknown:
            raise InvalidInput(f"no operator {min(unknown)!r}; there are: {', '.join(OPERATORS)}")
        tests = [_test(name, operator, to) for operator, to in value.items()]
        return lambda memory: all(test(memory) for test in tests)
    if isinstance(value, str) and value == ANYTHING:
        return lambda memory: memory.get(name) is not None
    if isinstance(value, list | tuple):
        either = [_test(name, "eq", one) for one in value]
        return lambda memory: any(test(memory) for test in either)
    return _test(name, "eq", value)


def _test(name: str, operator: str, to: Any) -> Condition:
    """One comparison of what a memory has under a name; what is compared with it is checked here, once."""
    if operator in {"in", "nin"} and not isinstance(to, list | tuple | set):
        raise InvalidInput(f"{operator} takes a list of values, not {to!r}")
    if operator == "icontains" and not isinstance(to, str):
        raise InvalidInput(f"icontains takes a text, not {to!r}")
    if name in MOMENTS and operator not in {"contains", "icontains"}:
        at = [moment_from(one) for one in to] if operator in {"in", "nin"} else moment_from(to)
        return lambda memory: _holds(operator, moment_from(memory[name]), at)
    return lambda memory: _holds(operator, memory.get(name), to)


def _holds(operator: str, value: Any, to: Any) -> bool:
    try:
        return bool(OPERATORS[operator](value, to))
    except TypeError:
        # A text is neither above nor below a number; what is not there is not above anything.
        return False


LOGIC: Final[Mapping[str, Callable[[list[bool]], bool]]] = MappingProxyType(
    {"AND": all, "OR": any, "NOT": lambda found: not any(found)}
)
OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "eq": lambda value, to: to in value if isinstance(value, list) else value == to,
        "ne": lambda value, to: to not in value if isinstance(value, list) else value != to,
        "gt": lambda value, to: value > to,
        "gte": lambda value, to: value >= to,
        "lt": lambda value, to: value < to,
        "lte": lambda value, to: value <= to,
        "in": lambda value, to: value in to,
        "nin": lambda value, to: value not in to,
        "contains": lambda value, to: to in value,
        "icontains": lambda value, to: to.casefold() in value.casefold() if isinstance(value, str) else False,
    }
)


def _id(name: str, value: Any) -> str:
    text = str(value).strip()
    if not text or any(letter.isspace() for letter in text):
        raise InvalidInput(f"Invalid {name}: {value!r} is empty or has a space in it")
    return text
