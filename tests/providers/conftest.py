"""The real model, shared by the tests of the providers."""

import pytest

from recollect.providers.minilm import MiniLM


@pytest.fixture(scope="session")
def model() -> MiniLM:
    """The real model, fetched once into the normal cache folder."""
    minilm = MiniLM()
    minilm.prepare()
    return minilm


@pytest.fixture(scope="session")
def plain() -> MiniLM:
    """The model as it was published, without an adapter."""
    minilm = MiniLM(adapter="none")
    minilm.prepare()
    return minilm


@pytest.fixture
def service(model_service):
    return model_service
