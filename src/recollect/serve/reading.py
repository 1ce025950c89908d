"""Text from standard input and from files: UTF-8, or a clear error."""

import sys
from pathlib import Path
from typing import TextIO

from recollect.errors import InvalidInput, NotFound

STANDARD = "-"


def text_from(source: str | None) -> str:
    """The text of a file; of standard input for `-` or nothing."""
    return standard_input() if source in (None, STANDARD) else _file(Path(str(source)))


def given_or_read(text: str | None) -> str:
    """The text that was given; standard input for `-` or nothing, without the line break that ends it."""
    if text not in (None, STANDARD):
        return str(text)
    return standard_input().removesuffix("\n").removesuffix("\r")


def standard_input() -> str:
    """All of standard input."""
    stream = open_input()
    if at_keyboard():
        print("reading standard input; end it with Ctrl-D", file=sys.stderr)
    return _decoded(stream.buffer.read(), "standard input")


def open_input() -> TextIO:
    """Standard input, unless it is closed."""
    if sys.stdin is None:
        raise InvalidInput("standard input is closed: give what is to be read, or a file")
    return sys.stdin


def at_keyboard() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def agreed(question: str) -> bool:
    """Asks on standard error, so that standard output holds the result alone."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _file(path: Path) -> str:
    path = path.expanduser()
    try:
        return _decoded(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{name} is not UTF-8 text: byte 0x{content[error.start]:02x} at {error.start}"
        ) from None
