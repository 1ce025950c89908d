"""Long-term memory for AI agents: one file, offline, explained, and better with use."""

from recollect.engine import Recollect
from recollect.errors import RecollectError
from recollect.model import Action, Edge, Fault, Filter, Lane, Memory, Origin, Scope, State
from recollect.recall.hits import Hit, Recall
from recollect.recall.query import Query
from recollect.write.result import Remembered

__all__ = [
    "Action",
    "Edge",
    "Fault",
    "Filter",
    "Hit",
    "Lane",
    "Memory",
    "Origin",
    "Query",
    "Recall",
    "Recollect",
    "RecollectError",
    "Remembered",
    "Scope",
    "State",
]
__version__ = "0.1.0"
