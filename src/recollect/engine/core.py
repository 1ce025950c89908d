"""What every verb stands on: the store, the embedder, the index and the settings of one user."""

import logging
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from recollect import config, given
from recollect.assembly import Commons, SystemClock, cached, common, make_embedder, make_generator, opened
from recollect.dream.hot import HotTier
from recollect.dream.in_mind import InMind
from recollect.dream.schedule import JOBS
from recollect.dream.uses import Uses
from recollect.engine.reads import Reads
from recollect.engine.shelf import Shelf
from recollect.errors import (
    InvalidInput,
    MissingExtra,
    ModelMismatch,
    NotFound,
    RecollectError,
    StoreError,
)
from recollect.index.params import IndexParams
from recollect.index.partition import Partition
from recollect.model import SYSTEM_USER, AuditEntry, Memory
from recollect.ports import Clock, Embedder, Generator, Store, for_questions
from recollect.settings import RedisSettings, Settings
from recollect.short_lived import WorkingStore
from recollect.stores.ops_log import OpsLog, ops_log
from recollect.write.ids import Ids
from recollect.write.writer import Place, Writer

log = logging.getLogger("recollect")
SEAL_EVERY = 256
"""After how many writes this process looks whether the index's tail is due to be sealed."""


class Core:
    """Opens and closes; the verbs are in the classes that build on it."""

    def __init__(
        self,
        store: str | Path | Store | None = None,
        *,
        user: str | None = None,
        channel: str | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        settings: Mapping[str, Any] | None = None,
        working: WorkingStore | None = None,
        shelf: Shelf | None = None,
        commons: Commons | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.user = config.default_user() if user is None else user
        self.channel = config.default_channel() if channel is None else channel
        given.name("a user is a name", self.user)
        given.name("a channel is a name", self.channel)
        if self.user == SYSTEM_USER:
            raise InvalidInput(f"{SYSTEM_USER} is the store's own name: choose another user")
        self._given = dict(settings or {})
        self._clock = clock or SystemClock()
        self.store = opened(config.default_store() if store is None else store)
        try:
            self._stored = self.store.settings(self.user)
            self._refreshed_at = time.monotonic()
            self.settings = config.assembled(self._stored, self._given)
            self._changed = config.changed(self.settings)
            self.ops_log = self._ops_log()
            self._lent = commons
            self._commons = self._found_commons() if commons is None else commons
            self._working_store: WorkingStore = self._commons.working if working is None else working
            known = self.store.model()
            self._given_embedder = embedder
            self._use(self._chosen_embedder(None if known is None else known[0]))
            self._generator = generator or self._found_generator()
        except BaseException:
            # One that was open already is shared: whoever opened it closes it.
            if self.store is not store:
                self.store.close()
            raise
        self._accesses = Uses(self.store, self.user, strengthens=lambda: self.settings.dream.strengthen)
        self._reads = Reads(self.store, self._storable, Ids(self._clock))
        self._hot_tier = HotTier(self.store, self.user)
        self._in_mind = InMind()
        self._partition: Partition | None = None
        self._partition_model = ""
        self._index_lock = threading.RLock()
        self._unsealed = 0
        self._given_shelf = shelf
        if known is not None and known[0] != self._embedder.name:
            log.warning("%s", self._mismatch(known[0]))

    def _ops_log(self) -> OpsLog | None:
        """Where the verbs tell what they did, unless nobody wants to know."""
        chosen = self.settings.ops
        return ops_log(chosen.log, max_bytes=chosen.max_bytes, files=chosen.files, waiting=chosen.waiting)

    def _tell_ops(self, line: Mapping[str, Any]) -> None:
        """Tells the ops log what no verb tells, where there is one."""
        if self.ops_log is not None:
            self.ops_log.put({"at": self.now().isoformat(), **line})

    def _chosen_embedder(self, stored: str | None) -> Embedder:
        """The one that was given, or that the settings name, for a store that was filled by a model."""
        # Asked for None: a cache that is empty is an embedder all the same.
        if self._given_embedder is not None:
            return self._given_embedder
        return make_embedder(self.settings.embedder, stored)

    def _found_commons(self) -> Commons:
        """What the settings name; this process alone where what the store keeps of them names nothing usable."""
        try:
            return common(self.settings.redis, self._clock)
        except (InvalidInput, MissingExtra) as error:
            self._go_without("redis.", error)
            return common(RedisSettings(), self._clock)

    def _found_generator(self) -> Generator | None:
        try:
            return make_generator(self.settings.llm, self._tell_ops)
        except InvalidInput as error:
            self._go_without("llm.", error)
            return None

    def _go_without(self, group: str, error: RecollectError) -> None:
        """Tells of a service that cannot be used; to a caller who named it, as an error.

        A store opens whatever it keeps of them: otherwise the setting could not be mended with it.
        """
        if any(name.startswith(group) for name in self._given):
            raise error
        log.warning("%s: until it is mended, that service is not used", error)

    def _use(self, embedder: Embedder) -> None:
        self._embedder = cached(embedder, self.settings.embedder, self._commons.vectors)
        self._writer = Writer(self.store, self._embedder, self._clock)

    @property
    def embedder(self) -> Embedder:
        """What turns texts into vectors here, with its cache."""
        return self._embedder

    @property
    def intervals(self) -> dict[str, timedelta]:
        """How often a worker does each of its jobs."""
        return intervals(self.settings)

    def refreshed(self) -> Settings:
        """The settings as they are now: another process may have changed them."""
        stored = self.store.settings(self.user)
        self._refreshed_at = time.monotonic()
        if stored != self._stored:
            settings = config.assembled(stored, self._given)
            with self._index_lock:
                if settings.index != self.settings.index:
                    self._partition = None
                self._stored, self.settings = stored, settings
                self._changed = config.changed(settings)
        return self.settings

    def find(self, memory_id: str) -> Memory | None:
        """One memory by its whole id, or None."""
        return self.store.get(self.user, memory_id)

    def beside(self, user: str) -> Self:
        """Another user's memory in the same store, for as long as this one is open."""
        return type(self)(
            self.store,
            user=user,
            embedder=self._embedder,
            clock=self._clock,
            settings=self._given,
            working=self._working_store,
            shelf=self._shelf_for_others(),
            commons=self._commons,
            generator=self._generator,
        )

    def now(self) -> datetime:
        """The time that this memory goes by."""
        return self._clock.now()

    def flush(self) -> None:
        """Writes what is pending: the counts of what was recalled, and what was read. The store stays open."""
        try:
            self._accesses.flush()
        except StoreError as error:
            # Counts are not memories: a store that can only be read goes on without them.
            log.warning("what was recalled was not counted: %s", error)
        try:
            self._reads.flush()
        except StoreError as error:
            log.warning("what was read is not in the audit: %s", error)

    def close(self) -> None:
        """Writes what is pending and closes the store."""
        try:
            self.flush()
        finally:
            self.store.close()
            if self._lent is None:
                self._commons.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _known(self, memory_id: str) -> Memory:
        """The memory as it is now."""
        known = self._id(memory_id)
        memory = self.find(known)
        if memory is None:
            raise NotFound(f"{known} was purged")
        return memory

    def _place(self, channel: str | None) -> Place:
        return Place(
            self.user, self.channel if channel is None else given.name("a channel is a name", channel)
        )

    def _id(self, memory_id: str) -> str:
        """The whole id for an id or a unique beginning of one."""
        if not isinstance(memory_id, str) or not memory_id:
            raise InvalidInput("an id is a text, not empty")
        found = self.store.resolve(self.user, memory_id)
        if memory_id in found or len(found) == 1:
            return memory_id if memory_id in found else found[0]
        if found:
            raise InvalidInput(f"{memory_id} could be {', '.join(found)}: write more of the id")
        raise NotFound(f"no memory {memory_id}")

    def _index(self, known: tuple[str, int] | None = None) -> Partition:
        """The index of the store's model; `known` saves asking the store for it."""
        known = known or self.store.model()
        model, dimension = known or (self._embedder.name, self._embedder.dimension)
        with self._index_lock:
            if self._partition is None or self._partition_model != model:
                chosen, self._partition_model = self.settings.index, model
                params = IndexParams(
                    rescore=chosen.rescore, exact_up_to=chosen.exact_up_to, held_up_to=chosen.held_up_to
                )
                folder = self.store.index_folder(self.user)
                self._partition = Partition(self.store, self.user, model, dimension, folder, params)
            return self._partition

    def _is_as_known(self, settings: Settings, index: Partition) -> bool:
        """Whether the store, as it is seen now, still has these settings and the model of this index.

        It waits for no lock, as a view of the store is held meanwhile: whoever purges has the index's, and may wait for
        everybody who holds a view.
        """
        if self.store.settings(self.user) != self._stored or self.settings is not settings:
            return False
        self._refreshed_at = time.monotonic()
        known = self._check_model()
        model = self._embedder.name if known is None else known[0]
        return index is self._partition and index.source.model == model

    def _last_index(self) -> Partition:
        """The index as it was last asked for: whoever reads from it looks whether the model is still the same."""
        return self._partition or self._index()

    def _wrote(self, count: int) -> None:
        self._unsealed += count
        if self._unsealed >= SEAL_EVERY:
            self._unsealed = 0
            with self._index_lock:
                self._index().refresh(maintain=True)

    def _asking(self) -> Embedder:
        """What embeds questions; something of its own where that is quicker, or where they are adapted."""
        return for_questions(self._embedder) if self.settings.embedder.quick_questions else self._embedder

    def _shelf_for_others(self) -> Shelf | None:
        """Where the engines beside this one find what everybody published; see `Publishing`."""
        return self._given_shelf

    def _purging(self, ids: Sequence[str]) -> None:
        """What was derived from memories that are about to be erased goes before them."""

    def _parts(self, _ids: Collection[str], /) -> set[str]:
        """What is a part of these memories and has their words; see `Practising`."""
        return set()

    def _storable(self, read: AuditEntry) -> AuditEntry:
        """A read as it may be kept; see `Auditing`."""
        return read

    def _reembedded(self) -> None:
        """What else holds vectors of the model before is made anew."""

    def _check_model(self) -> tuple[str, int] | None:
        """The store's model, after a check that it is the embedder's."""
        known = self.store.model()
        if known is not None and known[0] != self._embedder.name:
            raise ModelMismatch(self._mismatch(known[0]))
        return known

    def _mismatch(self, stored: str) -> str:
        return (
            f"{self.store.location} holds vectors of {stored}, but the embedder here is {self._embedder.name}:"
            " open it with that embedder, or run `recollect reembed` to change the store's model"
        )


def intervals(settings: Settings) -> dict[str, timedelta]:
    """How often a worker does each of its jobs, by what the settings say."""
    return {name: timedelta(minutes=getattr(settings.worker, name)) for name in JOBS}
