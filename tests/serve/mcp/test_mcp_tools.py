"""The tools through the SDK's own client: in this process, over a pipe and over HTTP."""

import json
import os
import sys
from functools import partial
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from recollect import Filter, Recollect
from recollect.serve.mcp.running import alone
from recollect.serve.mcp.server import PROFILES, server
from recollect.testing import FakeClock, HashEmbedder

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("RECOLLECT_UPDATE")


@pytest.fixture
def memory(tmp_path):
    with Recollect(
        tmp_path / "agent.db", user="ada", channel="_global", embedder=HashEmbedder(), clock=FakeClock()
    ) as engine:
        yield engine


def talked(made, *steps):
    """What a client is told when it takes these steps, each a coroutine function of the client."""

    async def talk():
        async with Client(made) as client:
            return [await step(client) for step in steps]

    return anyio.run(talk)


def called(name, /, **arguments):
    async def call(client):
        return await client.call_tool(name, arguments)

    return call


def told(made, name, /, **arguments):
    """The structured answer of one tool."""
    (result,) = talked(made, called(name, **arguments))
    assert not result.is_error, result.content
    return result.structured_content


@pytest.fixture
def tools(memory):
    return server("memory", partial(alone, memory))


@pytest.fixture
def graph(memory):
    return server("knowledge-graph", partial(alone, memory))


@pytest.mark.parametrize("profile", list(PROFILES))
def test_the_tools_are_as_they_were(memory, profile):
    """The golden files are written anew with RECOLLECT_UPDATE=1."""

    async def listed(client):
        return (await client.list_tools()).tools

    (found,) = talked(server(profile, partial(alone, memory)), listed)
    text = json.dumps([one.model_dump(mode="json", exclude_none=True) for one in found], indent=1) + "\n"
    path = GOLDEN / f"{profile}.json"
    if UPDATE:
        path.write_text(text)
    assert path.read_text() == text


def test_every_tool_says_what_it_does_and_whether_it_only_looks(memory):
    for tools, _ in PROFILES.values():
        for tool in tools.values():
            assert len(tool.function.__doc__) > 25
    looking = {name for name, tool in PROFILES["memory"][0].items() if tool.read_only}
    verbs = ("recall", "context", "list", "show", "history", "stats", "decide", "in_mind", "entity", "graph")
    practised = ("skills", "strategy", "tools")
    assert looking == {f"memory_{verb}" for verb in (*verbs, *practised)}
    assert 10 <= len(PROFILES["memory"][0]) <= 28


def test_what_an_agent_remembers_it_recalls_with_its_dates(tools):
    porto = told(tools, "memory_remember", text="The office is in Porto", kind="fact")
    told(tools, "memory_remember", text="The office is in Lisbon", kind="fact", supersedes=porto["id"])
    (hit,) = told(tools, "memory_recall", query="where is the office?")["hits"]
    assert (hit["text"], hit["supersedes"]) == ("The office is in Lisbon", porto["id"])
    assert "since 2026" in hit["holds"]
    versions = told(tools, "memory_history", memory_id=hit["id"])["versions"]
    assert [one["text"] for one in versions][-1] == "The office is in Lisbon"
    assert "Lisbon" in told(tools, "memory_context", query="office")["context"]


def test_an_agents_events_and_its_conversations_teach_once(tools):
    happened = {"type": "worker.report", "timestamp": "2026-03-02T12:00:00Z", "text": "We deploy to Porto."}
    [kept] = told(tools, "memory_event", events=[happened], session="s")["turns"]
    assert [one["action"] for one in kept["formed"]] == ["create"]
    [again] = told(tools, "memory_event", events=[happened], session="s")["turns"]
    assert (again["action"], again["reason"]) == ("skip", "the same event was kept before")
    ended = told(tools, "memory_end_session", session="s")
    assert (ended["turns"], [one["id"] for one in ended["memories"]]) == (0, [kept["formed"][0]["id"]])
    assert ended["memories"][0]["text"] == kept["formed"][0]["text"]


def test_an_agent_asks_how_memories_are_related(tools, memory):
    cause, outage, told_them = (
        memory.remember(text, tags=["checkout"]).id
        for text in ("The certificate had expired", "The checkout was down", "Customers were told")
    )
    memory.link(cause, outage, "causes")
    memory.link(outage, told_them, "causes")
    path = told(tools, "memory_graph", tell="why", ids=[cause, told_them])
    assert [one["type"] for one in path["links"]] == ["causes", "causes"]
    around = told(tools, "memory_graph", tell="around", question="The checkout was down", limit=1)
    assert {one["id"]: one["hops"] for one in around["memories"]} == {outage: 0, cause: 1, told_them: 1}
    assert len(around["links"]) == 2
    hubs = told(tools, "memory_graph", tell="hubs", limit=2)["hubs"]
    assert {one["id"] for one in hubs} == {outage, "tag:checkout"}
    [group] = told(tools, "memory_graph", tell="communities")["communities"]
    assert group["size"] == len(group["members"]) == 4


def test_an_agent_asks_in_which_order_an_episode_went(tools, memory):
    with memory.episode("fix the login") as run:
        taken = []
        for action in ("look", "mend", "look again"):
            run.decide(f"before {action}")
            taken.append(run.step(action=action, action_type="work", observation="ok").id)
        run.finish(success=True)
    found = told(tools, "memory_graph", tell="order", ids=[run.episode.id])["memories"]
    assert [one["id"] for one in found] == taken


def test_a_question_to_the_graph_that_lacks_something_is_told_what(tools):
    for given, lacking in (({"tell": "why", "ids": ["x"]}, "2 of"), ({"tell": "around"}, "question")):
        (result,) = talked(tools, called("memory_graph", **given))
        assert result.is_error
        assert lacking in result.content[0].text


def test_an_agent_asks_who_and_what_is_known(tools):
    said = [{"role": "user", "name": "Ada", "content": "I live in Porto."}]
    told(tools, "memory_observe", messages=said, session="s")
    assert "Porto" in [one["name"] for one in told(tools, "memory_entity")["entities"]]
    ada = told(tools, "memory_entity", name="Ada")
    assert [one["text"] for one in ada["memories"]] == ["Ada lives in Porto"]
    [relation] = ada["relations"]
    assert relation["type"] == "located_in"


def test_every_tool_does_what_it_says(tools):
    known = told(tools, "memory_remember", text="Deploys go through staging first", tags=["ops"])["id"]
    other = told(tools, "memory_remember", text="Staging is in Frankfurt")["id"]
    assert (
        told(tools, "memory_observe", messages=[{"role": "user", "content": "Hello there"}], session="s")[
            "kept"
        ]
        == 1
    )
    assert told(tools, "memory_edit", memory_id=other, text="Staging is in Paris")["action"] == "update"
    assert told(tools, "memory_tag", memory_id=known, add=["new"], remove=["ops"])["tags"] == ["new"]
    assert told(tools, "memory_link", source=known, target=other)["edges"][0]["type"] == "related_to"
    assert told(tools, "memory_show", memory_id=known)["edges"]
    assert told(tools, "memory_link", source=known, target=other, remove=True)["edges"] == []
    assert told(tools, "memory_forget", memory_id=known)["state"] == "dormant"
    assert known not in {hit["id"] for hit in told(tools, "memory_recall", query="deploys")["hits"]}
    assert told(tools, "memory_restore", memory_id=known)["state"] == "active"
    page = told(tools, "memory_list", lane="memory", limit=1)
    assert told(tools, "memory_list", lane="memory", limit=1, after=page["next"])["next"] is None
    assert told(tools, "memory_stats")["memory"] == 2


def test_what_is_in_mind_stays_in_its_conversation(tools):
    kept = told(
        tools,
        "memory_keep_in_mind",
        conversation="c1",
        values={"order": 7, "old": None},
        thought="She may want a date",
        goal="Find the order",
        state="the order is in customs",
        turn=3,
    )
    assert (kept["values"], kept["goal"]["text"]) == ({"order": 7}, "Find the order")
    mind = told(tools, "memory_in_mind", conversation="c1", like="stuck in customs")
    assert [one["turn"] for one in mind["states"]] == [3]
    assert mind["thoughts"][0]["thought"] == "She may want a date"
    told(tools, "memory_keep_in_mind", conversation="c1", values={"order": None})
    assert told(tools, "memory_in_mind", conversation="c1")["values"] == {}
    assert told(tools, "memory_in_mind", conversation="c2")["thoughts"] == []
    assert told(tools, "memory_recall", query="customs")["hits"] == []


def test_what_worked_in_one_task_is_advised_in_the_next(tools):
    first = told(tools, "memory_episode", goal="fix the build")["id"]
    assert told(tools, "memory_decide", state="the tests fail", episode=first)["best"] is None
    told(tools, "memory_step", episode=first, state="the tests fail", action="read the log of the tests")
    assert told(tools, "memory_outcome", episode=first, success=True)["kept"]
    second = told(tools, "memory_episode", goal="fix the build")["id"]
    advice = told(tools, "memory_decide", state="the tests fail", episode=second)
    assert advice["best"] == "read the log of the tests"
    assert "read the log of the tests" in advice["advice"]
    told(tools, "memory_step", episode=second, state="the tests fail", action="read the log of the tests")
    note = told(tools, "memory_remember", text="The log is in /var/log")["id"]
    ended = told(tools, "memory_outcome", episode=second, success=False, used=[note])
    assert ended["decayed"]
    assert ended["edges"] == 2, "of the advice that was followed, and of the memory that was used"


def test_what_was_practised_is_told_before_the_next_try(tools):
    for thing in ("cup", "pan", "jar"):
        known = told(tools, "memory_episode", goal=f"clean the {thing}", task_type="tidy")["id"]
        for verb in ("wash", "dry"):
            given = {"state": f"the {verb} place", "action": f"{verb} {thing}", "tool": verb, "ok": True}
            told(tools, "memory_step", episode=known, advised=False, **given)
        told(tools, "memory_outcome", episode=known, success=True)
    told(tools, "memory_reflect", episode=known, critique="mind the lid")
    found = told(tools, "memory_skills", goal="clean the pot")
    assert found["skills"][0]["steps"] == ["wash {1}", "dry {1}"]
    assert found["ways"][0]["actions"][0].startswith("wash")
    assert found["warnings"] == ["clean the jar: mind the lid"]
    stages = told(
        tools, "memory_strategy", state=["clean the jar", "nothing", "the wash place"], task_type="tidy"
    )["stages"]
    assert stages[0]["action"].startswith("wash")
    (dry, wash) = told(tools, "memory_tools", task_type="tidy")["tools"]
    assert (dry["name"], dry["calls"], dry["wins"], dry["worked"]) == ("dry", 3, 3, 3)
    assert wash["name"] == "wash"
    assert told(tools, "memory_tools", task_type="other")["tools"] == []


def test_what_helped_is_worth_more_and_what_did_not_less(tools):
    known = told(tools, "memory_remember", text="Deploys go through staging first")["id"]
    rose = told(tools, "memory_feedback", memory_ids=[known], helpful=True)["utility"][known]
    assert told(tools, "memory_feedback", memory_ids=[known], helpful=False)["utility"][known] < rose


def test_an_error_tells_the_model_what_to_do(tools):
    missing, wrong = talked(
        tools, called("memory_show", memory_id="nothing"), called("memory_recall", query="x", k=0)
    )
    assert (missing.is_error, missing.content[0].text.endswith("no memory nothing")) == (True, True)
    assert wrong.is_error


def test_resources_and_prompts_are_there(tools):
    async def read(client):
        known = (
            await client.call_tool("memory_remember", {"text": "The office is in Porto"})
        ).structured_content
        one = await client.read_resource(f"memory://memories/{known['id']}")
        recent = await client.read_resource("memory://recent")
        prompts = [one.name for one in (await client.list_prompts()).prompts]
        brief = await client.get_prompt("memory_brief", {"topic": "office"})
        return (
            json.loads(one.contents[0].text)["text"],
            len(json.loads(recent.contents[0].text)["memories"]),
            prompts,
            brief.messages[0].content.text,
        )

    ((text, count, prompts, brief),) = talked(tools, read)
    assert (text, count, prompts) == ("The office is in Porto", 1, ["memory_brief", "memory_keep"])
    assert "The office is in Porto" in brief


ADA = {"name": "Ada", "entityType": "person", "observations": ["Likes tea", "Lives in Lisbon"]}
ACME = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Ada", "to": "Acme", "relationType": "works_at"}


def test_the_graph_has_the_official_servers_shapes(graph):
    assert told(graph, "create_entities", entities=[ADA, ACME]) == {"entities": [ADA, ACME]}
    assert told(graph, "create_entities", entities=[ADA]) == {"entities": []}
    assert told(graph, "create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    assert told(graph, "create_relations", relations=[WORKS]) == {"relations": []}
    added = told(
        graph,
        "add_observations",
        observations=[{"entityName": "Acme", "contents": ["Likes tea", "Sells tea"]}],
    )
    assert added == {"results": [{"entityName": "Acme", "addedObservations": ["Likes tea", "Sells tea"]}]}
    acme = ACME | {"observations": ["Likes tea", "Sells tea"]}
    assert told(graph, "read_graph") == {"entities": [ADA, acme], "relations": [WORKS]}
    assert told(graph, "open_nodes", names=["Ada"]) == {"entities": [ADA], "relations": [WORKS]}
    assert told(graph, "search_nodes", query="lisbon")["entities"][0] == ADA


def test_what_is_deleted_from_the_graph_is_gone_and_the_rest_stays(graph, memory):
    told(graph, "create_entities", entities=[ADA, ACME])
    told(graph, "create_relations", relations=[WORKS, WORKS | {"relationType": "owns"}])
    told(
        graph,
        "delete_observations",
        deletions=[{"entityName": "Ada", "observations": ["Likes tea", "unknown"]}],
    )
    told(graph, "delete_relations", relations=[WORKS])
    now = told(graph, "read_graph")
    assert now["entities"][0]["observations"] == ["Lives in Lisbon"]
    assert now["relations"] == [WORKS | {"relationType": "owns"}]
    told(graph, "delete_entities", entityNames=["Ada"])
    assert told(graph, "read_graph") == {"entities": [ACME], "relations": []}
    assert told(graph, "create_entities", entities=[ADA]) == {"entities": [ADA]}
    assert memory.verify() == []


def test_observations_of_an_unknown_entity_are_refused_and_none_is_kept(graph):
    (refused,) = talked(
        graph, called("add_observations", observations=[{"entityName": "Eve", "contents": ["x"]}])
    )
    assert (refused.is_error, "Eve not found" in refused.content[0].text) == (True, True)
    assert told(graph, "read_graph") == {"entities": [], "relations": []}


@pytest.mark.parametrize("kind", ["entity", "observation", "relation"])
@pytest.mark.parametrize("metadata", [None, {"entity": 7}, {"entityType": "person", "from": "Ada"}])
def test_what_somebody_else_keeps_in_its_channel_is_no_part_of_the_graph(graph, memory, kind, metadata):
    known = memory.remember("Ada is tall", kind=kind, channel="knowledge-graph", metadata=metadata).id
    assert told(graph, "create_entities", entities=[ADA, ACME]) == {"entities": [ADA, ACME]}
    assert told(graph, "create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    addition = {"entityName": "Ada", "contents": ["Reads"]}
    added = told(graph, "add_observations", observations=[addition])
    assert added == {"results": [{"entityName": "Ada", "addedObservations": ["Reads"]}]}
    ada = ADA | {"observations": [*ADA["observations"], "Reads"]}
    assert told(graph, "read_graph") == {"entities": [ada, ACME], "relations": [WORKS]}
    assert told(graph, "open_nodes", names=["Ada"])["entities"] == [ada]
    assert told(graph, "search_nodes", query="tall")["relations"] in ([], [WORKS])
    told(graph, "delete_observations", deletions=[{"entityName": "Ada", "observations": ["Ada is tall"]}])
    told(graph, "delete_entities", entityNames=["Ada", "Acme"])
    assert told(graph, "read_graph") == {"entities": [], "relations": []}
    assert memory.get(known).state == "active"


def test_entities_are_created_wholly_or_not_at_all(graph, memory):
    broken = ACME | {"observations": ["Sells tea", " ", "Is old"]}
    (refused,) = talked(graph, called("create_entities", entities=[ADA, broken]))
    assert (refused.is_error, "nothing to remember" in refused.content[0].text) == (True, True)
    assert memory.list(Filter(any_session=True)) == []
    whole = ACME | {"observations": ["Sells tea", "Is old"]}
    assert told(graph, "create_entities", entities=[ADA, whole]) == {"entities": [ADA, whole]}


def test_an_entity_that_is_known_gets_what_is_new_of_it(graph):
    told(graph, "create_entities", entities=[ADA])
    again = ADA | {"entityType": "pirate", "observations": ["Likes tea", "Reads"]}
    now = ADA | {"observations": ["Reads"]}
    assert told(graph, "create_entities", entities=[again, again]) == {"entities": [now]}
    assert told(graph, "create_entities", entities=[again]) == {"entities": []}
    whole = ADA | {"observations": [*ADA["observations"], "Reads"]}
    assert told(graph, "read_graph")["entities"] == [whole]


def test_a_secret_is_told_as_it_is_kept_and_is_known_again(graph, memory):
    secret = "The password is correct-horse-battery"
    entity = ACME | {"observations": [secret]}
    (made,) = told(graph, "create_entities", entities=[entity])["entities"]
    assert "correct-horse" not in made["observations"][0]
    assert told(graph, "read_graph")["entities"] == [made]
    addition = {"entityName": "Acme", "contents": [secret, f"Since May: {secret}"]}
    (result,) = told(graph, "add_observations", observations=[addition])["results"]
    assert len(result["addedObservations"]) == 1
    assert "correct-horse" not in result["addedObservations"][0]
    assert "correct-horse" not in "".join(memory.export())
    told(graph, "delete_observations", deletions=[{"entityName": "Acme", "observations": [secret]}])
    assert told(graph, "read_graph")["entities"][0]["observations"] == result["addedObservations"]


def test_what_may_not_be_kept_is_not_told_as_kept(graph, memory):
    memory.configure({"privacy.personal_data": "refuse"})
    joe = {"name": "joe@example.com", "entityType": "person", "observations": ["Likes tea"]}
    mixed = ACME | {"observations": ["Write to joe@example.com", "Sells tea"]}
    kept = ACME | {"observations": ["Sells tea"]}
    assert told(graph, "create_entities", entities=[joe, mixed]) == {"entities": [kept]}
    assert told(graph, "read_graph") == {"entities": [kept], "relations": []}
    assert {one.text for one in memory.list(Filter(any_session=True))} == {"Acme (company)", "Sells tea"}
    (refused,) = talked(graph, called("create_entities", entities=[joe]))
    assert (refused.is_error, "was not kept" in refused.content[0].text) == (True, True)


def test_what_is_in_the_graph_is_also_recalled(graph, memory):
    told(graph, "create_entities", entities=[ADA])
    assert memory.recall("where does Ada live?", channel="knowledge-graph", k=1)[0].text == "Lives in Lisbon"


def test_switched_off_the_graph_keeps_nothing_and_says_so(graph, memory):
    memory.configure({"memory.enabled": False})
    (refused,) = talked(graph, called("create_entities", entities=[ADA]))
    assert (refused.is_error, "switched off" in refused.content[0].text) == (True, True)


def test_a_real_process_speaks_over_a_pipe(environment, store):
    pipe = StdioServerParameters(command=sys.executable, args=["-m", "recollect", "mcp"], env=environment)

    async def talk(client):
        await client.call_tool("memory_remember", {"text": "Deploys go through staging first"})
        return (await client.call_tool("memory_recall", {"query": "deploys"})).structured_content

    (found,) = talked(pipe, talk)
    assert [hit["text"] for hit in found["hits"]] == ["Deploys go through staging first"]


def test_a_turn_tells_an_agent_what_replaced_what_it_states(memory, tools):
    for text in ("I live in Porto by the river.", "I moved to Lisbon."):
        memory.observe([{"role": "user", "name": "Ada", "content": text}], session="s")
    newer, older = told(tools, "memory_recall", query="where do I live, in Porto by the river?", k=2)["hits"]
    assert (newer["text"], older["replaced_by"]) == ("Ada moved to Lisbon", newer["id"])
    assert "no longer true" in older["holds"]
    assert "replaced_by" not in newer


def test_a_tool_goes_by_what_another_process_has_set(memory, tools):
    with Recollect(memory.store.location, user="ada", channel="_global", embedder=HashEmbedder()) as other:
        other.configure({"learning.neighbours": 1})
    told(tools, "memory_list")
    assert memory.settings.learning.neighbours == 1


def test_an_argument_that_no_tool_has_is_refused_by_name(tools, graph, memory):
    for made, name, given in (
        (tools, "memory_remember", {"text": "Deploys go first", "colour": "red"}),
        (graph, "create_entities", {"entities": [ADA], "colour": "red"}),
        (tools, "memory_stats", {"colour": "red"}),
    ):
        (refused,) = talked(made, called(name, **given))
        assert (refused.is_error, "colour" in refused.content[0].text) == (True, True)
    assert memory.list() == []
