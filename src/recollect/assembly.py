"""The parts that the engine is put together from: the store, its index folder, the embedder, the clock."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from recollect import config
from recollect.errors import InvalidInput, MissingExtra, NotFound, StoreError
from recollect.ports import Embedder, Progress, Store, gives_words
from recollect.providers.adapters import NONE, SHA256
from recollect.providers.cache import CachedEmbedder, CachedWordEmbedder
from recollect.settings import EmbedderSettings
from recollect.stores.address import is_address
from recollect.stores.moving import Moved, move
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore

IN_MEMORY = ":memory:"


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def opened(store: str | Path | Store) -> Store:
    """A store from what the user gave: a path, `:memory:`, or one that is open already."""
    if not isinstance(store, str | Path):
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


def cached(embedder: Embedder, settings: EmbedderSettings) -> CachedEmbedder:
    """The embedder with its cache before it; without the vectors of words where they are switched off."""
    if settings.words and gives_words(embedder):
        return CachedWordEmbedder(embedder, settings.cached_texts, settings.cache_seconds)
    return CachedEmbedder(embedder, settings.cached_texts, settings.cache_seconds)
