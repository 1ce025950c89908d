"""An MCP server over a memory: its tools, resources and prompts."""

import inspect
import json
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from mcp.server import MCPServer
from mcp.server.context import ServerMiddleware
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.tools import Tool as Registered
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp.types import ToolAnnotations
from pydantic import ConfigDict

from recollect import __version__
from recollect.engine import Recollect
from recollect.errors import RecollectError
from recollect.serve.keys import Right
from recollect.serve.mcp import (
    forming_tools,
    graph_tools,
    knowledge_graph,
    learning_tools,
    memory_tools,
    working_tools,
)
from recollect.serve.mcp.tool import Tool

Run = Callable[[Right, Callable[[Recollect], Any]], Awaitable[Any]]
"""Does something with the memory of whoever calls, in a thread, where they have the right to it."""
INSTRUCTIONS = (
    "Long-term memory. Call memory_recall before you answer anything that may depend on earlier conversations, "
    "and memory_remember when the user states, corrects or decides something that will matter later. "
    "For a task with several steps, memory_episode and memory_outcome let you learn from how it ends."
)
GRAPH_INSTRUCTIONS = "A knowledge graph that lasts: entities with observations, and relations between them."
PROFILES = {
    "memory": (
        {
            **memory_tools.TOOLS,
            **forming_tools.TOOLS,
            **graph_tools.TOOLS,
            **learning_tools.TOOLS,
            **working_tools.TOOLS,
        },
        INSTRUCTIONS,
    ),
    "knowledge-graph": (knowledge_graph.TOOLS, GRAPH_INSTRUCTIONS),
}


def server(profile: str, run: Run, *middleware: ServerMiddleware[Any]) -> MCPServer[Any]:
    """The server of a profile; `run` knows whose memory a call is about."""
    tools, instructions = PROFILES[profile]
    made: MCPServer[Any] = MCPServer(
        "recollect",
        instructions=instructions,
        version=__version__,
        log_level="WARNING",
        middleware=middleware,
        tools=[_registered(tool, run) for tool in tools.values()],
    )
    if profile == "knowledge-graph":
        _add_graph(made, run)
    else:
        _add_resources(made, run)
        _add_prompts(made, run)
    return made


def _registered(tool: Tool, run: Run) -> Registered:
    async def called(**given: Any) -> Any:
        try:
            return await run(tool.right, lambda memory: tool.function(memory, **given))
        except RecollectError as error:
            raise ToolError(str(error)) from None

    return _described(tool).model_copy(update={"fn": called})


@cache
def _described(tool: Tool) -> Registered:
    """What a client is told about a tool, made once: it takes longer than all the rest, and is of no one server."""
    wanted = list(inspect.signature(tool.function, eval_str=True).parameters.values())[1:]
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in wanted]

    async def called(**_: Any) -> Any:
        """Has the shape of what a server calls in its place."""

    called.__signature__ = inspect.Signature(parameters, return_annotation=dict[str, Any])  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": dict[str, Any]}
    made = Registered.from_function(
        called,
        name=tool.name,
        title=tool.title,
        description=inspect.getdoc(tool.function),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
        structured_output=True,
    )
    # A mistyped argument is an error that names it, as everywhere: a model that is told can correct itself.
    known = made.fn_metadata.arg_model
    strict: type[ArgModelBase] = type(known.__name__, (known,), {"model_config": ConfigDict(extra="forbid")})
    shape = made.fn_metadata.model_copy(update={"arg_model": strict})
    return made.model_copy(
        update={"fn_metadata": shape, "parameters": strict.model_json_schema(by_alias=True)}
    )


def _add_resources(made: MCPServer[Any], run: Run) -> None:
    @made.resource("memory://memories/{memory_id}", title="A memory", mime_type="application/json")
    async def one(memory_id: str) -> str:
        """One memory with all that is known about it, by its id."""
        return await _told(run, lambda memory: memory_tools.show(memory, memory_id))

    @made.resource("memory://recent", title="Recent memories", mime_type="application/json")
    async def recent() -> str:
        """The newest memories."""
        return await _told(run, memory_tools.list_)

    @made.resource("memory://stats", title="How much is kept", mime_type="application/json")
    async def stats() -> str:
        """Counts by lane and channel, and whether memory is switched on."""
        return await _told(run, memory_tools.stats)


def _add_graph(made: MCPServer[Any], run: Run) -> None:
    @made.resource("memory://knowledge-graph", title="Knowledge graph", mime_type="application/json")
    async def graph() -> str:
        """All entities and relations."""
        return await _told(run, knowledge_graph.read_graph)


def _add_prompts(made: MCPServer[Any], run: Run) -> None:
    @made.prompt(name="memory_brief", title="Brief me from memory")
    async def brief(topic: str) -> str:
        """What is known about a topic, as the beginning of a conversation."""
        known = await _with(run, lambda memory: memory.context(topic))
        return f"{known or 'Nothing is known about it yet.'}\n\nWith this in mind, let us talk about: {topic}"

    @made.prompt(name="memory_keep", title="Keep what matters of this conversation")
    def keep() -> str:
        """Ask the model to keep what will matter later."""
        return (
            "Look back over our conversation. For each fact, preference, decision or lesson that will matter in "
            "another conversation, call memory_recall to see whether it is known, then memory_remember with one "
            "sentence that stands alone, and with `supersedes` where it replaces something. Then say what you kept."
        )


async def _told(run: Run, look: Callable[[Recollect], Any]) -> str:
    return json.dumps(await _with(run, look), ensure_ascii=False)


async def _with(run: Run, look: Callable[[Recollect], Any]) -> Any:
    try:
        return await run(Right.READ, look)
    except RecollectError as error:
        raise ResourceError(str(error)) from None
