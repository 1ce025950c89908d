"""LangChain's retriever and chat history on Recollect, in real chains."""

import asyncio

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed: run by make test-integrations")
pytestmark = pytest.mark.filterwarnings("ignore")

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda
from langchain_core.runnables.history import RunnableWithMessageHistory

from recollect.integrations.langchain import RecollectChatMessageHistory, RecollectRetriever
from recollect.integrations.turns import REMOVED

SAID = [
    SystemMessage("You are kind"),
    HumanMessage("What is the weather?", name="Ada", id="h1"),
    AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Lisbon"}, "id": "call_1"}]),
    ToolMessage("sunny", tool_call_id="call_1", status="success"),
    AIMessage([{"type": "text", "text": "It is sunny"}], usage_metadata=None),
    HumanMessage(" "),
]


def test_documents_say_where_they_come_from_and_why(memory):
    kept = memory.remember("Deploys go through staging first", tags=["ops"], metadata={"page": 3})
    memory.remember("The office cat is called Pixel")
    [document] = RecollectRetriever(memory=memory, k=1).invoke("how do we deploy to staging?")
    assert (document.id, document.page_content) == (kept.id, "Deploys go through staging first")
    assert document.metadata["tags"] == ["ops"]
    assert document.metadata["metadata"] == {"page": 3}
    assert sum(document.metadata["signals"].values()) == pytest.approx(document.metadata["score"])


def test_a_retriever_takes_the_options_of_a_recall(memory):
    memory.remember("Deploys go through staging first", tags=["ops"])
    memory.remember("Deploys of the docs are automatic", tags=["docs"])
    retriever = RecollectRetriever(memory=memory, options={"tags": ["docs"]})
    assert [one.page_content for one in retriever.invoke("deploys")] == ["Deploys of the docs are automatic"]
    assert len(retriever.invoke("deploys", tags=[])) == 2
    found = asyncio.run(retriever.ainvoke("deploys"))
    assert [one.page_content for one in found] == ["Deploys of the docs are automatic"]


def test_a_retriever_works_in_a_chain(memory):
    memory.remember("Deploys go through staging first")
    retriever = RecollectRetriever(memory=memory)
    chain = retriever | RunnableLambda(lambda found: found[0].page_content.upper())
    assert chain.invoke("staging deploys") == "DEPLOYS GO THROUGH STAGING FIRST"


def test_messages_come_back_as_they_were(memory):
    history = RecollectChatMessageHistory(memory, "s1")
    history.add_messages(SAID[:2])
    history.add_messages(SAID[2:])
    assert history.messages == SAID
    assert asyncio.run(RecollectChatMessageHistory(memory, "s1").aget_messages()) == SAID
    assert RecollectChatMessageHistory(memory, "s2").messages == []


def test_what_was_said_is_recalled_with_its_speaker(memory):
    RecollectChatMessageHistory(memory, "s1").add_messages(SAID)
    best = memory.recall("which city was the weather asked for?")[0]
    assert "Lisbon" in best.text or "weather" in best.text
    turn = memory.recall("What is the weather?")[0].memory
    assert (turn.origin.speaker, turn.origin.role, turn.origin.session) == ("Ada", "user", "s1")


def test_a_session_that_was_observed_otherwise_is_read_too(memory):
    memory.observe(
        [{"role": "user", "content": "hello", "name": "Ada"}, {"role": "critic", "content": "well"}],
        session="s1",
    )
    first, second = RecollectChatMessageHistory(memory, "s1").messages
    assert (first.type, first.content, first.name) == ("human", "hello", "Ada")
    assert (second.type, second.role, second.content) == ("chat", "critic", "well")


def test_a_cleared_history_is_forgotten_not_erased(memory):
    history = RecollectChatMessageHistory(memory, "s1")
    history.add_messages(SAID)
    history.clear()
    assert history.messages == []
    assert memory.stats()["dormant"] == len(SAID)
    history.add_messages(SAID[:1])
    assert history.messages == SAID[:1]


def test_a_message_that_was_purged_keeps_its_place(memory):
    call = AIMessage("I look", tool_calls=[{"name": "weather", "args": {"city": "Lisbon"}, "id": "call_1"}])
    for one, bare in (
        (ToolMessage("X17", tool_call_id="call_1"), ToolMessage(REMOVED, tool_call_id="call_1")),
        (call, AIMessage(REMOVED, tool_calls=[{"name": "weather", "args": {}, "id": "call_1"}])),
        (HumanMessage([{"type": "text", "text": "X18"}], name="Ada"), HumanMessage(REMOVED, name="Ada")),
    ):
        history = RecollectChatMessageHistory(memory, f"s-{one.type}")
        history.add_messages([one])
        memory.purge(memory.list(limit=1)[0].id)
        history.add_messages([SAID[0], one])
        assert history.messages == [SAID[0], bare]


def test_a_chain_with_history_goes_on_where_it_was(memory):
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{said}")])
    model = FakeListChatModel(responses=["Hello Ada", "You are Ada"])
    chain = RunnableWithMessageHistory(
        prompt | model,
        lambda session_id: RecollectChatMessageHistory(memory, session_id),
        input_messages_key="said",
        history_messages_key="history",
    )
    config = {"configurable": {"session_id": "s1"}}
    chain.invoke({"said": "I am Ada"}, config)
    asyncio.run(chain.ainvoke({"said": "Who am I?"}, config))
    assert [one.content for one in RecollectChatMessageHistory(memory, "s1").messages] == [
        "I am Ada",
        "Hello Ada",
        "Who am I?",
        "You are Ada",
    ]
