"""Taking in what people have elsewhere: chats, transcripts of agents, memories, notes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.integrations.importers import chatgpt, claude, mem0, messages, notes, transcripts
from recollect.integrations.importers.taking import Imported, Intake
from recollect.integrations.importers.values import Part
from recollect.ports import Progress

__all__ = ["SOURCES", "Imported", "Source", "import_from"]


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be imported: what it is, and how it is read."""

    about: str
    parts: Callable[[Path], list[Part]]


SOURCES: Final[Mapping[str, Source]] = MappingProxyType(
    {
        "chatgpt": Source("ChatGPT's conversations.json, or the archive it comes in", chatgpt.parts),
        "claude": Source("Claude's conversations.json, or the archive it comes in", claude.parts),
        "claude-code": Source("a transcript of Claude Code, or a folder of them", transcripts.claude_code),
        "codex": Source("a transcript of Codex, or a folder of them", transcripts.codex),
        "mem0": Source("memories as mem0's get_all gives them, JSON or JSON lines", mem0.parts),
        "messages": Source("messages as JSON lines, in a file or a folder", messages.parts),
        "notes": Source("a folder of Markdown notes, or one of them", notes.parts),
    }
)


def import_from(
    source: str, path: str | Path, memory: Recollect, *, progress: Progress | None = None
) -> Imported:
    """Takes in what is not known yet; the same again changes nothing.

    Where an export names users (mem0's does), each one's memories go to them.
    """
    if source not in SOURCES:
        raise InvalidInput(f"nothing is imported from {source!r}; there are: {', '.join(SOURCES)}")
    return Intake(source, memory).take(SOURCES[source].parts(Path(path).expanduser()), progress)
