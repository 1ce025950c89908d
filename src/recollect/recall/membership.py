"""Of what group each candidate is: asked of the store only for the groups that the profile weighs."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.model import Filter, Lane
from recollect.recall.work import Sources, Work

PROCEDURES = ("procedure", "strategy")
ENTITIES = ("entity",)
SEASON = "season:"
"""Before a season's label, as a tag."""
SEASON_WEIGHT = 0.2
"""As much as a period that the question names."""
NEEDED = {
    "same_session": ("same_session",),
    "in_season": ("in_season",),
    "category": ("category",),
    "episodic": ("episodic",),
    "procedural": ("procedural",),
    "entities": ("entities",),
    # What is neither said, nor a procedure, nor an entity.
    "facts": ("episodic", "procedural", "entities"),
}
"""From a signal to the groups that it is told from."""


def memberships(work: Work, sources: Sources, contents: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """1 for each of the contents that is of a group, for every group that is weighed."""
    needed = {group for signal in work.profile.weights for group in NEEDED.get(signal, ())}
    found = {}
    for group in sorted(needed):
        where = _group(group, work)
        if where is None:
            found[group] = np.zeros(len(contents))
        else:
            members = sources.store.columns(sources.user, contents, where).contents
            found[group] = np.isin(contents, members).astype(np.float64)
    return found


def _group(name: str, work: Work) -> Filter | None:
    """What the store is asked for; None where nothing can be of the group."""
    if name == "same_session":
        session = work.query.session
        return None if session is None else replace(work.where, session=session)
    if name == "in_season":
        label = work.query.season
        return None if label is None else replace(work.where, tags=(*work.where.tags, f"{SEASON}{label}"))
    if name == "episodic":
        return replace(work.where, lanes=(Lane.LOG,))
    categories = () if work.plan is None else work.plan.categories
    kinds = {"procedural": PROCEDURES, "entities": ENTITIES, "category": categories}[name]
    return replace(work.where, lanes=(Lane.MEMORY,), kinds=kinds) if kinds else None
