"""Whether advice comes from the runs that succeeded: recorded runs of tool-calling agents, replayed.

Each run is an episode, each tool call a step, the reward its outcome. Before each step the memory is asked what the runs
before it taught; then the step is taken as it was. Nothing of a run is known before it is over.
"""

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.evals.measuring import DIGITS, Watch, unwatched
from recollect.ports import Embedder
from recollect.providers.cache import CachedEmbedder

PRECEDENTS = 10
SEEN = 400
"""How many characters of what was said last are part of a state."""
SIMILAR_ALONE: Mapping[str, str] = MappingProxyType(
    {
        "learning.clean": "off",
        "learning.trim": "off",
        "learning.value": "off",
        "learning.chances": "off",
        "learning.decay": "off",
        "learning.task_match": "0",
        "learning.region_match": "0",
    }
)
"""What makes it a memory that finds similar situations and learns nothing from outcomes."""
ACTION = re.compile(r"Action:\s*(\{.*\})", re.DOTALL)
RESPOND = "respond"
TEXTS_KEPT, DAY_SECONDS = 100_000, 86_400.0
FAILED = ("error", "api output: error")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call, with what was said before it and what it gave back."""

    tool: str
    arguments: str
    seen: str
    result: str

    @property
    def ok(self) -> bool:
        return not self.result.casefold().startswith(FAILED)


@dataclass(frozen=True, slots=True)
class Played:
    """One recorded run."""

    goal: str
    domain: str
    success: bool
    calls: tuple[Call, ...]


@dataclass(slots=True)
class Tally:
    """What the advice of one arm was like."""

    advised: int = 0
    from_success: int = 0
    asked: int = 0
    same_tool: int = 0


def replay(
    data: Path,
    embedder: Embedder,
    limit: int | None = None,
    *,
    seed: int = 1,
    watch: Watch = unwatched,
) -> dict[str, Any]:
    """The share of advice that comes from successes, and how often it names the tool that a success took next."""
    runs = read(data)
    random.Random(seed).shuffle(runs)  # noqa: S311 - the order of a replay, no secret
    runs = runs[:limit]
    arms = {}
    # Both arms ask about the same texts, and neither reads word by word.
    once = CachedEmbedder(embedder, capacity=TEXTS_KEPT, ttl_seconds=DAY_SECONDS)
    for name, settings in (("without", SIMILAR_ALONE), ("learning", {})):
        with watch(f"replaying {name}") as heard, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tau.db"
            with Recollect(path, user="tau", channel="_global", embedder=once, settings=settings) as memory:
                arms[name] = _arm(memory, runs, heard)
                equal = {one.name: (one.calls, one.wins) for one in memory.tools()} == counted(runs)
    return {
        "set": "tau",
        "embedder": embedder.name,
        "runs": len(runs),
        "successes": sum(run.success for run in runs),
        "calls": sum(len(run.calls) for run in runs),
        **{name: _figures(tally) for name, tally in arms.items()},
        "ratio": _ratio(arms["learning"], arms["without"]),
        "tool_counts_equal": equal,
    }


def _arm(memory: Recollect, runs: Sequence[Played], heard: Any) -> Tally:
    tally, won = Tally(), set()
    for place, run in enumerate(runs, 1):
        episode = memory.episode(run.goal, task_type=run.domain)
        done: list[str] = []
        for call in run.calls:
            advice = episode.decide([run.goal, "; ".join(done[-4:]) or "nothing", call.seen], k=PRECEDENTS)
            if advice.precedents:
                tally.advised += len(advice.precedents)
                tally.from_success += sum(one.episode in won for one in advice.precedents)
                if run.success:
                    tally.asked += 1
                    tally.same_tool += advice.best == call.tool
            episode.step(
                call.tool, command=f"{call.tool}({call.arguments})", observation=call.result, ok=call.ok
            )
            done.append(call.tool)
        episode.finish(run.success)
        if run.success:
            won.add(episode.id)
        if heard is not None:
            heard(place, len(runs))
    return tally


def counted(runs: Sequence[Played]) -> dict[str, tuple[int, int]]:
    """By tool, how often it was called, and how often in a run that succeeded: the count that statistics must equal."""
    calls = Counter(call.tool for run in runs for call in run.calls)
    wins = Counter(call.tool for run in runs if run.success for call in run.calls)
    return {name: (count, wins[name]) for name, count in calls.items()}


def read(data: Path) -> list[Played]:
    """The runs of a folder's files, those without a single tool call left out."""
    files = sorted(data.glob("*.json")) if data.is_dir() else [data]
    runs = [_played(one) for file in files for one in json.loads(file.read_text(encoding="utf-8"))]
    found = [run for run in runs if run.calls]
    if not found:
        raise InvalidInput(f"{data} has no recorded run with a tool call")
    return found


def _played(run: Mapping[str, Any]) -> Played:
    said = [one for one in run["traj"] if one["role"] != "system"]
    policy = next((str(one["content"]) for one in run["traj"] if one["role"] == "system"), "")
    goal = next((str(one["content"]) for one in said if one["role"] == "user"), "") or "help the user"
    return Played(
        goal.strip(), policy.split("\n", 1)[0].strip("# "), run["reward"] >= 1.0, tuple(_calls(said))
    )


def _calls(said: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    seen = ""
    for place, one in enumerate(said):
        results = [str(after.get("content") or "") for after in said[place + 1 : place + 9]]
        for number, (tool, arguments) in enumerate(called(one)):
            result = results[number] if number < len(results) else ""
            yield Call(tool, arguments, seen[:SEEN] or "nothing", result)
        if one["role"] != "assistant":
            seen = str(one.get("content") or "")


def called(said: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The tools that a message calls: in its own field, or as text of a ReAct agent."""
    if said.get("tool_calls"):
        functions = [one["function"] for one in said["tool_calls"]]
        return [(one["name"], str(one["arguments"])) for one in functions]
    found = ACTION.search(str(said.get("content") or "")) if said["role"] == "assistant" else None
    if found is None:
        return []
    try:
        told = json.loads(found[1])
    except json.JSONDecodeError:
        return []
    if not isinstance(told, dict) or told.get("name") in (None, RESPOND):
        return []
    return [(str(told["name"]), json.dumps(told.get("arguments", {})))]


def _figures(tally: Tally) -> dict[str, float]:
    return {
        "from_success": round(tally.from_success / max(1, tally.advised), DIGITS),
        "same_tool": round(tally.same_tool / max(1, tally.asked), DIGITS),
        "asked": tally.asked,
    }


def _ratio(learning: Tally, without: Tally) -> float:
    shares = [one.from_success / max(1, one.advised) for one in (learning, without)]
    return round(shares[0] / shares[1], DIGITS) if shares[1] else 0.0
