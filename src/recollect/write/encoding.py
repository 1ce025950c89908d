"""What an embedder makes of texts, as it is stored: a vector each, and the vectors of their words where it gives them."""

from collections.abc import Sequence

import numpy as np

from recollect.ports import Embedder, Progress, WordEmbedder
from recollect.write.text import EMBEDDED_CHARACTERS

Encoded = tuple[bytes, bytes | None]
"""A text's vector, and its words' unless the embedder gives none."""


def encoded(embedder: Embedder, texts: Sequence[str], progress: Progress | None = None) -> list[Encoded]:
    """Each text's vectors, in order."""
    shortened = [text[:EMBEDDED_CHARACTERS] for text in texts]
    if isinstance(embedder, WordEmbedder):
        vectors, words = embedder.encode(shortened, progress)
        codes: list[bytes | None] = [one.codes.tobytes() for one in words]
    else:
        vectors, codes = embedder.embed(shortened, progress), [None] * len(texts)
    halves = vectors.astype(np.float16)
    return [(half.tobytes(), code) for half, code in zip(halves, codes, strict=True)]
