"""The steps of a dream, one module each: a step looks at the night and proposes changes, a batch at a time."""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.dream.steps.archive import archive
from recollect.dream.steps.category_summaries import category_summaries
from recollect.dream.steps.clustering import clustering
from recollect.dream.steps.compression import compression
from recollect.dream.steps.consolidation import consolidation
from recollect.dream.steps.contradictions import contradictions
from recollect.dream.steps.deep_abstraction import deep_abstraction
from recollect.dream.steps.embedding_backfill import embedding_backfill
from recollect.dream.steps.emotional_consolidation import emotional_consolidation
from recollect.dream.steps.episode_replay import episode_replay
from recollect.dream.steps.fact_verification import fact_verification
from recollect.dream.steps.foresight_expiry import foresight_expiry
from recollect.dream.steps.global_promotion import global_promotion
from recollect.dream.steps.link_discovery import link_discovery
from recollect.dream.steps.promotion import promotion
from recollect.dream.steps.redundancy import redundancy
from recollect.dream.steps.rehearsal import rehearsal
from recollect.dream.steps.relation_pruning import relation_pruning
from recollect.dream.steps.strategic_forgetting import strategic_forgetting
from recollect.dream.steps.synaptic_replay import synaptic_replay
from recollect.dream.steps.tag_cleanup import tag_cleanup
from recollect.dream.steps.tier_decay import tier_decay
from recollect.dream.steps.utility_decay import utility_decay
from recollect.dream.steps.weak_pruning import weak_pruning

Step = Callable[[Night], Iterator[Proposal]]

STEPS: Final[tuple[Step, ...]] = (
    tier_decay,
    emotional_consolidation,
    synaptic_replay,
    episode_replay,
    promotion,
    utility_decay,
    rehearsal,
    foresight_expiry,
    strategic_forgetting,
    clustering,
    consolidation,
    redundancy,
    deep_abstraction,
    category_summaries,
    compression,
    embedding_backfill,
    contradictions,
    link_discovery,
    global_promotion,
    fact_verification,
    relation_pruning,
    tag_cleanup,
    archive,
    weak_pruning,
)
"""The cycle (C34), and the garden (G15) after it."""


def named(names: Collection[str]) -> tuple[Step, ...]:
    """The steps of these names, in the order of a dream."""
    return tuple(step for step in STEPS if step.__name__ in names)
