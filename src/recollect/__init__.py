"""Long-term memory for AI agents: one file, offline, explained, and better with use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.errors import RecollectError
    from recollect.model import Action, Edge, Fault, Filter, Lane, Memory, Origin, Scope, State
    from recollect.recall.hits import Hit, Recall
    from recollect.recall.options import RecallOptions
    from recollect.recall.query import Query
    from recollect.serve.companion import Companion
    from recollect.write.result import Remembered

__all__ = [
    "Action",
    "Companion",
    "Edge",
    "Fault",
    "Filter",
    "Hit",
    "Lane",
    "Memory",
    "Origin",
    "Query",
    "Recall",
    "RecallOptions",
    "Recollect",
    "RecollectError",
    "Remembered",
    "Scope",
    "State",
]
__version__ = "0.1.0"

_WHERE = {
    "Companion": "serve.companion",
    "Recollect": "engine",
    "RecollectError": "errors",
    "Hit": "recall.hits",
    "Recall": "recall.hits",
    "Query": "recall.query",
    "RecallOptions": "recall.options",
    "Remembered": "write.result",
}


def __getattr__(name: str) -> Any:
    """Names are imported when they are first used: `recollect --help` does not wait for the engine."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHERE.get(name, 'model')}"), name)
    globals()[name] = value
    return value
