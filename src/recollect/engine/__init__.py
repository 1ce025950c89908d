"""The composition root: one object with every verb, over one user's memory in one store."""

from recollect.engine.bundling import Bundling
from recollect.engine.coordinating import Coordinating
from recollect.engine.dreaming import Dreaming
from recollect.engine.events import Events
from recollect.engine.intending import Intending
from recollect.engine.keeping import Keeping
from recollect.engine.levelling import Levelling
from recollect.engine.naming import Naming
from recollect.engine.noticing import Noticing
from recollect.engine.practising import Practising
from recollect.engine.preferring import Preferring
from recollect.engine.quarantining import Quarantining
from recollect.engine.reviewing import Reviewing
from recollect.engine.sessions import Sessions
from recollect.engine.syncing import Syncing
from recollect.engine.working import Working

__all__ = ["Recollect"]


class Recollect(
    Coordinating,
    Levelling,
    Preferring,
    Practising,
    Syncing,
    Dreaming,
    Intending,
    Bundling,
    Events,
    Sessions,
    Keeping,
    Naming,
    Reviewing,
    Quarantining,
    Noticing,
    Working,
):
    """Long-term memory of one user, in one file.

    >>> from recollect.testing import FakeClock, HashEmbedder
    >>> memory = Recollect(":memory:", embedder=HashEmbedder(), clock=FakeClock())
    >>> memory.remember("Deploys go through staging first", tags=["ops"]).action
    <Action.CREATE: 'create'>
    >>> memory.recall("how do we deploy?")[0].text
    'Deploys go through staging first'
    """
