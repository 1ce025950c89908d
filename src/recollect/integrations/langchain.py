"""LangChain's retriever and chat message history on Recollect."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from recollect.engine import Recollect
from recollect.exchange.values import iso
from recollect.integrations.extras import extra
from recollect.integrations.turns import Turn, Turns
from recollect.model import Memory
from recollect.recall.hits import Hit

with extra("langchain"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        message_to_dict,
        messages_from_dict,
    )
    from langchain_core.messages import ChatMessage as NamedMessage
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict, Field

FRAMEWORK: Final = "langchain"
ROLES: Final = {"human": "user", "ai": "assistant"}
"""Ours for LangChain's types of messages; the other names are the same."""
NAMED: Final = ("type", "id", "name", "role", "tool_call_id", "status")
"""What a message is known by, whatever it says."""
KINDS: Final[dict[str, type[BaseMessage]]] = {
    "user": HumanMessage,
    "assistant": AIMessage,
    "system": SystemMessage,
}


class RecollectRetriever(BaseRetriever):
    """What a recall brings, as documents; `options` are those of `Recollect.recall`."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    memory: Recollect
    k: int = 4
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - a recall has no steps to report
        **options: Any,
    ) -> list[Document]:
        asked = {"k": self.k, **self.options, **options}
        return [_document(hit) for hit in self.memory.recall(query, **asked)]


class RecollectChatMessageHistory(BaseChatMessageHistory):
    """A conversation that is kept for good: its messages come back as they were, and every recall finds them."""

    def __init__(self, memory: Recollect, session_id: str) -> None:
        self.session_id = session_id
        self._turns = Turns(memory, session_id, FRAMEWORK, bare=_bare)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """Every message of the session, oldest first."""
        return [self._message(turn) for turn in self._turns.last()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Keeps messages: all of them or none."""
        self._turns.add(
            Turn(ROLES.get(one.type, one.type), str(one.text), message_to_dict(one), one.name)
            for one in messages
        )

    def clear(self) -> None:
        """Forgets the session's messages; `recollect restore` brings them back."""
        self._turns.clear()

    def _message(self, turn: Memory) -> BaseMessage:
        kept = self._turns.message(turn)
        if kept is not None:
            return messages_from_dict([kept])[0]
        role = turn.origin.role or "user"
        made = KINDS.get(role)
        if made is None:
            return NamedMessage(content=turn.text, role=role, id=turn.id)
        return made(content=turn.text, name=turn.origin.speaker, id=turn.id)


def _bare(message: Mapping[str, Any], said: str) -> dict[str, Any]:
    """The message as it would be if it said this alone."""
    data = message["data"]
    kept = {name: data[name] for name in NAMED if name in data}
    calls = [{**call, "args": {}} for call in data.get("tool_calls", ())]
    return {**message, "data": {**kept, "content": said} | ({"tool_calls": calls} if calls else {})}


def _document(hit: Hit) -> Document:
    memory = hit.memory
    return Document(
        id=memory.id,
        page_content=memory.text,
        metadata={
            "score": hit.score,
            "similarity": hit.similarity,
            "signals": dict(hit.signals),
            "kind": memory.kind,
            "lane": str(memory.lane),
            "channel": memory.channel,
            "tags": list(memory.tags),
            "session": memory.origin.session,
            "sources": list(memory.origin.sources),
            "since": iso(hit.since),
            "until": iso(hit.until),
            "holds": hit.holds,
            "metadata": dict(memory.metadata),
        },
    )
