"""What several tests of the verbs start from."""

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder


@pytest.fixture
def another(tmp_path, clock):
    """A second store of the same user, to take things over into."""
    with Recollect(
        tmp_path / "another.db", user="ada", channel="_global", embedder=HashEmbedder(), clock=clock
    ) as engine:
        yield engine
