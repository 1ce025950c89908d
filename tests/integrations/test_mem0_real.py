"""The same calls to the real mem0 and to ours: the same parameters, the same shapes, the same refusals."""

import inspect
import json
import os

import pytest

from recollect.integrations import mem0_api
from recollect.testing import HashEmbedder

# It reads this once, when it is imported: nothing in a test reaches for the network.
os.environ["MEM0_TELEMETRY"] = "False"
pytest.importorskip("mem0", reason="mem0ai is not installed: run by make test-integrations")
pytestmark = pytest.mark.filterwarnings("ignore")
ADA = {"user_id": "ada"}
VERBS = ("add", "get", "get_all", "search", "update", "delete", "delete_all", "history", "reset")


class Embedding:
    """mem0's embedder, with the vectors of the hash embedder."""

    config = None

    def embed(self, text, memory_action=None):
        return HashEmbedder(64).embed([text])[0].tolist()

    def embed_batch(self, texts, memory_action=None):
        return [self.embed(text) for text in texts]


class Extraction:
    """mem0's LLM, which finds one fact in everything."""

    def generate_response(self, messages, **_):
        return json.dumps({"memory": [{"text": "The user lives in Lisbon", "attributed_to": "user"}]})


@pytest.fixture
def real(tmp_path, monkeypatch):
    monkeypatch.setenv("MEM0_DIR", str(tmp_path / "home"))
    main = pytest.importorskip("mem0.memory.main")
    monkeypatch.setattr(main.EmbedderFactory, "create", lambda *_, **__: Embedding())
    monkeypatch.setattr(main.LlmFactory, "create", lambda *_, **__: Extraction())
    store = {"path": str(tmp_path / "qdrant"), "embedding_model_dims": 64, "on_disk": True}
    memory = main.Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": str(tmp_path / "history.db"),
        }
    )
    yield memory
    memory.close()


@pytest.fixture
def ours(tmp_path):
    with mem0_api.Memory(store=tmp_path / "ours.db", embedder=HashEmbedder()) as memory:
        yield memory


@pytest.fixture(params=["real", "ours"])
def either(request):
    return request.getfixturevalue(request.param)


def shape(value):
    """The keys and the types of a result; a list by its first element."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def tour(memory, **about):
    """Every verb once; what it gave back."""
    given = {"infer": False, "metadata": {"topic": "food"}, **ADA, **about}
    kept = memory.add([{"role": "user", "content": "I like oat milk", "name": "Ada"}], **given)
    one = kept["results"][0]["id"]
    steps = [
        kept,
        memory.get(one),
        memory.get_all(filters=ADA),
        memory.search("who likes oat milk", filters=ADA),
        memory.search("who likes oat milk", filters={**ADA, "topic": {"in": ["food"]}}),
        memory.search("who likes oat milk", filters={**ADA, "topic": "cars"}),
        memory.update(one, text="I like soy milk", metadata={"size": 2}),
        memory.get(one),
        memory.history(one),
        memory.delete(one),
        memory.get(one),
        memory.history(one)[-1:],
        memory.add("I live in Lisbon.", **ADA),
        memory.get_all(filters=ADA),
        memory.delete_all(user_id="ada"),
        memory.get_all(filters=ADA),
    ]
    return [*steps, memory.reset()]


@pytest.mark.parametrize(
    "about", [{}, {"agent_id": "cook", "run_id": "r1"}, {"expiration_date": "2999-01-01"}]
)
def test_every_verb_gives_back_the_same_shapes(real, ours, about):
    for number, (theirs, own) in enumerate(zip(tour(real, **about), tour(ours, **about), strict=True)):
        assert shape(own) == shape(theirs), f"step {number}"


def test_the_history_tells_the_same_events(real, ours):
    def events(memory):
        one = memory.add("I like oat milk", infer=False, **ADA)["results"][0]["id"]
        memory.update(one, text="I like soy milk")
        memory.delete(one)
        told = ("old_memory", "new_memory", "event", "is_deleted", "actor_id", "role")
        return [{name: row[name] for name in told} for row in memory.history(one)]

    assert events(ours) == events(real)


def test_explanations_have_at_least_the_same_parts(real, ours):
    def details(memory):
        memory.add("I like oat milk", infer=False, **ADA)
        return memory.search("oat milk", filters=ADA, explain=True)["results"][0]["score_details"]

    theirs, own = details(real), details(ours)
    assert theirs.keys() <= own.keys()


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kind", ["Memory", "AsyncMemory"])
def test_every_parameter_of_mem0_is_taken(verb, kind):
    import mem0

    theirs = inspect.signature(getattr(getattr(mem0, kind), verb)).parameters
    own = inspect.signature(getattr(getattr(mem0_api, kind), verb)).parameters
    for name, parameter in theirs.items():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            assert name in own, name
            assert own[name].kind is parameter.kind, name
            if isinstance(parameter.default, (int, float, bool, type(None))):
                assert own[name].default == parameter.default, name


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("search", {"query": "", "filters": ADA}),
        ("search", {"query": "x", "filters": {}}),
        ("search", {"query": "x", "filters": ADA, "threshold": 7}),
        ("search", {"query": "x", "filters": ADA, "top_k": -1}),
        ("search", {"query": "x", "filters": {**ADA, "OR": []}}),
        ("get_all", {"filters": {"user_id": "a b"}}),
        ("update", {"memory_id": "0" * 8 + "-0000-0000-0000-" + "0" * 12, "text": "y"}),
        ("update", {"memory_id": "x"}),
        ("delete", {"memory_id": "0" * 8 + "-0000-0000-0000-" + "0" * 12}),
        ("delete_all", {}),
        ("add", {"messages": "x", "user_id": "a b"}),
        ("add", {"messages": "x", "user_id": "ada", "expiration_date": "soon"}),
    ],
)
def test_both_refuse_the_same_calls_with_a_value_error(either, verb, given):
    with pytest.raises(ValueError):
        getattr(either, verb)(**given)
