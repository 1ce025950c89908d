"""How a command ends: with an exit code and, where it failed, one line that says what happened."""

import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from recollect.errors import InvalidInput, RecollectError
from recollect.serve.exits import DONE, FAILED, INTERRUPTED, UNEXPECTED, WRONG_USAGE, outcome

DEBUG = "RECOLLECT_DEBUG"
SURROGATES = re.compile("[\ud800-\udfff]")


def ended(words: Sequence[str], run: Callable[[list[str]], int | None]) -> int:
    """Runs a command line and tells its failure; gives back the exit code."""
    _open_closed()
    _speak_utf8()
    as_json = "--json" in words[: words.index("--")] if "--" in words else "--json" in words
    try:
        code = run(list(_texts(words))) or DONE
    except KeyboardInterrupt:
        code = INTERRUPTED
    except RecollectError as error:
        _trace(error)
        _tell(type(error).__name__, str(error), as_json=as_json)
        return outcome(error).exit_code
    except typer.TyperException as error:
        _tell(InvalidInput.__name__, _usage(error), as_json=as_json)
        return WRONG_USAGE
    except typer.Abort:
        _tell("Interrupted", "stopped; nothing was done", as_json=as_json)
        return FAILED
    except Exception as error:  # noqa: BLE001 - the last line of defence: a user never sees a traceback unasked
        _trace(error)
        reason = f"{type(error).__name__}: {error} (unexpected; {DEBUG}=1 shows where)"
        _tell(type(error).__name__, reason, as_json=as_json)
        return UNEXPECTED.exit_code
    # Typer makes Ctrl-C a code too.
    if code == INTERRUPTED:
        _tell("Interrupted", "interrupted; what was acknowledged is kept", as_json=as_json)
    return code


def let_go() -> None:
    """What a stream is too full to take is let go: leaving the process, Python would try again, and fail by its own code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _open_closed() -> None:
    """What a shell has closed goes nowhere, and no file of ours gets its number."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open until the process ends


def _texts(words: Sequence[str]) -> Iterator[str]:
    """The words as UTF-8, whatever the locale: bytes that it has no letters for come as lone surrogates."""
    for place, word in enumerate(words, 1):
        try:
            yield word if word.isascii() or not SURROGATES.search(word) else os.fsencode(word).decode()
        except UnicodeError:
            raise InvalidInput(f"argument {place} is not valid UTF-8: {ascii(word)[:80]}") from None


def _speak_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _tell(kind: str, message: str, *, as_json: bool) -> None:
    line = " ".join(message.split())
    if as_json:
        with suppress(OSError):
            print(json.dumps({"error": {"type": kind, "message": line}}, ensure_ascii=False), flush=True)
            return
    with suppress(OSError):  # where nothing can be written, the exit code tells it
        print(f"error: {line}", file=sys.stderr, flush=True)


def _usage(error: typer.TyperException) -> str:
    """What was wrong, and where to read on."""
    context = getattr(error, "ctx", None)
    hint = f" (see `{context.command_path} --help`)" if context is not None else ""
    return error.format_message().replace("Value error, ", "") + hint


def _trace(error: Exception) -> None:
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
