"""A text in the user's own editor."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from recollect.errors import InvalidInput, NotFound

EDITORS = ("VISUAL", "EDITOR")


def edited(text: str) -> str:
    """The text as it is when the editor closes."""
    command = next((os.environ[name] for name in EDITORS if os.environ.get(name)), None)
    if command is None:
        raise InvalidInput("give the new text, or set EDITOR to edit it there")
    # For its owner alone, and gone afterwards: a memory leaves no copy behind.
    with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
        path = Path(folder) / "memory.txt"
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(command), str(path)], check=False)  # noqa: S603 - the user's own choice
        except OSError as error:
            raise NotFound(f"the editor {command!r} cannot be started: {error.strerror}") from None
        if done.returncode:
            raise InvalidInput(f"the editor ended with {done.returncode}; nothing was changed")
        return path.read_text(encoding="utf-8").removesuffix("\n")
