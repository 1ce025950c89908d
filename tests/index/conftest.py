"""A stub store, a folder, and partitions over them."""

import pytest
from index_stub import DIMENSION, MODEL, SMALL, StubStore

from recollect.index import Partition


@pytest.fixture
def store() -> StubStore:
    return StubStore()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index"


@pytest.fixture
def opened(store, folder):
    """Partitions over the same store and folder, as other processes would open them."""

    def open_partition(where=folder, params=SMALL, model=MODEL, of=store) -> Partition:
        return Partition(of, "ada", model, DIMENSION, where, params)

    return open_partition
