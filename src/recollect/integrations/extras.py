"""The frameworks that adapters speak to: optional, and named where they are missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from recollect.errors import MissingExtra


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around the imports of a framework: says which extra to install where it is not there."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(f"{error}: install it with `pip install 'recollect[{name}]'`") from error
