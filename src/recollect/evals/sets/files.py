"""Files of sets: found, read, and refused with one clear reason."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from recollect.errors import InvalidInput, NotFound


def located(data: Path, usual: Sequence[str]) -> Path:
    """The set's own path: `data`, or what lies in it under a usual name."""
    path = data.expanduser()
    if not path.exists():
        raise NotFound(f"no file or folder {path}")
    return next((path / name for name in usual if (path / name).exists()), path)


def document(path: Path) -> Any:
    """The JSON document in a file."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(f"{path} is not JSON: {error}") from None


def lines(path: Path) -> list[Any]:
    """The JSON values in a file that has one a line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(f"{path} is not JSON lines: {error}") from None


def documents(path: Path) -> list[Path]:
    """The JSON files of a folder in order, or the one file that was named."""
    found = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not found:
        raise NotFound(f"no JSON file in {path}")
    return found


@contextmanager
def shaped(path: Path, expected: str) -> Iterator[None]:
    """Whatever a file lacks, or has in another form, is told as one error about that file."""
    try:
        yield
    except (KeyError, IndexError) as error:
        raise InvalidInput(f"{path} is not {expected}: no {error} where one is needed") from None
    except (TypeError, ValueError, AttributeError) as error:
        # Our own refusals are ValueErrors too, and say more.
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{path} is not {expected}: {error}") from None
