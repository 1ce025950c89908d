"""Changing a store's embedding model without losing anything: beside the old vectors, then in one step."""

from collections.abc import Sequence

from recollect.language.spoken import spoken
from recollect.ports import Embedder, Progress, Store, gives_words
from recollect.write.encoding import encoded

BATCH = 256


def backfill(store: Store, embedder: Embedder, most: int) -> int:
    """Gives texts that lack a vector of the store's own model one, at most so many; says how many those were."""
    words, done = gives_words(embedder), 0
    while done < most and (batch := store.unembedded(embedder.name, 0, min(BATCH, most - done), words=words)):
        embed_texts(store, embedder, batch)
        done += len(batch)
    return done


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
        embed_texts(store, embedder, batch)
        done += len(batch)
        if progress is not None:
            progress(done, max(done, left))


def embed_texts(
    store: Store, embedder: Embedder, batch: Sequence[tuple[int, str, str | None]]
) -> list[bytes]:
    """Gives texts, each with its number and its speaker, the vectors of a model, and gives those back."""
    made = encoded(embedder, [spoken(text, speaker) for _, text, speaker in batch])
    rows = [(number, *vectors) for (number, _, _), vectors in zip(batch, made, strict=True)]
    store.embed(embedder.name, embedder.dimension, rows)
    return [vector for vector, _ in made]
