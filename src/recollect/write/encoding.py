"""What an embedder makes of texts, as it is stored: a vector each, and the vectors of their words where it gives them."""

from collections.abc import Sequence

import numpy as np

from recollect.formulas.pooling import pooled
from recollect.language.parts import SEPARATOR, parts_of
from recollect.ports import Embedder, Progress, gives_words
from recollect.write.text import EMBEDDED_CHARACTERS

Encoded = tuple[bytes, bytes | None]
"""A text's vector, and its words' unless the embedder gives none."""


def encoded(embedder: Embedder, texts: Sequence[str], progress: Progress | None = None) -> list[Encoded]:
    """Each text's vectors, in order; that of a text in parts is the direction of its parts' mean."""
    if any(SEPARATOR in text for text in texts):
        return _encoded_parts(embedder, texts)
    shortened = [text[:EMBEDDED_CHARACTERS] for text in texts]
    if gives_words(embedder):
        vectors, words = embedder.encode(shortened, progress)
        codes: list[bytes | None] = [one.codes.tobytes() for one in words]
    else:
        vectors, codes = embedder.embed(shortened, progress), [None] * len(texts)
    halves = vectors.astype(np.float16)
    return [(half.tobytes(), code) for half, code in zip(halves, codes, strict=True)]


def _encoded_parts(embedder: Embedder, texts: Sequence[str]) -> list[Encoded]:
    encoded_texts = []
    for text in texts:
        parts = encoded(embedder, parts_of(text))
        whole = pooled(
            np.stack([np.frombuffer(vector, np.float16).astype(np.float32) for vector, _ in parts])
        )
        words = [code for _, code in parts if code is not None]
        encoded_texts.append((whole.astype(np.float16).tobytes(), b"".join(words) if words else None))
    return encoded_texts
