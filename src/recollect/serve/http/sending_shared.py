"""What callers send about what they share: publications, grants, syncs."""

from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.recall.layers import LAYERS
from recollect.recall.profiles import PROFILES
from recollect.serve.http.models import Text, Word
from recollect.serve.http.sending import Sent


class Publication(Sent):
    """What is published, and for whom: a text, or memories."""

    title: Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\n\r]*\S[^\n\r]*$")]
    text: Text | None = None
    of: list[Word] = Field([], max_length=1_000, description="Memories whose texts are published.")
    kind: Literal["document", "agent", "app", "pattern"] = "document"
    summary: str = Field("", max_length=4_000)
    tags: list[Word] = Field([], max_length=100)
    access: Word = Field("public", description="public, organisation:NAME, users:NAME,NAME or tier:NAME")
    author: Word | None = Field(None, description="The name that others see.")
    item: Word | None = Field(None, description="The item that this is the next version of.")
    mask: bool = Field(False, description="Replace secrets and personal data by what they are.")


class AskedLibrary(Sent):
    """A question to what was published, from a recall elsewhere."""

    query: Text
    k: int = Field(10, ge=1, le=100)
    profile: Literal[tuple(PROFILES)] | None = None  # type: ignore[valid-type] # the list is the engine's
    ablate: list[Literal[tuple(LAYERS)]] | None = None  # type: ignore[valid-type]


class Unpublished(Sent):
    """How an item is taken away."""

    erase: bool | None = Field(
        None, description="Its versions too, also from copies; null: as the settings say."
    )


class Report(Sent):
    """How a run went that used published items."""

    items: list[Word] = Field(min_length=1, max_length=1_000)
    success: bool


class NewGrant(Sent):
    """What another user may do in a channel."""

    role: Literal["reader", "writer", "owner"] = "reader"
    owner: Word | None = Field(None, description="Whose channel it is, if not the caller's.")


class Contribution(Sent):
    """A memory for a channel that another user shares."""

    text: Text
    owner: Word
    channel: Word
    kind: Word = "note"
    tags: list[Word] = Field([], max_length=100)


class SyncSender(Sent):
    """Whose changes are meant."""

    sender: str = Field(max_length=200)


class SyncFrom(Sent):
    """How far one side has taken what the other has."""

    base: int = Field(0, ge=0, lt=2**63)
    upto: int = Field(0, ge=0, lt=2**63)
    after: str = Field("", max_length=64)
    linked: int = Field(0, ge=0, lt=2**63)
    linked_upto: int = Field(0, ge=0, lt=2**63)
    sequence: int = Field(0, ge=0, lt=2**63)
    hash: str = Field("0" * 64, pattern="^[0-9a-f]{64}$")


class SyncAsked(Sent):
    """What is wanted: all after a place, of some channels or of all."""

    place: SyncFrom
    channels: list[Word] | None = Field(None, min_length=1, max_length=100)


class SyncMessage(Sent):
    """A page, and the signature of whoever sends it."""

    page: dict[str, Any]
    signature: str = Field(pattern="^[0-9a-f]{64}$")
