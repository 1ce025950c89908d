"""The sets that can be measured, by name: where each usually lies and how it is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from recollect.errors import InvalidInput
from recollect.evals.model import Corpus, EvalSet
from recollect.evals.sets import beam, locomo, locomo_plus, multihop, realmem
from recollect.evals.sets.files import located


@dataclass(frozen=True, slots=True)
class Source:
    """How a set is read, and the names that its file or folder has in a folder of sets."""

    read: Callable[[Path], tuple[EvalSet, ...]]
    usual: tuple[str, ...]


SOURCES: Mapping[str, Source] = MappingProxyType(
    {
        "locomo": Source(locomo.read_locomo, ("locomo.json", "locomo10.json")),
        "realtalk": Source(locomo.read_realtalk, ("realtalk", "REALTALK")),
        "beam": Source(beam.read, ("beam-100k", "beam")),
        "realmem": Source(realmem.read, ("realmem",)),
        "multihop": Source(multihop.read, ("multihop",)),
        "locomo-plus": Source(locomo_plus.read, ("locomo_plus.json",)),
    }
)


def load(name: str, data: Path, limit: int | None = None) -> tuple[EvalSet, ...]:
    """The set of that name from its file, its folder, or the folder that has it under its usual name."""
    if name not in SOURCES:
        raise InvalidInput(f"no set {name!r}; there are: {', '.join(SOURCES)} and precision")
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit is a number of questions above 0, not {limit}")
    path = located(data, SOURCES[name].usual)
    found = SOURCES[name].read(path)
    if not any(corpus.questions for one in found for corpus in one.corpora):
        raise InvalidInput(f"{path} has no questions of the set {name}")
    return found if limit is None else tuple(limited(one, limit) for one in found)


def present(data: Path) -> list[str]:
    """The sets that lie in a folder under their usual names."""
    return [
        name for name, source in SOURCES.items() if any((data / usual).exists() for usual in source.usual)
    ]


def limited(whole: EvalSet, limit: int) -> EvalSet:
    """The first questions, and only the stores that they are asked of."""
    corpora: list[Corpus] = []
    for corpus in whole.corpora:
        left = limit - sum(len(one.questions) for one in corpora)
        if left > 0 and corpus.questions:
            corpora.append(replace(corpus, questions=corpus.questions[:left]))
    return replace(whole, corpora=tuple(corpora))
