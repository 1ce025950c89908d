import json
import time
import traceback

import numpy as np
import pytest

from recollect.errors import InvalidInput, ModelUnavailable
from recollect.providers import endpoint as endpoint_module
from recollect.providers.openai import OpenAIEmbedder

KEY = "sk-very-secret"
TEXT = "the patient's name is Ada"


def vector(text):
    return [float(len(text)), 3.0, 4.0]


def well_behaved(service):
    def answer(handler, body):
        texts = json.loads(body)["input"]
        data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
        service.reply_json(handler, {"data": data})

    return answer


@pytest.fixture
def waits():
    return []


@pytest.fixture
def embedder(service, waits):
    service.answer = well_behaved(service)

    def build(**options):
        options = {"api_key": KEY, "timeout_seconds": 5, "sleep": waits.append} | options
        return OpenAIEmbedder(f"{service.url}/v1/", "small", **options)

    return build


def failure(embedder, texts=(TEXT,)):
    with pytest.raises(ModelUnavailable) as caught:
        embedder.embed(list(texts))
    for shown in (str(caught.value), "".join(traceback.format_exception(caught.value))):
        assert KEY not in shown
        assert TEXT not in shown
    return str(caught.value)


def test_it_posts_to_the_embeddings_path_with_the_key(embedder, service):
    embedder().embed([TEXT])
    (request,) = service.requests
    assert request["path"] == "/v1/embeddings"
    assert request["headers"]["Authorization"] == f"Bearer {KEY}"
    assert json.loads(request["body"]) == {"model": "small", "input": [TEXT]}


def test_without_a_key_no_authorization_is_sent(embedder, service):
    embedder(api_key=None).embed([TEXT])
    assert "Authorization" not in service.requests[0]["headers"]


def test_rows_are_unit_vectors_in_the_order_of_the_texts(embedder):
    texts = [TEXT[: length + 1] for length in range(10)]
    heard = []
    vectors = embedder(batch=4).embed(texts, lambda done, total: heard.append((done, total)))
    expected = np.array([vector(text) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert vectors.dtype == np.float32
    assert heard == [(4, 10), (8, 10), (10, 10)]


def test_an_answer_out_of_order_is_put_in_order(embedder, service):
    def reversed_answer(handler, body):
        texts = json.loads(body)["input"]
        data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
        service.reply_json(handler, {"data": data[::-1]})

    service.answer = reversed_answer
    vectors = embedder().embed(["a", "abc"])
    assert vectors[0][0] < vectors[1][0]


def test_an_answer_without_indexes_is_taken_in_order(embedder, service):
    service.answer = lambda handler, body: service.reply_json(
        handler, {"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]}
    )
    np.testing.assert_allclose(embedder().embed(["a", "b"]), np.eye(2))


def test_lone_surrogates_are_replaced_before_they_are_sent(embedder, service):
    embedder().embed(["a\ud800b"])
    assert json.loads(service.requests[0]["body"])["input"] == ["a\ufffdb"]


def test_the_name_says_the_model(embedder):
    assert embedder().name == "openai:small"


def test_the_dimension_is_learnt_from_the_first_answer(embedder, service):
    learning = embedder()
    assert learning.dimension == 3
    assert learning.dimension == 3
    assert len(service.requests) == 1


def test_no_texts_give_no_rows_and_no_request(embedder, service):
    assert embedder(dimension=3).embed([]).shape == (0, 3)
    assert service.requests == []


def test_another_dimension_than_expected_is_refused(embedder):
    assert "3 dimensions where 384 are expected" in failure(embedder(dimension=384))


def test_a_dimension_that_changes_between_answers_is_refused(embedder, service):
    changing = embedder()
    changing.embed(["a"])
    service.answer = lambda handler, body: service.reply_json(handler, {"data": [{"embedding": [1, 2]}]})
    assert "2 dimensions where 3 are expected" in failure(changing)


def item(*numbers):
    return {"embedding": list(numbers)}


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (b"<html>the patient's name is Ada</html>", "not JSON"),
        (b'{"data": [', "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"", "not JSON"),
        (b"null", "no list of embeddings"),
        (b"[]", "no list of embeddings"),
        (json.dumps({"error": TEXT}).encode(), "no list of embeddings"),
        (json.dumps({"data": [1, 2]}).encode(), "no list of embeddings"),
        (json.dumps({"data": []}).encode(), "0 vectors for 2 texts"),
        (json.dumps({"data": [item(1, 2)]}).encode(), "1 vectors for 2 texts"),
        (json.dumps({"data": [item(1, 2)] * 3}).encode(), "3 vectors for 2 texts"),
        (json.dumps({"data": [{"index": 0, **item(1)}, {"index": 0, **item(2)}]}).encode(), "which vector"),
        (json.dumps({"data": [{"index": "x", **item(1)}, {"index": 0, **item(2)}]}).encode(), "no list"),
        (json.dumps({"data": [item(1, 2), item(1)]}).encode(), "not lists of numbers"),
        (json.dumps({"data": [item(), item()]}).encode(), "not lists of numbers"),
        (json.dumps({"data": [{"embedding": "AAAA"}] * 2}).encode(), "not lists of numbers"),
        (json.dumps({"data": [item(1, float("nan"))] * 2}).encode(), "not a number"),
        (json.dumps({"data": [item(1, float("inf"))] * 2}).encode(), "infinite"),
        (json.dumps({"data": [item(1, None)] * 2}).encode(), "not a number"),
        (b'{"data": [{"embedding": [1e300, 1e300]}, {"embedding": [1, 1]}]}', "infinite"),
        (json.dumps({"data": [item(10**400), item(1)]}).encode(), "not lists of numbers"),
        (json.dumps({"data": [item(0, 0), item(0, 1)]}).encode(), "zero"),
    ],
)
def test_an_answer_that_cannot_be_believed_is_refused_at_once(embedder, service, waits, answer, complaint):
    subject = embedder()
    service.answer = lambda handler, body: service.reply(handler, answer)
    assert complaint in failure(subject, [TEXT, "second"])
    assert len(service.requests) == 1
    assert waits == []


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_a_refusal_is_reported_at_once(embedder, service, status):
    subject = embedder()
    service.answer = lambda handler, body: service.reply(handler, f"{TEXT} {KEY}".encode(), status=status)
    assert f"answered {status}" in failure(subject)
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503, 599])
def test_a_passing_failure_is_tried_again_with_growing_pauses(embedder, service, waits, status):
    subject = embedder()
    good = service.answer

    def fail_twice(handler, body):
        if len(service.requests) <= 2:
            service.reply(handler, b"later", status=status)
        else:
            good(handler, body)

    service.answer = fail_twice
    assert subject.embed([TEXT]).shape == (1, 3)
    assert waits == [0.5, 1.0]


def test_a_failure_that_does_not_pass_is_reported(embedder, service, waits):
    subject = embedder()
    service.answer = lambda handler, body: service.reply(handler, TEXT.encode(), status=500)
    assert "answered 500" in failure(subject)
    assert len(service.requests) == 3
    assert len(waits) == 2


@pytest.mark.parametrize(
    ("asked", "waited"), [("7", 7.0), ("9999", 30.0), ("soon", 0.5), ("-3", 0.5), ("nan", 0.5)]
)
def test_the_pause_that_the_service_asks_for_is_kept_within_reason(embedder, service, waits, asked, waited):
    subject = embedder(retries=1)
    service.answer = lambda handler, body: service.reply(handler, b"", status=429, Retry_After=asked)
    failure(subject)
    assert waits == [waited]


def test_a_service_that_hangs_is_given_up(embedder, service):
    subject = embedder(timeout_seconds=0.2, retries=1)
    service.answer = lambda handler, body: service.closing.wait(20)
    started = time.monotonic()
    assert "did not answer within 0.2 s" in failure(subject)
    assert time.monotonic() - started < 5
    assert len(service.requests) == 2


def test_a_service_that_drips_is_given_up(embedder, service):
    subject = embedder(timeout_seconds=0.3, retries=0)

    def drip(handler, body):
        handler.send_response(200)
        handler.end_headers()
        while not service.closing.wait(0.05):
            handler.wfile.write(b" ")

    service.answer = drip
    started = time.monotonic()
    assert "did not answer within" in failure(subject)
    assert time.monotonic() - started < 5


def test_an_endless_answer_is_given_up(embedder, service, monkeypatch):
    monkeypatch.setattr(endpoint_module, "MAX_ANSWER_BYTES", 1000)
    subject = embedder()
    service.answer = lambda handler, body: service.reply(handler, b" " * 100_000)
    assert "larger than 1000 bytes" in failure(subject)


def test_a_connection_that_breaks_is_tried_again_and_reported(embedder, service, waits):
    subject = embedder()

    def hang_up(handler, body):
        handler.wfile.write(f"{TEXT}\r\n".encode())

    service.answer = hang_up
    assert "connection failed" in failure(subject)
    assert len(service.requests) == 3


def test_a_service_that_is_not_there_is_reported(embedder, service):
    subject = embedder(retries=0)
    service.close()
    assert "refused" in failure(subject)


def test_a_redirect_does_not_carry_the_key_away(embedder, service):
    subject = embedder()
    service.answer = lambda handler, body: service.reply(
        handler, b"", status=302, Location=f"{service.url}/elsewhere"
    )
    assert "answered 302" in failure(subject)
    assert [request["path"] for request in service.requests] == ["/v1/embeddings"]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host/v1",
        "file:///etc/passwd",
        "ftp://host",
        "https://",
        "https://u:hunter2@h/v1",
        "https://h?k=hunter2",
    ],
)
def test_a_url_that_is_no_service_is_refused_without_quoting_it(url):
    with pytest.raises(InvalidInput) as caught:
        OpenAIEmbedder(url, "small")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("options", [{"batch": 0}, {"dimension": 0}, {"timeout_seconds": 0}, {"retries": -1}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(InvalidInput):
        OpenAIEmbedder("http://localhost", "small", **options)


def test_a_key_that_cannot_be_sent_is_refused_without_showing_it():
    with pytest.raises(InvalidInput) as caught:
        OpenAIEmbedder("http://localhost", "small", api_key=f"{KEY}\n")
    assert KEY not in str(caught.value)


def test_a_single_text_instead_of_a_list_is_refused(embedder):
    with pytest.raises(InvalidInput, match="list"):
        embedder().embed(TEXT)
