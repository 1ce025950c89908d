"""The OpenAI Agents SDK's `Session` on Recollect: a conversation that lasts, and that every recall finds."""

from asyncio import to_thread
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from recollect.engine import Recollect
from recollect.integrations.extras import extra
from recollect.integrations.turns import Turn, Turns
from recollect.model import Memory

with extra("openai-agents"):
    from agents.memory import SessionABC, SessionSettings

if TYPE_CHECKING:
    from agents import TResponseInputItem

FRAMEWORK: Final = "openai_agents"
WORDS: Final = ("content", "output", "summary")
NAMED: Final = ("type", "role", "id", "call_id", "name", "status")
"""What an item is known by, whatever it says."""


class RecollectSession(SessionABC):
    """A session for `Runner.run(…, session=…)`: its items come back as they were."""

    def __init__(
        self, session_id: str, memory: Recollect, *, session_settings: SessionSettings | None = None
    ) -> None:
        self.session_id, self.session_settings = session_id, session_settings or SessionSettings()
        self._turns = Turns(memory, session_id, FRAMEWORK, bare=_bare)

    async def get_items(self, limit: int | None = None) -> "list[TResponseInputItem]":
        """The latest so many items, or all, oldest first."""
        settings = self.session_settings
        most = settings.limit if limit is None and settings is not None else limit
        return [self._item(turn) for turn in await to_thread(self._turns.last, most)]

    async def add_items(self, items: "list[TResponseInputItem]") -> None:
        """Keeps items: all of them or none."""
        if items:
            await to_thread(self._turns.add, [_turn(item) for item in items])

    async def pop_item(self) -> "TResponseInputItem | None":
        """Forgets the latest item, and gives it."""
        turn = await to_thread(self._turns.pop)
        return None if turn is None else self._item(turn)

    async def clear_session(self) -> None:
        """Forgets every item of the session; `recollect restore` brings them back."""
        await to_thread(self._turns.clear)

    def _item(self, turn: Memory) -> Any:
        return self._turns.message(turn) or {"role": turn.origin.role or "user", "content": turn.text}


def _turn(item: Any) -> Turn:
    told: Mapping[str, Any] = item if isinstance(item, Mapping) else item.model_dump(exclude_unset=True)
    return Turn(_role(told), _text(told), told, is_said=isinstance(told.get("role"), str))


def _role(item: Mapping[str, Any]) -> str:
    """Who it comes from: calls and thoughts from the assistant, what a call gave from the tool."""
    if isinstance(item.get("role"), str):
        return str(item["role"])
    return "tool" if str(item.get("type", "")).endswith("_output") else "assistant"


def _text(item: Mapping[str, Any]) -> str:
    """What is searched of it; empty where nothing is said."""
    if item.get("type") == "function_call":
        return f"{item.get('name')}({item.get('arguments', '')})"
    found = [item.get(name) for name in WORDS]
    return "\n".join(line for one in found for line in _lines(one))


def _bare(item: Mapping[str, Any], said: str) -> dict[str, Any]:
    """The item as it would be if it said this alone."""
    kept = {name: item[name] for name in NAMED if name in item}
    if "arguments" in item:
        kept["arguments"] = "{}"
    for name in WORDS:
        if isinstance(item.get(name), list):
            kinds = [part.get("type") for part in item[name] if isinstance(part, Mapping) and "text" in part]
            kept[name] = [{"type": kind, "text": said} for kind in kinds[:1]]
        elif name in item:
            kept[name] = said
    return kept


def _lines(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
