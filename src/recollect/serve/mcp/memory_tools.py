"""The `memory_*` tools: the verbs as an agent needs them, with short answers."""

from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.engine import Recollect
from recollect.exchange.values import edge_value, iso
from recollect.language.validity import validity
from recollect.model import Filter, Lane, Memory
from recollect.recall.hits import Hit
from recollect.recall.merging import whose
from recollect.serve import shapes
from recollect.serve.keys import Right
from recollect.serve.mcp.tool import Tool, listed

Id = Annotated[str, Field(description="A memory's id, as another tool told it.")]
Channel = Annotated[
    str | None, Field(description="A project's name; without one, what is known everywhere is meant.")
]


def remember(
    memory: Recollect,
    text: Annotated[
        str, Field(description="One thing that is worth knowing, in a sentence that stands alone.")
    ],
    kind: Annotated[
        str, Field(description="Such as note, fact, preference, decision, procedure or warning.")
    ] = "note",
    tags: Annotated[list[str], Field(description="Labels to find it by.")] = [],  # noqa: B006 - never changed
    supersedes: Annotated[
        str | None, Field(description="The id of the memory that is no longer true because of this one.")
    ] = None,
    channel: Channel = None,
) -> dict[str, Any]:
    """Keep one fact, preference, decision or lesson for later conversations.

    Use it when the user states something that will still matter next time, corrects you, or decides something.
    One thing a call, with names in place of pronouns. When it replaces something you recalled, give that id as
    `supersedes`. Do not keep what is only about this moment. Secrets are taken out by themselves.
    """
    made = memory.remember(text, kind=kind, tags=tags, supersedes=supersedes, channel=channel)
    return shapes.remembered(made)


def observe(
    memory: Recollect,
    messages: Annotated[
        list[dict[str, Any]],
        Field(description='In order, each with "role" and "content", and "name" if known.'),
    ],
    session: Annotated[str | None, Field(description="The conversation's id.")] = None,
    channel: Channel = None,
) -> dict[str, Any]:
    """Keep a part of the conversation verbatim, and form memories from what it states; `formed` tells which.

    What was said can be found again word for word.
    """
    return shapes.observed(memory.observe(messages, session=session, channel=channel))


def recall(
    memory: Recollect,
    query: Annotated[str, Field(description="What you would like to know, as a question or in keywords.")],
    k: Annotated[int, Field(description="How many at most.", ge=1, le=100)] = 8,
    channel: Channel = None,
    tags: Annotated[list[str], Field(description="Only with all of these tags.")] = [],  # noqa: B006
    since: Annotated[str | None, Field(description="Only what became true from then on (ISO 8601).")] = None,
    as_of: Annotated[str | None, Field(description="What was believed then (ISO 8601).")] = None,
    level: Annotated[
        Literal["goals", "strategies", "steps", "findings"] | None,
        Field(description="Prefer what is so general or particular."),
    ] = None,
) -> dict[str, Any]:
    """Look up what is known, best first, before you answer or act.

    Use it at the beginning of a task and whenever the user refers to something from before. Each hit says since
    when it holds and what replaced it; trust the newer one. An empty answer means that nothing is known.
    """
    found = memory.recall(query, k, channel=channel, tags=tuple(tags), since=since, as_of=as_of, level=level)
    return {"hits": [_answer(hit) for hit in found]}


def _answer(hit: Hit) -> dict[str, Any]:
    told = brief(hit.memory) | {"holds": hit.holds, "score": round(hit.score, 3)} | _from(hit)
    return told if hit.replaced_by is None else told | {"replaced_by": hit.replaced_by}


def _from(hit: Hit) -> dict[str, str]:
    """Who it comes from, where it is not one's own."""
    return {"from": whose(hit)} if whose(hit) else {}


def context(
    memory: Recollect,
    query: Annotated[str, Field(description="What the text is needed for.")],
    budget_tokens: Annotated[int, Field(description="The most that it may fill.", ge=16, le=100_000)] = 800,
    channel: Channel = None,
) -> dict[str, Any]:
    """Get what is known as one dated text for a prompt, within a budget of tokens."""
    return {"context": memory.context(query, budget_tokens=budget_tokens, channel=channel)}


def list_(
    memory: Recollect,
    kind: Annotated[str | None, Field(description="Only of this kind.")] = None,
    tag: Annotated[str | None, Field(description="Only with this tag.")] = None,
    session: Annotated[str | None, Field(description="Only of this conversation.")] = None,
    lane: Annotated[
        Literal["log", "memory"] | None, Field(description="What was said (log), or what was kept of it.")
    ] = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    after: Annotated[str | None, Field(description="`next` of the answer before, for the next page.")] = None,
    channel: Channel = None,
) -> dict[str, Any]:
    """List memories page by page, the newest first, without a question."""
    where = Filter(
        channels=None if channel is None else (channel,),
        kinds=None if kind is None else (kind,),
        lanes=None if lane is None else (Lane(lane),),
        tags=() if tag is None else (tag,),
        session=session,
        any_session=True,
    )
    found = memory.list(where, limit=limit + 1, after=after)
    page = found[:limit]
    return {
        "memories": [brief(one) for one in page],
        "next": page[-1].id if len(found) > limit else None,
    }


def show(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Show one memory with where it comes from, how often it was used and what it is related to."""
    found = memory.get(memory_id)
    return shapes.detailed(found, memory.counters(found.id), memory.edges(found.id))


def history(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Show what was believed before: every version of a memory and of those that it replaced, oldest first."""
    return {"versions": [brief(one) for one in memory.history(memory_id)]}


def edit(
    memory: Recollect, memory_id: Id, text: Annotated[str, Field(description="The whole new text.")]
) -> dict[str, Any]:
    """Correct the wording of a memory; the old text stays in its history.

    When the world has changed rather than the wording, use memory_remember with `supersedes`.
    """
    return shapes.remembered(memory.edit(memory_id, text))


def tag(
    memory: Recollect,
    memory_id: Id,
    add: Annotated[list[str], Field(description="Tags to add.")] = [],  # noqa: B006
    remove: Annotated[list[str], Field(description="Tags to take away.")] = [],  # noqa: B006
) -> dict[str, Any]:
    """Add tags to a memory, or take them away."""
    return brief(memory.tag(memory_id, *add, remove=remove))


def link(
    memory: Recollect,
    source: Id,
    target: Id,
    relation: Annotated[
        str, Field(description="Such as related_to, causes, contradicts, elaborates or part_of.")
    ] = "related_to",
    remove: Annotated[bool, Field(description="Take that relation away instead.")] = False,
) -> dict[str, Any]:
    """Relate two memories, so that one leads to the other, or take a wrong relation away."""
    (memory.unlink if remove else memory.link)(source, target, relation)
    return {"edges": [edge_value(one) for one in memory.edges(source)]}


def forget(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Stop recalling a memory, because the user asks for it or because it is wrong; memory_restore undoes it."""
    return brief(memory.forget(memory_id))


def restore(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Bring back a memory that was forgotten."""
    return brief(memory.restore(memory_id))


def stats(memory: Recollect) -> dict[str, Any]:
    """Tell how much is kept, in which channels, and whether memory is switched on."""
    told = memory.stats()
    chosen = memory.refreshed().memory
    names = ("log", "memory", "dormant", "channels")
    return {name: told[name] for name in names} | {"records": chosen.records, "recalls": chosen.recalls}


def brief(one: Memory) -> dict[str, Any]:
    """A memory as an agent needs it: what it says, since when, and how to name it."""
    told = {
        "id": one.id,
        "text": one.text,
        "holds": validity(one),
        "recorded_at": iso(one.recorded_at),
        "kind": one.kind,
        "channel": one.channel,
        "tags": list(one.tags),
        "state": str(one.state),
        "speaker": one.origin.speaker,
        "session": one.origin.session,
        "supersedes": one.supersedes,
        "superseded_by": one.superseded_by,
    }
    return {name: value for name, value in told.items() if value not in (None, [])}


TOOLS = listed(
    Tool("memory_recall", "Recall", recall, Right.READ, idempotent=True),
    Tool("memory_remember", "Remember", remember, Right.WRITE, idempotent=True),
    Tool("memory_observe", "Keep a conversation", observe, Right.WRITE),
    Tool("memory_context", "Context for a prompt", context, Right.READ, idempotent=True),
    Tool("memory_list", "List memories", list_, Right.READ, idempotent=True),
    Tool("memory_show", "Show a memory", show, Right.READ, idempotent=True),
    Tool("memory_history", "What was believed before", history, Right.READ, idempotent=True),
    Tool("memory_edit", "Correct a memory", edit, Right.WRITE, idempotent=True),
    Tool("memory_tag", "Tag a memory", tag, Right.WRITE, idempotent=True),
    Tool("memory_link", "Relate two memories", link, Right.WRITE, idempotent=True),
    Tool("memory_forget", "Forget", forget, Right.WRITE, destructive=True, idempotent=True),
    Tool("memory_restore", "Restore", restore, Right.WRITE, idempotent=True),
    Tool("memory_stats", "How much is kept", stats, Right.READ, idempotent=True),
)
