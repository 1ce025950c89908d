"""The parts that the engine is put together from: the store, its index folder, the embedder, the clock."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import config
from recollect.errors import InvalidInput, MissingExtra, NotFound, StoreError
from recollect.ports import Clock, Embedder, Generator, Progress, Store, gives_words
from recollect.providers.adapters import NONE, SHA256
from recollect.providers.cache import CachedEmbedder, CachedWordEmbedder
from recollect.settings import EmbedderSettings, LlmSettings, RedisSettings
from recollect.short_lived import VectorCache, WorkingStore
from recollect.stores.address import is_address
from recollect.stores.moving import Moved, move
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.working import InProcessWorkingStore
from recollect.stores.working_file import FileWorkingStore

if TYPE_CHECKING:
    from recollect.providers.chat import Tell
    from recollect.stores.redis.link import Link

IN_MEMORY = ":memory:"


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def opened(store: str | Path | Store) -> Store:
    """A store from what the user gave: a path, `:memory:`, or one that is open already."""
    if not isinstance(store, str | Path):
        if not hasattr(store, "high_water"):
            raise InvalidInput(f"a store is a path, an address or one that is open, not {store!r}")
        return store
    if str(store) == IN_MEMORY:
        return ReferenceStore()
    if is_address(str(store)):
        return on_server(str(store))
    if "://" in str(store):
        raise StoreError(
            f"no store for {str(store).split('://')[0]}:// addresses; give a path to a file or a postgresql:// address"
        )
    return SQLiteStore(store)


def on_server(address: str) -> Store:
    """A store on a PostgreSQL server."""
    try:
        from recollect.stores.postgres import PostgresStore  # noqa: PLC0415 - only who uses it pays for it
    except ModuleNotFoundError as error:
        raise MissingExtra("a store on a server needs an extra: pip install 'recollect[postgres]'") from error
    return PostgresStore(address)


def upgraded(address: str) -> int:
    """Finishes the upgrade of a store on a server; gives the number of its schema."""
    if not is_address(address):
        raise InvalidInput(
            "a file is brought up to date whenever it is opened: only a server's store is finished"
        )
    from recollect.stores.postgres import PostgresStore  # noqa: PLC0415 - only who uses it pays for it

    with closing(on_server(address)) as store:
        return store.finish_upgrade() if isinstance(store, PostgresStore) else 0


def migrated(source: str | Path, target: str | Path, progress: Progress | None = None) -> Moved:
    """Moves a whole store into a new one, of whichever kind."""
    if "://" not in str(source) and not Path(source).expanduser().is_file():
        raise NotFound(f"no store at {source}")
    with closing(opened(source)) as ours, closing(opened(target)) as theirs:
        return move(ours, theirs, progress)


@contextmanager
def existing(path: str | Path) -> Iterator[Store]:
    """Another store's file, open for as long as it is compared."""
    if not Path(path).is_file():
        raise NotFound(f"no store at {path}")
    store = SQLiteStore(path)
    try:
        yield store
    finally:
        store.close()


def make_embedder(settings: EmbedderSettings, stored: str | None = None) -> Embedder:
    """The embedder that the settings name; of the built-in model with the adapter that the store was filled with."""
    if settings.kind == "openai":
        from recollect.providers.openai import OpenAIEmbedder  # noqa: PLC0415 - only who uses it pays for it

        if not settings.url or not settings.model:
            raise InvalidInput("embedder.kind = openai also needs embedder.url and embedder.model")
        return OpenAIEmbedder(settings.url, settings.model, api_key=config.api_key())
    from recollect.providers.minilm import MiniLM, named  # noqa: PLC0415 - only who uses it pays for it

    cache = Path(settings.cache).expanduser() if settings.cache else None
    known = {named(adapter): adapter for adapter in (NONE, *SHA256)}
    adapter = known.get(stored or "", settings.adapter)
    return MiniLM(settings.source, cache, settings.threads or None, adapter)


def make_generator(settings: LlmSettings, tell: "Tell") -> Generator | None:
    """The language model that the settings name, if they name one."""
    if not settings.url and not settings.model:
        return None
    if not settings.url or not settings.model:
        raise InvalidInput("a language model needs both llm.url and llm.model")
    from recollect.providers.chat import Chat  # noqa: PLC0415 - only who uses it pays for it

    return Chat(
        settings.url,
        settings.model,
        api_key=config.llm_key(),
        format=settings.format,
        timeout_seconds=settings.timeout_seconds,
        rest_seconds=settings.rest_seconds,
        tell=tell,
    )


def cached(
    embedder: Embedder, settings: EmbedderSettings, shared: VectorCache | None = None
) -> CachedEmbedder:
    """The embedder with its cache before it; without the vectors of words where they are switched off."""
    if settings.words and gives_words(embedder):
        return CachedWordEmbedder(embedder, settings.cached_texts, settings.cache_seconds, shared=shared)
    return CachedEmbedder(embedder, settings.cached_texts, settings.cache_seconds, shared=shared)


@dataclass(frozen=True, slots=True)
class Commons:
    """What engines have in common beside the store."""

    working: WorkingStore
    vectors: VectorCache | None = None
    link: "Link | None" = None
    """The way to the Redis server that holds them."""
    ends: tuple[Callable[[], None], ...] = ()

    def close(self) -> None:
        """Gives back what they hold; what is in mind stays where it lies."""
        for end in self.ends:
            end()


def common(settings: RedisSettings, clock: Clock, file: Path | None = None) -> Commons:
    """On a Redis server where the settings name one, or else in a file for several processes, or in this one."""
    if file is None:
        here = Commons(InProcessWorkingStore(clock))
    else:
        on_file = FileWorkingStore(file, clock)
        here = Commons(on_file, ends=(on_file.close,))
    if not settings.url:
        return here
    try:
        from recollect.stores.redis.link import Link  # noqa: PLC0415 - only who uses it pays for it
    except ModuleNotFoundError as error:
        raise MissingExtra("redis.url needs an extra: pip install 'recollect[redis]'") from error
    from recollect.stores.redis.vectors import RedisVectorCache  # noqa: PLC0415
    from recollect.stores.redis.working import RedisWorkingStore  # noqa: PLC0415

    link = Link(settings.url, timeout_seconds=settings.timeout_seconds, retry_seconds=settings.retry_seconds)
    working = RedisWorkingStore(link, here.working)
    return Commons(working, RedisVectorCache(link), link, (link.close, *here.ends))
