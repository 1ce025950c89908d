"""The verbs that publish to the library, and look into it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recollect import config
from recollect.assembly import opened
from recollect.engine.reading import Reading
from recollect.engine.shelf import AnyLibrary, Closes, Shelf
from recollect.engine.writing import Writing
from recollect.errors import InvalidInput, Refused
from recollect.model import State
from recollect.ports import Changes, RecordChange
from recollect.stores.address import is_service

if TYPE_CHECKING:
    from recollect.shared.access import Member
    from recollect.shared.items import Item, Offer
    from recollect.shared.preview import Preview

PUBLISHED = "published"
"""Kind of the record that says which of one's own memories an item was made of."""
LIBRARY_SETTINGS = {
    "shared.enabled": False,
    "memory.enabled": True,
    "memory.recording": True,
    "memory.recalling": True,
    "recall.window_days": 0.0,
    # What an item names by its title is another item: who wants it asks for it.
    "layers.hop": False,
}
"""How the library is opened, whatever one user's own memory is set to."""


class Publishing(Reading, Writing):
    """Publish, preview, unpublish; nothing else takes a word of one's memory to others."""

    @cached_property
    def shelf(self) -> Shelf:
        """Where what everybody published is found."""
        return self._given_shelf or Shelf(self._library_opened)

    def close(self) -> None:
        try:
            if self._given_shelf is None:
                self.shelf.close()
        finally:
            super().close()

    def _shelf_for_others(self) -> Shelf:
        return self.shelf

    def preview(self, title: str, text: str | None = None, **particulars: Any) -> "Preview":
        """What `publish` with the same words would give away: all of it, what it names, what forbids it.

        With `item`, also what differs from the version that is published.
        """
        item = particulars.pop("item", None)
        offer, _ = self._offer(title, text, **particulars)
        return self.library.preview(self.user, offer, item)

    def publish(self, title: str, text: str | None = None, **particulars: Any) -> "Item":
        """Puts a copy of a text, or of one's own memories, into the library, for those whom `access` names.

        - `of`: the memories whose texts are published, in place of `text`.
        - `kind`: document, agent, app or pattern; `summary`, `tags`, and `author`, the name that others see.
        - `access`: public, organisation:NAME, users:NAME,NAME or tier:NAME.
        - `item`: the id of what it is the next version of.
        - `mask`: secrets and personal data are replaced by what they are; without it they are a hard stop.
        """
        item = particulars.pop("item", None)
        offer, sources = self._offer(title, text, **particulars)
        made = self.library.publish(self.user, offer, item)
        # What the item was made of is nobody else's business: it is kept here, by ids alone.
        value = {"sources": sources, "version": made.version}
        change = RecordChange(PUBLISHED, made.id, value)
        detail = {"item": made.id, "version": made.version, "access": str(made.access), "sources": sources}
        self.store.write(self.user, Changes("publish", self._clock.now(), records=(change,), detail=detail))
        return made

    def unpublish(self, item_id: str, *, erase: bool | None = None) -> "Item":
        """Takes one's own item out of the library: nobody's next question finds it.

        Its versions stay for oneself, unless `erase` (or `shared.unpublished = erase`) takes them too.
        """
        erased = self.refreshed().shared.unpublished == "erase" if erase is None else erase
        gone = self.library.unpublish(self.user, item_id, erase=erased)
        detail = {"item": item_id, "erased": erased}
        records = (RecordChange(PUBLISHED, item_id, None),) if erased else ()
        self.store.write(self.user, Changes("unpublish", self._clock.now(), records=records, detail=detail))
        return gone

    def published(self) -> "list[Item]":
        """What one has published, newest first, also what was taken away again."""
        return self.library.published(self.user)

    def sources_of(self, item_id: str) -> Sequence[str]:
        """The memories that one's own item was made of."""
        record = self.store.record(self.user, PUBLISHED, item_id)
        return () if record is None else tuple(record.value["sources"])

    def item(self, item_id: str, version: int | None = None) -> "Item":
        """A published item that one may read, as it is or as one of its versions was."""
        return self.library.item(self.user, item_id, version)

    def item_versions(self, item_id: str) -> "list[Item]":
        """Every version of a published item, oldest first."""
        return self.library.versions(self.user, item_id)

    def enrol(self, user: str, *, organisations: Iterable[str] = (), tiers: Iterable[str] = ()) -> "Member":
        """Says which organisations and tiers a user of the library belongs to: for whoever runs it."""
        return self.library.enrol(user, organisations=tuple(organisations), tiers=tuple(tiers))

    @property
    def library(self) -> "AnyLibrary":
        """What was published: where `shared.store` says, or beside this memory in the same store."""
        return self.shelf.library()

    def _offer(
        self,
        title: str,
        text: str | None = None,
        *,
        of: Iterable[str] | str = (),
        kind: str = "document",
        summary: str = "",
        tags: Iterable[str] = (),
        access: str = "public",
        author: str | None = None,
        mask: bool = False,
    ) -> "tuple[Offer, list[str]]":
        from recollect.shared.access import access_from  # noqa: PLC0415 - only who publishes pays for it
        from recollect.shared.items import Offer  # noqa: PLC0415
        from recollect.shared.preview import cleaned  # noqa: PLC0415

        memories = [self._known(one) for one in ((of,) if isinstance(of, str) else of)]
        if (text is None) == (not memories):
            raise InvalidInput("publish a text, or memories (of): give one of the two")
        asleep = [one.id for one in memories if one.state is not State.ACTIVE]
        if asleep:
            raise Refused(f"{', '.join(asleep)} was forgotten: restore it before it is published")
        told = "\n".join(one.text for one in memories) if text is None else text
        by = author or self.refreshed().shared.author or self.user
        said = (tags,) if isinstance(tags, str) else tuple(tags)
        offer = Offer(title, told, kind, summary, said, by, access_from(access))
        return cleaned(offer) if mask else offer, [one.id for one in memories]

    def _library_opened(self) -> "tuple[AnyLibrary, Closes | None]":
        """The library that the settings name, and its engine where that has a store of its own."""
        from recollect.shared.items import LIBRARY_USER  # noqa: PLC0415 - only who shares pays for it
        from recollect.shared.library import Library, Tools  # noqa: PLC0415

        address = self.settings.shared.store
        if is_service(address):
            from recollect.recall.hits import Hit  # noqa: PLC0415
            from recollect.remote import Remote  # noqa: PLC0415
            from recollect.shared.remote_library import TIMEOUT_SECONDS, RemoteLibrary  # noqa: PLC0415

            remote = Remote(address, config.library_key(), TIMEOUT_SECONDS)
            return RemoteLibrary(remote, self.user, Hit), None
        store = opened(address) if address else self.store
        known = store.model()
        # A library that was filled by another model is asked with that one.
        ours = known is None or known[0] == self._embedder.name
        engine = type(self)(
            store,
            user=LIBRARY_USER,
            embedder=self._embedder if ours else None,
            clock=self._clock,
            settings=LIBRARY_SETTINGS,
        )
        tools = Tools(
            engine.store,
            lambda: engine.embedder.name,
            engine._writer.ids.new,  # noqa: SLF001 - an engine of the same class
            engine._writer.searchable,  # noqa: SLF001
            lambda *asked, **options: engine.recall(*asked, learn=False, **options),
            engine.purge,
            self._clock.now,
        )
        return Library(tools), engine if address else None
