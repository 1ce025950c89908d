"""Changing a store's embedding model without losing anything: beside the old vectors, then in one step."""

from recollect.language.spoken import spoken
from recollect.ports import Embedder, Progress, Store, gives_words
from recollect.write.encoding import encoded

BATCH = 256


def reembed(store: Store, embedder: Embedder, progress: Progress | None = None) -> int:
    """Embeds every text that lacks a vector of this model, then makes it the store's; a killed run goes on later.

    Where the embedder gives words too, a text that lacks only those counts as well.
    """
    words = gives_words(embedder)
    done, left = 0, store.unembedded_count(embedder.name, words=words)
    while True:
        batch = store.unembedded(embedder.name, 0, BATCH, words=words)
        if not batch:
            store.embed(embedder.name, embedder.dimension, [])
            if store.adopt(embedder.name):
                return done
            continue
        made = encoded(embedder, [spoken(text, speaker) for _, text, speaker in batch])
        store.embed(
            embedder.name,
            embedder.dimension,
            [(number, *vectors) for (number, _, _), vectors in zip(batch, made, strict=True)],
        )
        done += len(batch)
        if progress is not None:
            progress(done, max(done, left))
