"""Running an MCP server for the one user of a pipe."""

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from recollect.engine import Recollect
from recollect.serve.keys import Right
from recollect.serve.mcp.server import server


def serve_pipe(memory: Recollect, profile: str) -> None:
    """Speaks over standard input and output until the client hangs up."""
    anyio.run(server(profile, partial(alone, memory)).run_stdio_async)


async def alone(memory: Recollect, _: Right, work: Callable[[Recollect], Any]) -> Any:
    """Whoever started the process may do everything with this one memory."""
    return await anyio.to_thread.run_sync(_done, memory, work)


def _done(memory: Recollect, work: Callable[[Recollect], Any]) -> Any:
    # It has been open since the pipe was: this call goes by what is set now, whoever has set it.
    memory.refreshed()
    return work(memory)
