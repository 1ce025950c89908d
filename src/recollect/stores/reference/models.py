"""Which embedding model the store's vectors are of, and how it is replaced."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.stores.changes import check_embedded, resized
from recollect.stores.reference.shelf import Shelves, Text


class Models(Shelves):
    """Store's part that knows about embedding models."""

    def model(self) -> tuple[str, int] | None:
        return self._model

    def unembedded(
        self, model: str, after: int, limit: int, *, words: bool = False
    ) -> list[tuple[int, str, str | None]]:
        with self._lock:
            lacking = [
                (number, text.text, text.origin.speaker)
                for number, text in self._texts()
                if number > after and None in self._embedded(model, number, text)[: 2 if words else 1]
            ]
            return lacking[:limit]

    def unembedded_count(self, model: str, *, words: bool = False) -> int:
        return len(self.unembedded(model, 0, len(self._texts()), words=words))

    def embed(self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes, bytes | None]]) -> None:
        check_embedded(model, dimension, vectors)
        with self._lock:
            kept = next(
                (known for known in (self._model, self._incoming) if known and known[0] == model), None
            )
            if kept is not None and kept[1] != dimension:
                raise resized(model, kept[1], dimension)
            if kept is None:
                self._incoming, self._arrived = (model, dimension), {}
            texts = dict(self._texts())
            for number, vector, words in vectors:
                if number not in texts:
                    continue
                kept_words = self._embedded(model, number, texts[number])[1] if words is None else words
                if self._is(model):
                    texts[number].new = replace(texts[number].new, vector=vector, words=kept_words)
                else:
                    self._arrived[number] = (vector, kept_words)

    def adopt(self, model: str) -> bool:
        with self._lock:
            if self._is(model):
                return True
            if self._incoming is None or self._incoming[0] != model or self.unembedded(model, 0, 1):
                return False
            for number, text in self._texts():
                vector, words = self._arrived[number]
                text.new = replace(text.new, vector=vector, words=words)
            self._model, self._incoming, self._arrived = self._incoming, None, {}
            return True

    def _is(self, model: str) -> bool:
        return self._model is not None and self._model[0] == model

    def _embedded(self, model: str, number: int, text: Text) -> tuple[bytes | None, bytes | None]:
        """The vector and the words that a model gave for a text."""
        if self._is(model):
            return text.new.vector, text.new.words
        incoming = self._incoming is not None and self._incoming[0] == model
        return self._arrived.get(number, (None, None)) if incoming else (None, None)

    def _texts(self) -> list[tuple[int, Text]]:
        return [pair for shelf in self._shelves.values() for pair in shelf.texts.items()]
