"""The built-in model as it learnt to tell attacks: asked about texts in doubt, and never in the way."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.errors import MissingExtra, ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.providers.minilm import MiniLM

log = logging.getLogger("recollect")


class Guard:
    """Vectors of a model that is made of files which are there anyway. Making one costs nothing; threads may share it.

    Nothing is fetched for it. Where it can't be had, that is said once, and texts are judged without it.
    """

    def __init__(self, model: "MiniLM") -> None:
        self._model = model
        self._is_missing = False

    @property
    def name(self) -> str:
        return self._model.name

    def prepare(self) -> None:
        """Convert its model unless that is done already."""
        self._model.prepare()

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """One row a text; nothing where the model can't be had here."""
        if self._is_missing or not self._model.fetched:
            return None
        try:
            return self._model.embed(texts)
        except (ModelUnavailable, MissingExtra) as error:
            self._is_missing = True
            log.warning("attacks in doubt are judged without a second look: %s", error)
            return None
