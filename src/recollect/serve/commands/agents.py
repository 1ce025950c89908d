"""The verb that serves memory to an agent."""

from enum import StrEnum
from typing import Annotated

import typer

from recollect.errors import MissingExtra
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb

app = typer.Typer(rich_markup_mode=None)


class Profile(StrEnum):
    """Which tools an agent is given."""

    MEMORY = "memory"
    KNOWLEDGE_GRAPH = "knowledge-graph"


@verb(app, "mcp")
def mcp(
    common: Common,
    profile: Annotated[
        Profile,
        typer.Option("--profile", help="knowledge-graph has the tools of the official memory server."),
    ] = Profile.MEMORY,
) -> None:
    """Serve memory to an agent, over standard input and output (MCP).

    `recollect serve` has the same tools at /mcp, for many users.
    """
    try:
        import mcp.server  # noqa: F401, PLC0415
    except ImportError:
        raise MissingExtra("serving an agent needs mcp: pip install 'recollect[mcp]'") from None
    from recollect.serve.mcp.running import serve_pipe  # noqa: PLC0415 - `--help` does not wait for it

    with opened(common) as memory:
        serve_pipe(memory, profile.value)
