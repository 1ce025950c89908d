"""What a verb did, as a line of the ops log: ids, actions, stages and times; texts only where that is wanted."""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from recollect.model import Memory
from recollect.recall.hits import Recall
from recollect.write.result import Remembered

if TYPE_CHECKING:
    from recollect.engine.core import Core

MOST: Final = 100
"""So many decisions stand in one line; the counts are of all."""
Verb = TypeVar("Verb", bound=Callable[..., Any])


def told(verb: Verb) -> Verb:
    """A verb that tells the ops log what it did, or which error it ended in, where there is an ops log."""

    @wraps(verb)
    def telling(self: "Core", /, *args: Any, **options: Any) -> Any:
        log = self.ops_log
        if log is None:
            return verb(self, *args, **options)
        start, line = perf_counter(), {"at": self.now().isoformat(), "op": verb.__name__, "user": self.user}
        for name in ("channel", "session", "run", "actor"):
            if options.get(name) is not None:
                line[name] = str(options[name])
        try:
            result = verb(self, *args, **options)
        except Exception as error:
            log.put({**line, "ms": _since(start), "error": type(error).__name__})
            raise
        log.put({**line, "ms": _since(start), **described(result, content=self.settings.ops.content)})
        return result

    return cast("Verb", telling)


def described(result: Any, *, content: bool) -> dict[str, Any]:
    """A verb's result: what was decided of which memories, and with `content` their texts and the reasons."""
    match result:
        case Remembered():
            return _decisions([result], content=content)
        case Recall():
            found: dict[str, Any] = {"hits": len(result), "ids": [hit.id for hit in result][:MOST]}
            return found | ({"question": result.query} if content else {})
        case Memory():
            return {"id": result.id, "state": str(result.state)}
        case list() if result and all(isinstance(one, Remembered) for one in result):
            return _decisions(result, content=content)
    return {}


def _decisions(results: list[Remembered], *, content: bool) -> dict[str, Any]:
    formed = [part for one in results for part in one.formed]
    redacted = Counter(found.kind for one in results for found in one.redactions)
    line: dict[str, Any] = {"actions": dict(Counter(str(one.action) for one in results))}
    line["ids"] = [one.id for one in results if one.id is not None][:MOST]
    if redacted:
        line["redacted"] = dict(redacted)
    if formed:
        line["stages"] = dict(Counter(f"{part.stage}.{part.action}" for part in formed))
        line["formed"] = [
            {"id": part.id, "action": str(part.action), "stage": part.stage, "kind": part.kind}
            | ({"text": part.text, "reason": part.reason} if content else {})
            for part in formed[:MOST]
        ]
    if content:
        line["texts"] = [{"text": one.text, "reason": one.reason} for one in results[:MOST]]
    return line


def _since(start: float) -> float:
    return round(1_000 * (perf_counter() - start), 3)
