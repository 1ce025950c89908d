"""The verbs that adapt questions to what people preferred."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from recollect.engine.reading import Reading
from recollect.errors import InvalidInput
from recollect.ports import Embedder, Progress, WordEmbedder, Words

if TYPE_CHECKING:
    from recollect.formulas.micro_lora import Lens
    from recollect.learn.contrasts import Contrasts as Store
    from recollect.learn.contrasts import LensState


class SeenEmbedder:
    """An embedder of questions, with a lens behind it."""

    def __init__(self, inner: Embedder, lens: "Lens") -> None:
        self._inner, self._lens = inner, lens

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        return self._moved(self._inner.embed(texts, progress))

    def _moved(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        from recollect.formulas.micro_lora import seen  # noqa: PLC0415 - only who adapts pays for it

        return seen(vectors, self._lens)


class SeenWords(SeenEmbedder):
    """The same for one that gives the vectors of words too, which stay as they are."""

    _inner: WordEmbedder

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        vectors, words = self._inner.encode(texts, progress)
        return self._moved(vectors), words


class Contrasting(Reading):
    """Contrasts teach a lens of question vectors; `learning.lens` switches it on."""

    _own_contrasts: "Store | None" = None

    def contrast(self, question: str, *, better: Iterable[str] | str, worse: Iterable[str] | str) -> None:
        """Says that for a question some memories are better than others, such as those that worked than those that did not.

        Every contrast counts at once; after each fifty, past ones are asked again, and if they got worse the fifty
        are left out.
        """
        if not isinstance(question, str) or not question.strip():
            raise InvalidInput("a question is a text, not empty")
        liked = [self._known(one).content for one in ([better] if isinstance(better, str) else better)]
        disliked = [self._known(one).content for one in ([worse] if isinstance(worse, str) else worse)]
        if not liked or not disliked or set(liked) & set(disliked):
            raise InvalidInput(
                "a contrast needs something better and something worse, and nothing that is both"
            )
        if not self.refreshed().memory.records:
            return
        self._check_model()
        vector = self._embedder.embed([question])[0]
        self._contrasts().tell(self._writer.ids.new(), vector, liked, disliked, self._clock.now())

    def lens(self) -> "LensState":
        """How the lens stands: its version, what it learnt from, how often it was rolled back."""
        return self._contrasts().state()

    def reset_lens(self) -> None:
        """Forgets every contrast: questions are asked as they are."""
        self._contrasts().reset(self._clock.now())

    def _asking(self) -> Embedder:
        inner = super()._asking()
        if not self.settings.learning.lens:
            return inner
        lens = self._contrasts().lens()
        if lens is None:
            return inner
        if isinstance(inner, WordEmbedder):
            return SeenWords(inner, lens)
        return SeenEmbedder(inner, lens)

    def _contrasts(self) -> "Store":
        from recollect.formulas.micro_lora import LoraParams  # noqa: PLC0415 - only who adapts pays for it
        from recollect.learn.contrasts import Contrasts as Store  # noqa: PLC0415

        with self._index_lock:
            chosen = self.settings.learning
            params = LoraParams(chosen.lens_rank, consolidation=chosen.consolidation)
            known = self._own_contrasts
            if known is None or (known.params, known.checked) != (params, chosen.canary):
                known = self._own_contrasts = Store(
                    self.store,
                    self.user,
                    self._embedder.name,
                    self._embedder.dimension,
                    params,
                    checked=chosen.canary,
                )
            return known
