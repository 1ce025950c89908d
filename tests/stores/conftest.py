"""Stores to test: each test that asks for `store` runs on every one of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from store_values import make_store

from recollect.ports import Store
from recollect.stores.sqlite import SQLiteStore


@pytest.fixture(params=["reference", "sqlite", pytest.param("postgres", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    on_server = request.param == "postgres"
    made = make_store(request.param, request.getfixturevalue("postgres_address") if on_server else tmp_path)
    yield made
    made.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., SQLiteStore]]:
    """Opens SQLite stores and closes them in the end."""
    made: list[SQLiteStore] = []

    def open_store(at: Path = path) -> SQLiteStore:
        made.append(SQLiteStore(at))
        return made[-1]

    yield open_store
    for one in made:
        one.close()


@pytest.fixture
def sqlite(opened: Callable[..., SQLiteStore]) -> SQLiteStore:
    return opened()
