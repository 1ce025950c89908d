"""Attacks that somebody else wrote, and ordinary texts beside them: how many of each are held back.

A folder of JSON files (a list) or JSON lines: texts, or objects with `text`, `prompt` or `user_input`. One with `attack`,
`label` or `is_injection` that says no is ordinary; everything else is an attack.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.evals.measuring import Watch
from recollect.evals.sets.files import document, lines
from recollect.evals.writing.trial import share, taken_for_attacks
from recollect.ports import Embedder

_TEXTS: Final = ("text", "prompt", "user_input", "input", "content")
_LABELS: Final = ("attack", "label", "is_injection")
_NO: Final = frozenset({"0", "false", "no", "benign", "safe", "none"})


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """The shares of all files together, and of each."""
    told: dict[str, Any] = {}
    found: list[tuple[bool, bool]] = []
    files = sorted(file for file in path.iterdir() if file.suffix in {".json", ".jsonl"})
    with watch("looking for attacks"):
        for file in files:
            rows = _read(file)[:limit]
            held = taken_for_attacks([text for text, _ in rows], embedder)
            own = [(is_attack, one) for (_, is_attack), one in zip(rows, held, strict=True)]
            told |= _shares(own, f"injection_{file.stem}")
            found += own
    return told | _shares(found, "injection_given")


def _shares(found: list[tuple[bool, bool]], name: str) -> dict[str, Any]:
    attacks = [held for is_attack, held in found if is_attack]
    ordinary = [held for is_attack, held in found if not is_attack]
    told: dict[str, Any] = {}
    if attacks:
        told |= {f"{name}_attacks": len(attacks), f"{name}_found": share(sum(attacks), len(attacks))}
    if ordinary:
        told |= {
            f"{name}_benign": len(ordinary),
            f"{name}_false_alarms": share(sum(ordinary), len(ordinary)),
        }
    return told


def _read(file: Path) -> list[tuple[str, bool]]:
    rows = lines(file) if file.suffix == ".jsonl" else document(file)
    if not isinstance(rows, list):
        raise InvalidInput(f"{file} is not a list of texts")
    return list(_texts(rows, file))


def _texts(rows: list[Any], file: Path) -> Iterator[tuple[str, bool]]:
    for row in rows:
        if isinstance(row, str):
            yield row, True
            continue
        named = row if isinstance(row, dict) else {}
        text = next((named[name] for name in _TEXTS if isinstance(named.get(name), str)), None)
        if text is None:
            raise InvalidInput(f"{file} has an entry without a text: it takes one of {', '.join(_TEXTS)}")
        label = next((named[name] for name in _LABELS if name in named), True)
        yield text, str(label).casefold() not in _NO
