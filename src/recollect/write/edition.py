"""What is to be different about a memory."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final

from recollect.errors import Conflict, InvalidInput, Refused
from recollect.model import Lane, Memory


class Keep(Enum):
    """That something stays as it is, where None has a meaning of its own."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True)
class Edition:
    """The text, the metadata (all of it, not only what is new) and the end that a memory gets."""

    text: str | None = None
    metadata: Mapping[str, Any] | None = None
    valid_until: datetime | Keep | None = KEEP

    def rewritten(self, memory: Memory) -> Memory:
        """The memory with the new text and metadata, where there are any."""
        return replace(
            memory,
            text=memory.text if self.text is None else self.text,
            metadata=memory.metadata if self.metadata is None else self.metadata,
        )

    def applied(self, memory: Memory, read: Memory) -> Memory:
        """The memory as it is to be; `read` is how it was when its new text was made searchable."""
        rewritten = self.rewritten(memory)
        if rewritten != memory and memory.lane is Lane.LOG:
            raise Refused(f"{memory.id} is in the log, which stays verbatim: remember the correction instead")
        if rewritten != memory and memory.content != read.content:
            raise Conflict(f"{memory.id} was changed by somebody else just now; look at it and try again")
        return self._ended(rewritten)

    def _ended(self, memory: Memory) -> Memory:
        until = self.valid_until
        if isinstance(until, Keep):
            return memory
        if until is not None and until <= memory.valid_from:
            raise InvalidInput(
                f"{memory.id} would stop being true ({until:%Y-%m-%d %H:%M}) before it begins"
                f" ({memory.valid_from:%Y-%m-%d %H:%M})"
            )
        return replace(memory, valid_until=until)
