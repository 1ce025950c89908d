"""Anthropic's memory tool on Recollect: what Claude writes down under /memories is kept, versioned and recalled."""

from asyncio import to_thread
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from recollect.engine import Recollect
from recollect.errors import RecollectError
from recollect.integrations.extras import extra
from recollect.integrations.memory_files import MemoryFiles

with extra("anthropic"):
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam


class RecollectMemoryTool(BetaAbstractMemoryTool):
    """A tool for `client.beta.messages.tool_runner(tools=[…])`, over the files of a memory's channel."""

    def __init__(
        self, memory: Recollect, *, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.files = MemoryFiles(memory)

    def view(self, command: Any) -> str:
        """A file or a folder."""
        return _told(self.files.view, command.path, command.view_range)

    def create(self, command: Any) -> str:
        """A new file."""
        return _told(self.files.create, command.path, command.file_text)

    def str_replace(self, command: Any) -> str:
        """Another text in a file."""
        return _told(self.files.str_replace, command.path, command.old_str, command.new_str)

    def insert(self, command: Any) -> str:
        """More lines in a file."""
        return _told(self.files.insert, command.path, command.insert_line, command.insert_text)

    def delete(self, command: Any) -> str:
        """A file or a folder less; it can be restored."""
        return _told(self.files.delete, command.path)

    def rename(self, command: Any) -> str:
        """Another path."""
        return _told(self.files.rename, command.old_path, command.new_path)

    def clear_all_memory(self) -> str:
        """No file any more; they can be restored."""
        return _told(self.files.clear)


class RecollectAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for an asynchronous client, in threads."""

    def __init__(
        self, memory: Recollect, *, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = RecollectMemoryTool(memory, cache_control=cache_control)

    async def view(self, command: Any) -> str:
        """A file or a folder."""
        return await to_thread(self._tool.view, command)

    async def create(self, command: Any) -> str:
        """A new file."""
        return await to_thread(self._tool.create, command)

    async def str_replace(self, command: Any) -> str:
        """Another text in a file."""
        return await to_thread(self._tool.str_replace, command)

    async def insert(self, command: Any) -> str:
        """More lines in a file."""
        return await to_thread(self._tool.insert, command)

    async def delete(self, command: Any) -> str:
        """A file or a folder less; it can be restored."""
        return await to_thread(self._tool.delete, command)

    async def rename(self, command: Any) -> str:
        """Another path."""
        return await to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        """No file any more; they can be restored."""
        return await to_thread(self._tool.clear_all_memory)


def _told(verb: Callable[..., str], *given: Any) -> str:
    """What a verb says; what it refuses is told to the model as the tool's error."""
    try:
        return verb(*given)
    except RecollectError as error:
        raise ToolError(str(error)) from error
