"""The service in this process, on either store, with a key for each of two users."""

from collections.abc import Iterator

import pytest
from served import Caller, caller, serving
from starlette.testclient import TestClient

from recollect.testing import FakeClock


@pytest.fixture(params=["reference", "sqlite"])
def client(request, tmp_path) -> Iterator[TestClient]:
    """The service, empty; every test that takes it runs on both stores."""
    path = ":memory:" if request.param == "reference" else tmp_path / "served.db"
    with serving(path, clock=FakeClock()) as client:
        yield client


@pytest.fixture
def on_disk(tmp_path) -> Iterator[TestClient]:
    with serving(tmp_path / "served.db", clock=FakeClock()) as client:
        yield client


@pytest.fixture
def ada(client) -> Caller:
    return caller(client, "ada")


@pytest.fixture
def bob(client) -> Caller:
    return caller(client, "bob")
