"""Secrets and credentials out of a text, before it is written anywhere.

Formats of known credentials and the patterns of detect-secrets find what has a form of its own; words such as
password or token find what stands beside them; entropy finds what is too random to be language.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from recollect.language.ignored_paths import content_is_ignored

if TYPE_CHECKING:
    from recollect.language.secret_detectors import Secret

__all__ = ["Finding", "Redaction", "content_is_ignored", "redact"]

_PLACEHOLDER: Final = r"(\[redacted:[a-z0-9-]{1,40}\])"
# Taking a secret out can uncover another beside it; a text made to go on for ever is left after this.
_MAX_DEPTH: Final = 8


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


class _Unread(NamedTuple):
    text: str
    depth: int = 0


def redact(text: str) -> Redaction:
    """Replace each secret by [redacted:KIND]; a redacted text stays as it is.

    >>> redact("The wifi password is kedi-1234.").text
    'The wifi password is [redacted:password].'
    >>> redact("The wifi password is kedi-1234.").findings
    (Finding(kind='password', reason='is said to be the password'),)
    """
    # Its many patterns load on the first call, so that importing this module stays cheap.
    from recollect.language.secret_detectors import secrets_in, worth_trying  # noqa: PLC0415

    detectors = worth_trying(text)
    if not detectors:
        return Redaction(text, ())
    # What was taken out before is never read again, neither as a secret nor as a sign of one.
    pieces = enumerate(re.split(_PLACEHOLDER, text))
    todo: list[_Unread | str | Finding] = [piece if place % 2 else _Unread(piece) for place, piece in pieces]
    todo.reverse()
    kept: list[str] = []
    findings: list[Finding] = []
    while todo:
        part = todo.pop()
        if isinstance(part, _Unread):
            secrets = secrets_in(part.text, detectors) if part.depth < _MAX_DEPTH else []
            todo += reversed(_parts(part, secrets))
        elif isinstance(part, Finding):
            kept.append(f"[redacted:{part.kind}]")
            findings.append(part)
        else:
            kept.append(part)
    return Redaction("".join(kept), tuple(findings))


def _parts(whole: _Unread, secrets: "list[Secret]") -> list[_Unread | str | Finding]:
    """What a text becomes: itself, when nothing is found; else findings and what is between, to be read again."""
    if not secrets:
        return [whole.text]
    parts: list[_Unread | str | Finding] = []
    at = 0
    for secret in secrets:
        parts += [
            _Unread(whole.text[at : secret.start], whole.depth + 1),
            Finding(secret.kind, secret.reason),
        ]
        at = secret.end
    return [*parts, _Unread(whole.text[at:], whole.depth + 1)]
