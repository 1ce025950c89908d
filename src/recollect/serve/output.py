"""What a command prints: one JSON document, or text for a person."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType

from recollect.errors import StoreFull
from recollect.serve.options import Common

if TYPE_CHECKING:
    from recollect.ports import Progress

PIPE_WIDTH = 1_000_000
"""Nothing is wrapped or cut where the output is read by a program."""


def printed(common: Common, value: Any, shown: Callable[[], RenderableType]) -> None:
    """Prints a result either way; `shown` makes the text for a person and is called only for one."""
    with told_out():
        if common.json:
            print(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False), flush=True)
            return
        to = console()
        if to.is_terminal:
            to.print(shown())
            return
        with to.capture() as kept:
            to.print(shown(), soft_wrap=True)
        # Tables fill their last column with spaces, which only a terminal hides.
        print("\n".join(line.rstrip() for line in kept.get().rstrip("\n").split("\n")), flush=True)


@contextmanager
def told_out() -> Iterator[None]:
    """Where standard output takes nothing, that is an error of ours; where its reader has seen enough, it is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StoreFull(f"standard output cannot be written: {error.strerror}") from error


def console(*, stderr: bool = False) -> Console:
    """Rich, as the stream can show it: plain where it is no terminal, without colours where NO_COLOR is set."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


@contextmanager
def progress(label: str) -> "Iterator[Progress | None]":
    """A bar on standard error while something long goes on; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415 - only a terminal pays for it

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
