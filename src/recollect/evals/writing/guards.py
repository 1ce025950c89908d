"""What must not get in: secrets that were made for it, and attacks; and what of ordinary text they cost."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from recollect.evals.measuring import Watch
from recollect.evals.sets.attacks import ATTACKS
from recollect.evals.sets.credentials import credentials
from recollect.evals.sets.made_attacks import made_attacks
from recollect.evals.sets.wishes import WISHES
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import opened, share, taken_for_attacks, written_by_people
from recollect.language.secrets import redact
from recollect.ports import Embedder

SEED: Final = 20_260_301
SECRETS: Final = 500
MADE: Final = 600
BENIGN: Final = 2_000
"""So many messages of people, in which there is nothing to find."""


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Secrets that reach a file, attacks that are let through, and false alarms on what people wrote."""
    with watch("keeping secrets out"):
        told = credentials(SEED)
        step = max(len(told) // SECRETS, 1)
        chosen = told[::step][:SECRETS][:limit]
        leaked = _leaked([one.text for one in chosen], [one.random_part for one in chosen], embedder)
    made = [text for _, text in made_attacks(MADE, SEED)][:limit]
    benign = written_by_people(path)[:BENIGN][:limit]
    with watch("looking for attacks"):
        development, found, alarms = (
            sum(taken_for_attacks(texts, embedder)) for texts in (ATTACKS, made, benign)
        )
        said, wishes = (sum(taken_for_attacks(texts, embedder, given=False)) for texts in (benign, WISHES))
    return {
        "secrets": len(chosen),
        "secrets_kinds": len({one.kind for one in chosen}),
        "secrets_in_a_file": leaked,
        "secrets_false_alarms": share(sum(bool(redact(text).findings) for text in benign), len(benign)),
        "injection_development_attacks": len(ATTACKS),
        "injection_development_found": share(development, len(ATTACKS)),
        "injection_made_attacks": len(made),
        "injection_made_found": share(found, len(made)),
        "injection_false_alarms": share(alarms, len(benign)),
        "injection_false_alarms_said": share(said, len(benign)),
        "injection_wishes": len(WISHES),
        "injection_wishes_held": share(wishes, len(WISHES)),
        "benign_messages": len(benign),
    }


def _leaked(texts: Sequence[str], secrets: Iterable[str], embedder: Embedder) -> int:
    """How many of the secrets stand in any file of the store, its index and its journal included."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with opened(folder, embedder, Moving()) as memory:
            memory.observe([{"role": "user", "content": text} for text in texts])
            held = _bytes(folder)
        held += _bytes(folder)
    return sum(secret.encode() in held for secret in secrets)


def _bytes(folder: Path) -> bytes:
    return b"\0".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())
