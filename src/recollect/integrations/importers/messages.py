"""Plain messages as JSON lines: `role` and `content`, and if there are any `session`, `timestamp`, `name`, `id`."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.integrations.importers.files import files, lines
from recollect.integrations.importers.values import Conversation, Item, Part, Problem, Said
from recollect.write.messages import message_from

NAME = "*.jsonl"
SESSION_KEYS = ("session", "session_id", "conversation_id", "thread_id")


def parts(path: Path) -> list[Part]:
    """A part a file."""
    return [partial(_file, file) for file in files(path, NAME)]


def _file(path: Path) -> Iterator[Item]:
    said: list[tuple[str, Said]] = []
    for found in lines(path):
        if isinstance(found, Problem):
            yield found
            continue
        number, line = found
        try:
            message = message_from({**line, "metadata": None})
        except InvalidInput as error:
            yield Problem(f"{path}:{number}", str(error))
            continue
        session = next((str(line[key]) for key in SESSION_KEYS if line.get(key) is not None), path.stem)
        if message.text.strip():
            name = str(line.get("id") or number)
            said.append((session, Said(name, message.role, message.text, message.at, message.speaker)))
    # Sorting is stable: the messages of a session stay in their order.
    for session, told in groupby(sorted(said, key=lambda one: one[0]), key=lambda one: one[0]):
        yield Conversation(session, tuple(one for _, one in told))
