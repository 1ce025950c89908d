"""The OpenAPI document says what the service does: a golden copy of it, and schemathesis over the whole."""

import json
import os
from copy import deepcopy
from functools import cache
from pathlib import Path

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis import GenerationMode
from served import listening

from recollect.serve.http.app import application
from recollect.serve.http.service import Options, Service
from recollect.testing import HashEmbedder

GOLDEN = Path(__file__).parent / "golden" / "openapi.json"
TOO_LARGE = 413
EXAMPLES = 4
UPDATE = os.environ.get("RECOLLECT_UPDATE")


@cache
def document():
    service = Service(Options(":memory:", "ada"), embedder=HashEmbedder())
    try:
        return application(service).openapi()
    finally:
        service.close()


# Of the golden file, which a test holds equal: the document takes seconds, also where these tests are not run.
NAMES = sorted(
    one["operationId"]
    for methods in json.loads(GOLDEN.read_text())["paths"].values()
    for one in methods.values()
)


def test_the_document_is_as_it_was():
    """The golden file is written anew with RECOLLECT_UPDATE=1: whoever does so has changed what clients rely on."""
    told = json.dumps(document(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if UPDATE:
        GOLDEN.write_text(told)
    assert GOLDEN.read_text() == told


def test_every_route_says_what_it_does_and_what_can_go_wrong():
    for path, methods in document()["paths"].items():
        for operation in methods.values():
            assert operation["summary"], path
            if "security" in operation and path != "/metrics":
                assert {"400", "401", "403", "404", "413", "422", "429", "503"} <= operation[
                    "responses"
                ].keys()


@cache
def schema():
    """Every request here has a key: that one lacks it is nothing to try."""
    told = deepcopy(document())
    for methods in told["paths"].values():
        for operation in methods.values():
            operation.pop("security", None)
    return schemathesis.openapi.from_dict(told)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A real server with something in its store, and a key that may do everything."""
    with listening(tmp_path_factory.mktemp("contract") / "served.db", requests_per_second=0.0) as server:
        yield server


def is_lost(query):
    """Whether a part of an address's query is sent as nothing, or, as an object is, as parameters of other names."""
    return any(value in (None, [], "") or isinstance(value, dict) for value in (query or {}).values())


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_sent_is_answered_as_the_document_says(served, name, mode):
    operation = schema().find_operation_by_id(name)
    checks = [
        schemathesis.checks.not_a_server_error,
        schemathesis.checks.status_code_conformance,
        schemathesis.checks.content_type_conformance,
        schemathesis.checks.response_schema_conformance,
    ]
    rejecting = [*checks, schemathesis.checks.negative_data_rejection]

    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(operation.as_strategy(generation_mode=mode))
    def send(case):
        response = case.call(
            base_url=served.url, headers={"Authorization": f"Bearer {served.token}"}, timeout=20
        )
        # The import's body is any text, what does not get into the address cannot be seen to be wrong, and what is too
        # large is refused before anybody looks.
        unseen = name == "import" or is_lost(case.query) or response.status_code == TOO_LARGE
        case.validate_response(response, checks=checks if unseen else rejecting)

    try:
        send()
    except hypothesis.errors.Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "nothing right can be sent to it"
