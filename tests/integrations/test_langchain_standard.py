"""LangChain's own standard tests for retrievers, on ours."""

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder

pytest.importorskip(
    "langchain_tests", reason="langchain-tests is not installed: run by make test-integrations"
)
pytestmark = pytest.mark.filterwarnings("ignore")

from langchain_tests.integration_tests import RetrieversIntegrationTests

from recollect.integrations.langchain import RecollectRetriever


class TestRecollectRetriever(RetrieversIntegrationTests):
    """What any retriever must do: `k` when it is made and when it is asked, documents, awaited too."""

    @pytest.fixture(autouse=True)
    def filled(self):
        with Recollect(":memory:", user="ada", embedder=HashEmbedder()) as self.memory:
            self.memory.remember_many(f"the harbour number {number} opens at dawn" for number in range(8))
            yield

    @property
    def retriever_constructor(self):
        return RecollectRetriever

    @property
    def retriever_constructor_params(self):
        return {"memory": self.memory}

    @property
    def retriever_query_example(self):
        return "when does the harbour open?"
