"""What many tests need: an engine with a fake clock and a hash embedder, on either store."""

import pytest

from recollect import Recollect
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(params=["reference", "sqlite"])
def memory(request, tmp_path, clock):
    """An empty memory; every test that takes it runs on both stores."""
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as engine:
        yield engine


@pytest.fixture
def on_file(tmp_path, clock):
    """An empty memory in a file."""
    with Recollect(
        tmp_path / "agent.db", user="ada", channel="_global", embedder=HashEmbedder(), clock=clock
    ) as engine:
        yield engine
