"""The tools over streamable HTTP: each caller has their own memory, and the rights of their key."""

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from served import listening

from recollect.serve.keys import Right
from recollect.serve.mcp.server import PROFILES


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with listening(tmp_path_factory.mktemp("agents") / "served.db", requests_per_second=0.0) as server:
        yield server


def talked(server, token, talk, path="/mcp"):
    """What the SDK's client gets with this key."""

    async def connected():
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(server.url + path, http_client=http)) as client,
        ):
            return await talk(client)

    return anyio.run(connected)


def call(name, **arguments):
    async def talk(client):
        return await client.call_tool(name, arguments)

    return talk


def key(server, user, *rights):
    return server.service.keys.create(user, rights or tuple(Right))[1]


def test_an_agent_remembers_and_recalls_over_http(server):
    ada = key(server, "ada")
    made = talked(server, ada, call("memory_remember", text="Deploys go through staging first"))
    found = talked(server, ada, call("memory_recall", query="deploys"))
    assert found.structured_content["hits"][0]["id"] == made.structured_content["id"]


def test_the_knowledge_graph_has_an_address_of_its_own(server):
    async def talk(client):
        return {one.name for one in (await client.list_tools()).tools}

    assert (
        talked(server, key(server, "ada"), talk, "/mcp/knowledge-graph")
        == PROFILES["knowledge-graph"][0].keys()
    )


def test_without_a_key_no_tool_is_even_listed(server):
    for path in ("/mcp", "/mcp/knowledge-graph"):
        assert httpx2.post(server.url + path, json={}).status_code == 401


GIVEN = {
    "memory_feedback": {"memory_ids": ["VICTIM"], "helpful": False},
    "memory_episode": {"goal": "mine"},
    "memory_step": {"episode": "VICTIM", "state": "here", "action": "look"},
    "memory_outcome": {"episode": "VICTIM", "success": True},
    "memory_decide": {"state": "zanzi", "episode": "VICTIM"},
    "memory_strategy": {"state": ["find the treasure", "in zanzi"]},
    "memory_recall": {"query": "zanzibar"},
    "memory_context": {"query": "zanzibar"},
    "memory_remember": {"text": "mine", "supersedes": "VICTIM"},
    "memory_observe": {"messages": [{"role": "user", "content": "hello there"}]},
    "memory_event": {"events": [{"type": "worker.report", "text": "hello there"}], "session": "s1"},
    "memory_end_session": {"session": "s1"},
    "memory_entity": {"name": "Island"},
    "memory_graph": {"tell": "around", "question": "zanzi"},
    "memory_edit": {"memory_id": "VICTIM", "text": "taken over"},
    "memory_link": {"source": "VICTIM", "target": "VICTIM"},
    "memory_keep_in_mind": {"conversation": "c1", "thought": "mine"},
    "memory_in_mind": {"conversation": "c1", "like": "zanzi"},
    "create_entities": {"entities": [{"name": "Eve", "entityType": "person", "observations": ["x"]}]},
    "create_relations": {"relations": [{"from": "Eve", "to": "Island", "relationType": "owns"}]},
    "add_observations": {"observations": [{"entityName": "Island", "contents": ["mine"]}]},
    "delete_entities": {"entityNames": ["Island"]},
    "delete_observations": {"deletions": [{"entityName": "Island", "observations": ["lies in zanzibar"]}]},
    "delete_relations": {"relations": [{"from": "Island", "to": "Sea", "relationType": "lies_in"}]},
    "search_nodes": {"query": "zanzibar"},
    "open_nodes": {"names": ["Island"]},
}


def meaning(given, victim):
    """What is given to a tool, with a memory of another user where it says so."""
    if isinstance(given, list):
        return [meaning(one, victim) for one in given]
    if isinstance(given, dict):
        return {name: meaning(value, victim) for name, value in given.items()}
    return victim if given == "VICTIM" else given


def test_no_tool_shows_or_changes_anothers_memory(server):
    ada, eve = key(server, "victim"), key(server, "stranger")
    victim = talked(
        server, ada, call("memory_remember", text="The treasure lies in zanzibar")
    ).structured_content["id"]
    said = [{"role": "user", "content": "My sister Clara saw Island in zanzibar."}]
    talked(server, ada, call("memory_observe", messages=said, session="s1"))
    island = {"name": "Island", "entityType": "place", "observations": ["lies in zanzibar"]}
    talked(server, ada, call("create_entities", entities=[island]), "/mcp/knowledge-graph")
    before = server.service.store.witness("victim")
    talked(server, ada, call("memory_keep_in_mind", conversation="c1", thought="zanzibar", state="zanzibar"))

    async def all_tools(client):
        answers = {}
        for tool in (await client.list_tools()).tools:
            wanted = tool.input_schema.get("required", [])
            given = GIVEN.get(tool.name, dict.fromkeys(wanted, victim))
            answers[tool.name] = str((await client.call_tool(tool.name, meaning(given, victim))).content)
        return answers

    for path, profile in (("/mcp", "memory"), ("/mcp/knowledge-graph", "knowledge-graph")):
        answers = talked(server, eve, all_tools, path)
        assert answers.keys() == PROFILES[profile][0].keys()
        for name, told in answers.items():
            assert "zanzibar" not in told, name
            assert victim not in told.replace(f"no memory {victim}", ""), name
    assert server.service.store.witness("victim") == before
    mind = talked(server, ada, call("memory_in_mind", conversation="c1", like="zanzibar")).structured_content
    assert [one["thought"] for one in mind["thoughts"]] == ["zanzibar"]
    assert [one["text"] for one in mind["states"]] == ["zanzibar"]


@pytest.mark.parametrize("tell", ["why", "order", "hubs", "communities"])
def test_the_graph_of_another_is_not_told(server, tell):
    text = "The treasure lies in zanzibar because of the Island"
    one, other = (
        talked(server, key(server, "victim"), call("memory_remember", text=f"{text} {n}"))
        .structured_content["id"]
        for n in range(2)
    )  # fmt: skip
    talked(server, key(server, "victim"), call("memory_link", source=one, target=other))
    ids = {"why": [one, other], "order": [one]}.get(tell, [])
    told = str(talked(server, key(server, "stranger"), call("memory_graph", tell=tell, ids=ids)).content)
    assert "zanzibar" not in told
    assert other not in told
    assert one not in told.replace(f"no memory {one}", "").replace(f"no episode {one}", "")


def test_a_key_that_may_only_read_uses_the_tools_that_only_look(server):
    reader = key(server, "ada", Right.READ)
    assert not talked(server, reader, call("memory_stats")).is_error
    refused = talked(server, reader, call("memory_remember", text="x"))
    assert (refused.is_error, "this needs write" in refused.content[0].text) == (True, True)


def test_the_calls_of_agents_are_counted_under_the_name_of_their_server(server):
    ada = key(server, "ada")
    for path in ("/mcp", "/mcp/knowledge-graph"):
        httpx2.post(server.url + path, json={}, headers={"Authorization": f"Bearer {ada}"})
    told = httpx2.get(f"{server.url}/metrics", headers={"Authorization": f"Bearer {ada}"}).text
    assert 'route="mcp"' in told
    assert 'route="mcp_knowledge_graph"' in told
