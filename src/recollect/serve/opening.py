"""From the common options to an open engine."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput, NotFound
from recollect.serve.options import Common

# The engine is imported when it is opened: a verb's `--help` does not wait for it.
if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.ports import Progress
    from recollect.settings import Settings

IN_MEMORY = ":memory:"


@contextmanager
def opened(
    common: Common, *, embeds: bool = True, must_exist: bool = False, warns: bool = True
) -> "Iterator[Recollect]":
    """The engine for these options, closed afterwards.

    A verb that embeds nothing works whatever the embedder's settings are. Where a store that is not there can
    only be a slip, `must_exist` says so instead of making one. Who mends the settings is not told of what they were.
    """
    from recollect.assembly import opened as opened_store  # noqa: PLC0415
    from recollect.engine import Recollect  # noqa: PLC0415

    path = store_path(common)
    if must_exist and not exists(path):
        raise NotFound(f"no store at {path}; choose another with --store, or `recollect remember` something")
    with _warnings(told=warns):
        store = opened_store(path)
        try:
            embedder = None if embeds else NoEmbedder(*(store.model() or ("none", 1)))
            memory = Recollect(store, user=common.user, channel=common.channel, embedder=embedder)
        except BaseException:
            store.close()
            raise
        with memory:
            yield memory


def store_path(common: Common) -> str:
    """Where the store is: the option, the environment, or the user's data folder."""
    from recollect import config  # noqa: PLC0415

    return common.store or config.default_store()


def exists(path: str) -> bool:
    """Whether there is a store; what is no file cannot be looked for."""
    return path == IN_MEMORY or "://" in path or Path(path).expanduser().exists()


def settings(common: Common) -> "Settings":
    """The settings in force, without making a store where there is none."""
    from recollect import config  # noqa: PLC0415

    if not exists(store_path(common)):
        return config.assembled({}, {})
    with opened(common, embeds=False) as memory:
        return memory.settings


class NoEmbedder:
    """Stands in where nothing is embedded, so that no model and no service is needed."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name, self.dimension = name, dimension

    def embed(self, texts: Sequence[str], progress: "Progress | None" = None) -> Any:  # noqa: ARG002
        raise InvalidInput("this verb was not expected to embed anything")


@contextmanager
def _warnings(*, told: bool) -> Iterator[None]:
    """The engine's warnings on standard error, after the work; an error speaks for itself."""
    kept: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: kept.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("recollect")
    log.addHandler(handler)
    try:
        yield
        for message in kept if told else ():
            print(f"warning: {message}", file=sys.stderr)
    finally:
        log.removeHandler(handler)
