"""Who or what a statement is about."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from recollect.language.claim_clauses import Clause
from recollect.language.claim_frames import Grammar

SPEAKER, GROUP = "speaker", "group"
_NAME: Final = re.compile(r"[^\W\d_][\w'’.-]*|\d[\w.]*")


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject as claims are keyed by it, and what kind of words named it.

    A name means one thing wherever it stands; "the man" means another one each time. `about`: the words around a
    name that describe it. `proper`: it starts and ends with a capital.
    """

    name: str
    kind: Literal["pronoun", "name", "own", "common"]
    about: str = ""
    proper: bool = False

    @property
    def certain(self) -> bool:
        return self.kind != "common"


def subject_of(part: Clause, grammar: Grammar) -> Subject | None:
    """The subject that a stretch of a clause names; None where it is anyone or anything."""
    known = grammar.subjects.get(part.folded)
    if known is not None:
        return Subject(known, "pronoun")
    if _anyone(part, grammar):
        return None
    owner, _, owned = part.folded.partition(" ")
    if owned and owner in grammar.subjects and not titled(part):
        return Subject(f"{grammar.subjects[owner]} {owned}", "own")
    article = grammar.reading["articles"].match(part.folded)
    rest = part.cut(article.end()) if article else part
    if article and not any(letter.isupper() or letter.isdigit() for letter in rest.written):
        return Subject(rest.folded, "common") if rest.folded else None
    words = rest.written.split()
    proper = words[0][0].isupper() and not words[-1][0].islower()
    return Subject(grammar.reading["possessive"].sub("", rest.folded), "name", proper=proper)


def _anyone(part: Clause, grammar: Grammar) -> bool:
    if not part.folded or (grammar.reading["subject_is_not"].match(part.folded) and not titled(part)):
        return True
    return any(plain(part, match) for match in grammar.reading["subject_breaks"].finditer(part.folded))


def around(part: Clause, grammar: Grammar) -> Subject | None:
    """The name inside a description, and the description around it: the head of the Xland government."""
    words = [match for match in _NAME.finditer(part.written) if match.start() > 0]
    names = [match for match in words if match[0][0].isupper() or match[0][0].isdigit()]
    if not names:
        return None
    start, end = names[0].start(), names[-1].end()
    name = grammar.reading["possessive"].sub("", part.folded[start:end])
    return Subject(
        name, "name", about=grammar.reading["loose"].sub("", f"{part.folded[:start]}{part.folded[end:]}")
    )


def titled(part: Clause) -> bool:
    """Whether the first two words have capitals: Two Women, This Is Water."""
    words = part.written.split()
    return len(words) > 1 and words[0][:1].isupper() and words[1][:1].isupper() and len(words[1]) > 1


def plain(part: Clause, match: re.Match[str]) -> bool:
    """Whether the words stand in lower case; with a capital they, or what follows them, are part of a name."""
    word = part.written[match.start() : match.end()]
    following = part.written[match.end() : match.end() + 1]
    return word == word.lower() and not (word == ", " and (following.isupper() or following.isdigit()))
