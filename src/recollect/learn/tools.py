"""What became of each type of action, such as each tool that an agent calls: how often, how well, how fast."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.formulas.posterior import usage_success
from recollect.learn.marks import mark
from recollect.learn.values import Step, Tool


@dataclass(slots=True)
class Calls:
    """The calls of one type in finished episodes."""

    contents: list[int]
    """Of one step a finished episode, which tells its name."""
    calls: int = 0
    wins: int = 0
    """Those in episodes that succeeded."""
    worked: int = 0
    broke: int = 0
    """Those of which it is known that they worked, or did not."""
    latency_ms: float = 0.0
    timed: int = 0


class Toolbox:
    """The calls of one channel, by kind of task and type of action."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Calls] = defaultdict(lambda: Calls([]))

    def count(self, outcome: Mapping[str, Any]) -> None:
        """Adds one outcome's."""
        for kind, content, calls, worked, broke, latency_ms, timed in outcome.get("tools", ()):
            known = self._known[outcome["task"], kind]
            known.contents.append(content)
            known.calls += calls
            known.wins += calls if outcome["success"] else 0
            known.worked += worked
            known.broke += broke
            known.latency_ms += latency_ms
            known.timed += timed

    def calls(self, task_type: str | None) -> dict[int, Calls]:
        """By type of action; of one kind of task, or of all together."""
        wanted = None if task_type is None else mark(task_type)
        found: dict[int, Calls] = defaultdict(lambda: Calls([]))
        for (task, kind), known in self._known.items():
            if wanted in (None, task):
                _add(found[kind], known)
        return found


def told_calls(steps: Sequence[tuple[Step, int]]) -> list[list[float]]:
    """What an outcome's record tells of its steps' types."""
    rows: dict[int, list[float]] = {}
    for step, content in steps:
        row = rows.setdefault(mark(step.action_type), [content, 0, 0, 0, 0.0, 0])
        row[1] += 1
        row[2] += step.ok is True
        row[3] += step.ok is False
        row[4] += step.latency_ms or 0.0
        row[5] += step.latency_ms is not None
    return [[kind, *row] for kind, row in rows.items()]


def summed(toolboxes: Iterable[Toolbox], task_type: str | None) -> dict[int, Calls]:
    """The calls of several channels together."""
    found: dict[int, Calls] = defaultdict(lambda: Calls([]))
    for toolbox in toolboxes:
        for kind, known in toolbox.calls(task_type).items():
            _add(found[kind], known)
    return found


def tool(name: str, calls: Calls) -> Tool:
    """The calls as they are told."""
    return Tool(
        name,
        calls.calls,
        calls.wins,
        calls.calls - calls.wins,
        float(usage_success(calls.wins, calls.calls)),
        calls.worked,
        calls.broke,
        calls.latency_ms / calls.timed if calls.timed else None,
    )


def _add(into: Calls, other: Calls) -> None:
    into.contents += other.contents
    into.calls += other.calls
    into.wins += other.wins
    into.worked += other.worked
    into.broke += other.broke
    into.latency_ms += other.latency_ms
    into.timed += other.timed
