"""A library that another host serves: the same calls as of one's own, over HTTP, for the one user whose key it is.

What may leave is decided here, before a word goes out; the service looks again. A question that is asked of it goes
there as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from recollect.errors import Refused, StoreUnavailable
from recollect.model import Memory, Origin, Scope, utc
from recollect.remote import Remote
from recollect.shared.access import ANY_USERS, Member, access_from
from recollect.shared.items import Item, Offer, Quality, quality_from
from recollect.shared.preview import Preview, preview, refuse_problems

T = TypeVar("T")
NO_TIME: Final = timedelta()
TIMEOUT_SECONDS: Final = 30.0
"""How long a call may take; a recall waits no longer than `shared.deadline_ms`."""
FOUND: Final = ("score", "signals", "values", "similarity", "relevance")
"""What a hit says beside its memory."""


class RemoteLibrary:
    """Publish, look, find: elsewhere."""

    def __init__(self, remote: Remote, user: str, hit: Callable[..., Any]) -> None:
        self._remote, self._user, self._hit = remote, user, hit

    def publish(self, user: str, offer: Offer, item_id: str | None = None) -> Item:
        """A new item, or the next version of one's own."""
        refuse_problems(self.preview(user, offer, item_id))
        sent = {
            "title": offer.title,
            "text": offer.text,
            "kind": offer.kind,
            "summary": offer.summary,
            "tags": list(offer.tags),
            "access": str(offer.access),
            "author": offer.author,
            "item": item_id,
        }
        return self._read(_item, self._asked(user).post("/library", sent))

    def preview(self, user: str, offer: Offer, item_id: str | None = None) -> Preview:
        """What publishing would give away; of it nothing leaves for being looked at."""
        if item_id is None:
            return preview(offer)
        before = self.item(user, item_id)
        if not before.is_own:
            raise Refused(f"item {item_id} was published by somebody else: only they can change it")
        return preview(offer, before if before.is_published else None)

    def unpublish(self, user: str, item_id: str, *, erase: bool = False) -> Item:
        return self._read(_item, self._asked(user).post(f"/library/{item_id}/unpublish", {"erase": erase}))

    def item(self, user: str, item_id: str, version: int | None = None) -> Item:
        return self._read(_item, self._asked(user).get(f"/library/{item_id}", version=version))

    def versions(self, user: str, item_id: str) -> list[Item]:
        return self._read(_items, self._asked(user).get(f"/library/{item_id}/versions"))

    def published(self, user: str) -> list[Item]:
        return self._read(_items, self._asked(user).get("/library/mine"))

    def search(self, user: str, question: str, k: int, **options: Any) -> list[Any]:
        """The hits of a question among what the key's user may read, as the service ranks them."""
        asked = {name: value for name, value in options.items() if value}
        told = self._asked(user).post("/library/search", {"query": question, "k": k, **asked})
        return self._read(lambda told: [self._found_hit(one) for one in told["hits"]], told)

    def found(self, user: str, question: str, k: int) -> list[Item]:
        return self._read(_items, self._asked(user).get("/library", q=question, k=k))

    def tell(self, user: str, item_ids: Sequence[str], *, success: bool) -> list[str]:
        """Adds how a run went that used items; gives those that count."""
        sent = {"items": list(dict.fromkeys(item_ids)), "success": success}
        return self._read(lambda told: list(told["counted"]), self._asked(user).post("/library/report", sent))

    def qualities(self, item_ids: Sequence[str]) -> dict[str, Quality]:
        """What was released of items, by their ids."""
        found = {one: self.item(self._user, one).quality for one in item_ids}
        return {one: quality for one, quality in found.items() if quality is not None}

    def coordinate(self, every: timedelta = NO_TIME) -> int | None:  # noqa: ARG002 - as of one's own
        """Never due here: whoever runs the library lets what was reported move the ranks."""
        return None

    def enrol(self, user: str, **_: Any) -> Member:
        raise Refused(f"who {user} is in the library of {self._remote.host} is said by whoever runs that")

    def _asked(self, user: str) -> Remote:
        if user != self._user:
            raise Refused(
                f"the library of {self._remote.host} is asked with the key of {self._user}: {user} needs a key of"
                " their own, and a Recollect that is opened with it"
            )
        return self._remote

    def _found_hit(self, told: Mapping[str, Any]) -> Any:
        return self._hit(_memory(told), **{name: told[name] for name in FOUND})

    def _read(self, meaning: Callable[[Any], T], told: Any) -> T:
        try:
            return meaning(told)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreUnavailable(
                f"what {self._remote.host} answered makes no sense ({type(error).__name__}):"
                " is it a Recollect of this version?"
            ) from None


def _items(told: Mapping[str, Any]) -> list[Item]:
    return [_item(one) for one in told["items"]]


def _item(told: Mapping[str, Any]) -> Item:
    values = {name: told[name] for name in ("id", "title", "text", "kind", "summary", "author", "version")}
    return Item(
        **values,
        tags=tuple(told["tags"]),
        # As a reader knows it: not who else may read.
        access=ANY_USERS if told["access"] == str(ANY_USERS) else access_from(told["access"]),
        published_at=utc(datetime.fromisoformat(told["published_at"])),
        is_published=told["is_published"],
        is_own=told["is_own"],
        quality=quality_from(told["quality"]),
    )


def _memory(told: Mapping[str, Any]) -> Memory:
    """The memory that a hit of the service holds, as one of a library here would be."""
    at = utc(datetime.fromisoformat(told["published_at"]))
    made = Memory(str(told["id"]), str(told["text"]), at, at, kind=str(told["kind"]), scope=Scope.PROJECT)
    about = {name: told[name] for name in ("title", "summary", "author")}
    return replace(
        made,
        tags=tuple(told["tags"]),
        origin=Origin(write_source="publish", data_source="library"),
        metadata={**about, "item_version": int(told["version"])},
    )
