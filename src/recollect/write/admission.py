"""What may be written at all, and in which form: secrets' files, personal data, and who may write what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from recollect.language.ignored_paths import content_is_ignored
from recollect.language.pii import LABELS, masked, personal
from recollect.model import Memory
from recollect.ports import Guard
from recollect.write.policy import PERSONAL_DATA
from recollect.write.rules import Rule, denial

LABEL: Final = "personal_data"
"""Where the metadata names the personal data that a text has, or had before it was masked."""
STORE, MASK, REFUSE = PERSONAL_DATA
PATH_KEYS: Final = ("path", "file", "file_path", "filename")


@dataclass(frozen=True, slots=True)
class Admission:
    """What the settings say about writing."""

    personal_data: str = STORE
    rules: tuple[Rule, ...] = ()
    ignore_files: bool = True
    quarantine: bool = True
    """Whether what attacks is kept asleep."""
    guard: Guard | None = None
    """What is asked where a text may be an attack or not."""

    def refusal(self, memory: Memory) -> str | None:
        """Why a memory is not written, or None where it is."""
        return denial(memory, self.rules) or self.ignored(memory.metadata) or self._personal(memory.text)

    def ignored(self, metadata: Mapping[str, Any]) -> str | None:
        """Why nothing of the file that something comes from is kept, if it names one that is not to be kept."""
        for path in _paths(metadata):
            if (reason := content_is_ignored(path)) is not None:
                return f"{path}: {reason}"
            if self.ignore_files and (by := _ignored_by(path)) is not None:
                return f"{path}: it is ignored by {by} (privacy.ignore_files)"
        return None

    def admitted(self, memory: Memory) -> Memory:
        """The memory as it may be written: its personal data labelled, and masked unless it may be stored."""
        labels = labels_in(memory.text)
        # A text that was edited may have lost what it had.
        metadata = {name: value for name, value in memory.metadata.items() if name != LABEL}
        metadata |= {LABEL: list(labels)} if labels else {}
        if self.personal_data == STORE:
            return memory if metadata == memory.metadata else replace(memory, metadata=metadata)
        return replace(memory, text=masked(memory.text), metadata=_masked(metadata))

    def _personal(self, text: str) -> str | None:
        if self.personal_data != REFUSE or not (labels := labels_in(text)):
            return None
        return f"it has personal data: {', '.join(labels)} (privacy.personal_data)"


def labels_in(text: str) -> tuple[str, ...]:
    """Which personal data a text has, or had before it was masked."""
    found = [one.label for one in personal(text)]
    before = [label for label in LABELS if f"[{label}]" in text] if "[" in text else []
    return tuple(dict.fromkeys([*found, *before]))


def _paths(metadata: Mapping[str, Any]) -> Iterator[str]:
    """The paths that are named in metadata, and in what an event brought with it."""
    for name, value in metadata.items():
        if isinstance(value, str) and value and name in PATH_KEYS:
            yield value
        elif isinstance(value, Mapping):
            yield from _paths(value)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {name: _masked(one) for name, one in value.items()}
    return [_masked(one) for one in value] if isinstance(value, list) else value


def _ignored_by(path: str) -> str | None:
    from recollect.write.ignoring import ignored_by  # noqa: PLC0415 - only what comes from a file pays for it

    return ignored_by(path)
