"""Several users over one library: in the same store, or in a store of its own."""

import pytest

from recollect import Recollect
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture(params=["one store", "reference", "a file of its own"])
def people(request, tmp_path):
    """Gives the engine of a user; every test that takes it runs on every place that a library can have."""
    clock, opened = FakeClock(), {}
    apart = {"shared.store": str(tmp_path / "library.db")} if request.param == "a file of its own" else {}
    first = ":memory:" if request.param == "reference" else tmp_path / "agents.db"

    def person(name, **settings):
        if not opened:
            opened["_first"] = Recollect(
                first, user="_first", embedder=HashEmbedder(), clock=clock, settings=apart
            )
        if name not in opened:
            opened[name] = opened["_first"].beside(name)
        if settings:
            opened[name].configure(settings)
        return opened[name]

    person.clock = clock
    person.all = opened
    yield person
    for one in opened.values():
        one.flush()
    if opened:
        opened["_first"].close()
