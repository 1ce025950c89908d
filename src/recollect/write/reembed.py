"""Changing a store's embedding model without losing anything: beside the old vectors, then in one step."""

import numpy as np

from recollect.language.spoken import spoken
from recollect.ports import Embedder, Progress, Store
from recollect.write.text import EMBEDDED_CHARACTERS

BATCH = 256


def reembed(store: Store, embedder: Embedder, progress: Progress | None = None) -> int:
    """Embeds every text that lacks a vector of this model, then makes it the store's; a killed run goes on later."""
    done, left = 0, store.unembedded_count(embedder.name)
    while True:
        batch = store.unembedded(embedder.name, 0, BATCH)
        if not batch:
            store.embed(embedder.name, embedder.dimension, [])
            if store.adopt(embedder.name):
                return done
            continue
        vectors = embedder.embed(
            [spoken(text, speaker)[:EMBEDDED_CHARACTERS] for _, text, speaker in batch]
        ).astype(np.float16)
        store.embed(
            embedder.name,
            embedder.dimension,
            [(n, v.tobytes()) for (n, _, _), v in zip(batch, vectors, strict=True)],
        )
        done += len(batch)
        if progress is not None:
            progress(done, max(done, left))
