"""Secrets and credentials out of a text, before it is written anywhere.

Formats of known credentials and the patterns of detect-secrets find what has a form of its own; words such as
password or token find what stands beside them; entropy finds what is too random to be language.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from recollect.language.ignored_paths import content_is_ignored
from recollect.language.secret_rules import fold

if TYPE_CHECKING:
    from recollect.language.secret_detectors import Detector

__all__ = ["Finding", "Redaction", "content_is_ignored", "redact"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One secret that was taken out: what it was and how it was known, never the secret."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its secrets, and what was found in the order of the text."""

    text: str
    findings: tuple[Finding, ...]


class _Secret(NamedTuple):
    start: int
    end: int
    rank: int
    finding: Finding


_PLACEHOLDER: Final = r"(\[redacted:[a-z0-9-]{1,40}\])"
_ESCAPED_SPACE: Final = r"\\[nrt]"
# Taking a secret out can uncover another; texts made to go on for ever are left after this.
_MAX_ROUNDS: Final = 8


def redact(text: str) -> Redaction:
    """Replace each secret by [redacted:KIND]; a redacted text stays as it is.

    >>> redact("The wifi password is kedi-1234.")
    Redaction(text='The wifi password is [redacted:password].', findings=(Finding(kind='password', reason='is said to be the password'),))
    >>> redact("Nothing to hide here.").findings
    ()
    """
    from recollect.language.secret_detectors import worth_trying  # noqa: PLC0415 - its many patterns load on first use

    findings: tuple[Finding, ...] = ()
    for _ in range(_MAX_ROUNDS):
        detectors = worth_trying(text)
        if not detectors:
            break
        # What was taken out before is never read again, neither as a secret nor as a sign of one.
        pieces = re.split(_PLACEHOLDER, text)
        found = [
            _without_secrets(piece, detectors) if place % 2 == 0 else (piece, ())
            for place, piece in enumerate(pieces)
        ]
        new = tuple(finding for _, of_piece in found for finding in of_piece)
        if not new:
            break
        text = "".join(piece for piece, _ in found)
        findings += new
    return Redaction(text, findings)


def _without_secrets(text: str, detectors: list[tuple[int, "Detector"]]) -> tuple[str, tuple[Finding, ...]]:
    # Line ends that were escaped, as in JSON inside a log, must not stick to the word after them.
    unescaped = re.sub(_ESCAPED_SPACE, " \n", text)
    folded = fold(unescaped)
    secrets = _merged(
        _Secret(start, end, rank, Finding(detector.kind, detector.reason))
        for rank, detector in detectors
        for start, end in detector.spans(unescaped, folded)
        if end > start
    )
    kept, at = [], 0
    for secret in secrets:
        kept += [text[at : secret.start], f"[redacted:{secret.finding.kind}]"]
        at = secret.end
    return "".join([*kept, text[at:]]), tuple(secret.finding for secret in secrets)


def _merged(secrets: Iterator[_Secret]) -> list[_Secret]:
    """Make one secret of those that overlap, named by the surest rule."""
    merged: list[_Secret] = []
    for secret in sorted(secrets):
        if merged and secret.start < merged[-1].end:
            last = merged.pop()
            surest = min(last, secret, key=lambda one: one.rank)
            secret = surest._replace(start=last.start, end=max(last.end, secret.end))  # noqa: PLW2901
        merged.append(secret)
    return merged
