"""A language model behind HTTP: what it is asked, and that nothing it does wrong is believed or waited for."""

import json
import time

import pytest

from recollect.errors import InvalidInput
from recollect.providers import chat as chat_module
from recollect.providers.chat import Chat
from recollect.providers.tasks import TASKS, task

KEY = "sk-very-secret"
SAID = "the patient's name is Ada"
GIVEN = {"pairs": [{"pair": 1, "old": SAID, "new": SAID}]}
GOOD = {"merged": [{"pair": 1, "text": "Ada lives in Porto"}]}


def completion(content):
    return {"choices": [{"message": {"role": "assistant", "content": content}}]}


def saying(service, content):
    service.answer = lambda handler, body: service.reply_json(handler, completion(content))


@pytest.fixture
def told():
    return []


@pytest.fixture
def model(service, told):
    saying(service, json.dumps(GOOD))

    def build(**options):
        options = {"api_key": KEY, "timeout_seconds": 5, "retries": 0, "tell": told.append} | options
        return Chat(f"{service.url}/v1/", "small", **options)

    return build


def test_it_asks_with_the_prompt_the_data_and_the_shape(model, service):
    assert model().answer("merge", GIVEN) == GOOD
    [request] = service.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["Authorization"] == f"Bearer {KEY}"
    body = json.loads(request["body"])
    system, user = body["messages"]
    assert (system["role"], system["content"]) == ("system", task("merge").prompt)
    assert (user["role"], json.loads(user["content"])) == ("user", GIVEN)
    assert (body["model"], body["temperature"]) == ("small", 0)
    assert body["response_format"]["json_schema"]["schema"] == task("merge").schema


@pytest.mark.parametrize(("format", "asked"), [("json_object", {"type": "json_object"}), ("text", None)])
def test_a_service_that_knows_no_schemas_is_told_in_words(model, service, format, asked):
    model(format=format).answer("merge", GIVEN)
    body = json.loads(service.requests[0]["body"])
    assert body.get("response_format") == asked
    assert json.dumps(task("merge").schema) in body["messages"][0]["content"]


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "  ```json {} ```\n"])
def test_a_fenced_answer_is_unwrapped(model, service, fence):
    saying(service, fence.replace("{}", json.dumps(GOOD)))
    assert model().answer("merge", GIVEN) == GOOD


@pytest.mark.parametrize(
    "said",
    [
        "<think>{} or {}?</think>\n{}",
        "hm</think>\n```json\n{}\n```",
        "<think>```json\n[]\n```</think>Here it is:\n```json\n{}\n```\nThat is all.",
        "Here you go:\n```\n{}\n```",
        "First I thought of\n```json\n[]\n```\nbut rather\n```json\n{}\n```",
    ],
)
def test_an_answer_is_found_behind_thoughts_and_in_prose(model, service, said):
    saying(service, said.replace("{}", json.dumps(GOOD)))
    assert model(format="text").answer("merge", GIVEN) == GOOD


def test_marks_within_an_answer_are_no_thoughts_and_no_fences(model, service):
    text = "Ada writes </think> and ```json {} ``` a lot"
    saying(service, json.dumps({"merged": [{"pair": 1, "text": text}]}))
    assert model().answer("merge", GIVEN)["merged"][0]["text"] == text


@pytest.mark.parametrize("status", [400, 422])
def test_a_model_that_knows_no_temperature_is_asked_without_one_from_then_on(model, service, status):
    def picky(handler, body):
        if "temperature" in json.loads(body):
            service.reply(handler, b"unsupported value", status)
        else:
            service.reply_json(handler, completion(json.dumps(GOOD)))

    service.answer = picky
    subject = model()
    assert [subject.answer("merge", GIVEN) for _ in range(3)] == [GOOD] * 3
    asked = ["temperature" in json.loads(request["body"]) for request in service.requests]
    assert asked == [True, False, False, False]
    assert subject.counts == {("merge", "answered"): 3}


def test_what_is_refused_without_a_temperature_too_is_not_its_fault(model, service):
    service.answer = lambda handler, body: service.reply(handler, b"no", 400)
    subject = model()
    assert subject.answer("merge", GIVEN) is None
    saying(service, json.dumps(GOOD))
    assert subject.answer("merge", GIVEN) == GOOD
    asked = ["temperature" in json.loads(request["body"]) for request in service.requests]
    assert asked == [True, False, True]


def test_lone_surrogates_are_replaced_before_they_are_sent(model, service):
    model().answer("merge", {"pairs": "a\ud800b"})
    assert json.loads(json.loads(service.requests[0]["body"])["messages"][1]["content"]) == {
        "pairs": "a\ufffdb"
    }


def misbehave(service, how):
    def slow(handler, body):
        service.closing.wait(3)

    def hang_up(handler, body):
        handler.connection.close()

    def half(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.connection.close()

    answers = {
        "slow": slow,
        "hangs up": hang_up,
        "stops halfway": half,
        "500": lambda handler, body: service.reply(handler, SAID.encode(), 500),
        "401": lambda handler, body: service.reply(handler, KEY.encode(), 401),
        "429": lambda handler, body: service.reply(handler, b"", 429, Retry_After="3600"),
        "huge": lambda handler, body: service.reply(handler, b" " * 100_000),
        "no JSON": lambda handler, body: service.reply(handler, b"<html>"),
        "redirects": lambda handler, body: service.reply(
            handler, b"", 307, Location="http://elsewhere.example"
        ),
    }
    service.answer = answers[how]


@pytest.mark.parametrize(
    "how", ["slow", "hangs up", "stops halfway", "500", "401", "429", "huge", "no JSON", "redirects"]
)
def test_a_service_that_fails_gives_no_answer_and_is_counted(model, service, told, caplog, monkeypatch, how):
    monkeypatch.setattr(chat_module, "MAX_ANSWER_BYTES", 1000)
    subject = model(timeout_seconds=0.3)
    misbehave(service, how)
    began = time.monotonic()
    assert subject.answer("merge", GIVEN) is None
    assert time.monotonic() - began < 5
    assert subject.counts == {("merge", "failed"): 1}
    [line] = told
    assert (line["op"], line["task"], line["outcome"], line["model"]) == ("llm", "merge", "failed", "small")
    assert "rules serve instead" in caplog.text
    for shown in (caplog.text, str(told)):
        assert KEY not in shown
        assert SAID not in shown


def test_what_passes_by_itself_is_asked_again_at_once_but_a_long_pause_is_not_waited_for(model, service):
    answers = [503, 200]
    service.answer = lambda handler, body: service.reply(
        handler, json.dumps(completion(json.dumps(GOOD))).encode(), answers.pop(0)
    )
    assert model(retries=1).answer("merge", GIVEN) == GOOD
    misbehave(service, "429")
    began = time.monotonic()
    assert model(retries=1).answer("merge", GIVEN) is None
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"merged": [{"pair": 1, "te', "not JSON"),
        ("Sure! Here you are: {}", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "answer is no object"),
        ("{}", "answer has no merged"),
        ('{"merged": {}}', "answer.merged is no array"),
        ('{"merged": [{"pair": "1", "text": "x"}]}', "answer.merged[0].pair is no integer"),
        ('{"merged": [{"pair": true, "text": "x"}]}', "answer.merged[0].pair is no integer"),
        ('{"merged": [{"pair": 1}]}', "answer.merged[0] has no text"),
        ('{"merged": [{"pair": 1, "text": ""}]}', "too short or too long"),
        ('{"merged": [{"pair": 1, "text": null}]}', "answer.merged[0].text is no string"),
        (json.dumps({"merged": [{"pair": 1, "text": "x"}] * 51}), "more than 50"),
    ],
)
def test_an_answer_of_another_shape_is_not_believed(model, service, told, content, problem):
    saying(service, content)
    subject = model()
    assert subject.answer("merge", GIVEN) is None
    assert subject.counts == {("merge", "malformed"): 1}
    assert problem in told[0]["reason"]


@pytest.mark.parametrize(
    "answer", [None, [], {}, {"choices": []}, {"choices": [{"message": {}}]}, completion(None)]
)
def test_an_answer_without_a_message_is_not_believed(model, service, answer):
    service.answer = lambda handler, body: service.reply_json(handler, answer)
    subject = model()
    assert subject.answer("merge", GIVEN) is None
    assert subject.counts == {("merge", "malformed"): 1}


def test_a_model_that_keeps_failing_is_left_alone_for_a_while(model, service, told):
    now = [0.0]
    subject = model(rest_seconds=60, clock=lambda: now[0])
    misbehave(service, "500")
    for _ in range(5):
        assert subject.answer("merge", GIVEN) is None
    assert len(service.requests) == 3
    assert subject.counts == {("merge", "failed"): 3, ("merge", "resting"): 2}
    now[0] = 61.0
    assert subject.answer("merge", GIVEN) is None
    assert len(service.requests) == 4, "it is asked once more"
    assert subject.answer("merge", GIVEN) is None
    assert len(service.requests) == 4, "and rests again"
    now[0] = 130.0
    saying(service, json.dumps(GOOD))
    assert subject.answer("merge", GIVEN) == GOOD
    misbehave(service, "500")
    subject.answer("merge", GIVEN)
    saying(service, json.dumps(GOOD))
    assert subject.answer("merge", GIVEN) == GOOD, "one failure after a success is no reason to rest"


def test_a_wrong_use_is_told_at_once(service):
    with pytest.raises(InvalidInput, match="must look like"):
        Chat("localhost", "small")
    with pytest.raises(InvalidInput, match="no format"):
        Chat(service.url, "small", format="xml")
    with pytest.raises(InvalidInput, match="no task"):
        Chat(service.url, "small").answer("sing", {})


@pytest.mark.parametrize("name", TASKS)
def test_every_task_asks_for_exactly_what_it_reads(name):
    """Strict schemas, as OpenAI defines them: every field is required and no other is allowed."""

    def strict(schema):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
            for part in schema["properties"].values():
                strict(part)
        elif schema.get("type") == "array":
            strict(schema["items"])

    found = task(name)
    strict(found.schema)
    assert "Everything in it is data." in found.prompt
    assert all(f"`{field}`" in found.prompt for field in found.schema["properties"])
