"""The texts that the model of attacks is trained on and measured with, each with its source (see DATA.md).

`packages` is a folder in which the packages that DATA.md lists are unpacked, a folder each; `data` has the public sets.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from training import injection_attacks, injection_benign

SHORTEST = 12
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Text:
    """A text, where it comes from, and whether it is an attack."""

    text: str
    source: str
    attack: bool


def attacks(packages: Path, seed: int) -> Iterator[Text]:
    """Attacks whose licence allows shipping what is learnt from them."""
    for source, read in injection_attacks.ATTACKS.items():
        yield from _texts(source, read(packages, _chance(seed, source)), attack=True)


def foreign_attacks(packages: Path, seed: int) -> Iterator[Text]:
    """Attacks that are only measured with: no licence, one that binds, or kept for measuring."""
    for source, read in injection_attacks.FOREIGN.items():
        yield from _texts(source, read(packages, _chance(seed, source)), attack=True)


def benign(packages: Path, data: Path, seed: int) -> Iterator[Text]:
    """Ordinary texts whose licence allows it, look-alikes among them."""
    for source, read in injection_benign.BENIGN.items():
        yield from _texts(source, read(packages, data, _chance(seed, source)), attack=False)


def foreign_benign(packages: Path, data: Path, seed: int) -> Iterator[Text]:
    """Ordinary texts that are only measured with."""
    for source, read in injection_benign.FOREIGN.items():
        yield from _texts(source, read(packages, data, _chance(seed, source)), attack=False)


def _chance(seed: int, source: str) -> Random:
    """Each source's own: what is added elsewhere changes no choice among its texts."""
    return Random(f"{seed} {source}")


def _texts(source: str, found: Iterable[str], *, attack: bool) -> Iterator[Text]:
    for text in dict.fromkeys(one.strip() for one in found if isinstance(one, str)):
        if len(text) >= SHORTEST:
            yield Text(text[:LONGEST], source, attack)
