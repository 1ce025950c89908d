"""Who and what a text names: technologies, organisations, products, places, people, and things with a form."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from recollect.language.known import given_names, lexicon, starts, stem, words
from recollect.language.lexicon import fold, tables
from recollect.language.phrases import flat, pattern
from recollect.language.tongue import tongue

MAX_ENTITIES: Final = 8
UNKNOWN: Final = "name"

# One name is seldom longer than this, and neither is what is said before it to tell what it is.
_LONGEST_NAME_WORDS: Final = 5
_CONTEXT_CHARACTERS: Final = 60

_TOKEN: Final = re.compile(r"(?:(?<![^\s(])\.)?[^\W_]+(?:[.&][^\W_]+)*(?:\+\+|#)?")
_ENDING: Final = re.compile(r"['’ʼ＇][^\W\d_]{1,12}(?![^\W_])")
_FORMS: Final = {
    "url": re.compile(r"https?://[^\s<>\"'`]{4,200}(?<![.,;:!?)])"),
    "email": re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{2,63}){1,4}(?!\w)"),
    "file": re.compile(
        r"(?<![\w/.@-])[~/]?(?:[\w.@-]{1,80}+/){1,12}[\w@-][\w@-]{0,80}\.[A-Za-z]\w{0,9}(?!\w)"
        r"|(?<![\w/.@-])[\w-]{1,80}\.(?:py|js|ts|tsx|jsx|rs|go|java|md|toml|ya?ml|json|sql|sh|csv|txt|html|css|ini|cfg)(?!\w)"
    ),
    "version": re.compile(
        r"(?<![\w.])v\d{1,4}(?:\.\d{1,6}){1,3}(?![\w.]*\w)|(?<![\w.])\d{1,4}\.\d{1,6}\.\d{1,6}(?!\.?\w)"
    ),
}
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?…:;\n\"“(\]*•>-])[\s\"“'‘(*_]{0,9}$")


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a text names, and where."""

    kind: str
    name: str
    start: int
    end: int

    @property
    def id(self) -> str:
        """The same for every spelling: `entity://kind/slug`.

        >>> Entity("tech", "C++", 0, 3).id
        'entity://tech/cpp'
        """
        return f"entity://{self.kind}/{slug(self.name)}"


class _Token(NamedTuple):
    flat: str
    text: str
    start: int
    end: int
    """Where the token ends, without what follows an apostrophe."""
    after: int
    """Where it ends with that."""


def slug(name: str) -> str:
    """A name as it stands in an id.

    >>> slug("Boğaziçi Üniversitesi"), slug(".NET"), slug("C#")
    ('bogazici-universitesi', 'dotnet', 'csharp')
    """
    spelt = re.sub(r"^\.", "dot", fold(name)).replace("+", "p").replace("#", "sharp")
    return re.sub(r"[\W_]+", "-", spelt).strip("-")[:80] or "unnamed"


# A statement is looked at for what it tells, for what kind it is and for what it names.
@lru_cache(maxsize=256)
def entities(text: str, limit: int = MAX_ENTITIES) -> tuple[Entity, ...]:
    """What the text names, each once, in its order; the best known where there are more than the limit.

    >>> [e.id for e in entities("Ada moved our k8s cluster from AWS to İstanbul'daki sunucular.")]
    ['entity://person/ada', 'entity://tech/kubernetes', 'entity://tech/aws', 'entity://place/istanbul']
    """
    formed = [
        Entity(kind, m.group(), *m.span()) for kind, form in _FORMS.items() for m in form.finditer(text)
    ]
    formed = list(_disjoint(formed))
    known, rest = _known(text, _tokens(_without(text, formed)))
    best_first = [*known, *formed, *_named(text, rest)]
    unique: dict[str, Entity] = {}
    for entity in sorted(best_first, key=lambda entity: entity.kind == UNKNOWN):
        unique.setdefault(slug(entity.name), entity)
    return tuple(sorted(list(unique.values())[:limit], key=lambda entity: entity.start))


def _tokens(text: str) -> list[_Token]:
    found, at, folded = [], 0, flat(text)
    for match in _TOKEN.finditer(text):
        if match.start() < at:
            continue
        ending = _ENDING.match(text, match.end())
        at = ending.end() if ending else match.end()
        found.append(_Token(folded[match.start() : match.end()], match.group(), *match.span(), at))
    return found


def _without(text: str, formed: list[Entity]) -> str:
    """The text with bars where these stand, so that nothing inside them is taken for a name."""
    parts, at = [], 0
    for entity in formed:
        parts += [text[at : entity.start], "|" * (entity.end - entity.start)]
        at = entity.end
    return "".join([*parts, text[at:]])


def _disjoint(formed: list[Entity]) -> Iterator[Entity]:
    """Each place in the text once: an address is not a file too."""
    end = 0
    for entity in sorted(formed, key=lambda entity: (entity.start, -entity.end)):
        if entity.start >= end:
            yield entity
            end = entity.end


def _known(text: str, tokens: list[_Token]) -> tuple[list[Entity], list[_Token | None]]:
    """What the lexicon knows, and the other tokens with None where something known stood."""
    found: list[Entity] = []
    rest: list[_Token | None] = []
    language, at = tongue(text), 0
    while at < len(tokens):
        longest = starts().get(tokens[at].flat, int(tokens[at].text[0].isupper()))
        for count in range(min(longest, len(tokens) - at), 0, -1):
            entity = _lookup(text, tokens[at : at + count], language)
            if entity is not None:
                found.append(entity)
                rest.append(None)
                at += count
                break
        else:
            rest.append(tokens[at])
            at += 1
    return found, rest


def _lookup(text: str, run: list[_Token], language: str) -> Entity | None:
    if any(text[a.after : b.start] not in {" ", "-"} or a.after != a.end for a, b in itertools.pairwise(run)):
        return None
    first, last = run[0], run[-1]
    ending = stem(last.flat, language) if first.text[0].isupper() else last.flat
    key = " ".join([*(token.flat for token in run[:-1]), ending])
    known = lexicon().get(key)
    if known is None or (key in words("ambiguous") and not _stands_as_name(text, first, known.name)):
        return None
    if key.isdigit() or (len(key) < 3 and not first.text.isupper() and first.text != known.name):
        return None
    return Entity(known.kind, known.name, first.start, last.end - (len(last.flat) - len(ending)))


def _stands_as_name(text: str, token: _Token, name: str) -> bool:
    written = token.text.isupper() if name.isupper() else token.text[0].isupper()
    return written and not _starts_sentence(text, token.start)


def _starts_sentence(text: str, at: int) -> bool:
    return _SENTENCE_START.search(text[max(0, at - 10) : at]) is not None if at else True


def _named(text: str, tokens: list[_Token | None]) -> Iterator[Entity]:
    """Runs of capitalised words that nothing knows."""
    mid_sentence = {
        t.flat for t in tokens if t and t.text[0].isupper() and not _starts_sentence(text, t.start)
    }
    run: list[_Token] = []
    for token in [*tokens, None]:
        if run and (token is None or not _continues(text, run[-1], token) or len(run) == _LONGEST_NAME_WORDS):
            yield from _name(text, run, mid_sentence)
            run = []
        if token is not None and _may_name(token):
            run.append(token)


def _may_name(token: _Token) -> bool:
    return token.text[0].isupper() and token.flat not in words("common")


def _continues(text: str, last: _Token, token: _Token) -> bool:
    return last.after == last.end and text[last.end : token.start] == " " and _may_name(token)


def _name(text: str, run: list[_Token], mid_sentence: set[str]) -> Iterator[Entity]:
    people = given_names()
    if (
        len(run) > 1
        and _starts_sentence(text, run[0].start)
        and run[0].flat not in people
        and run[1].flat in people
    ):
        run = run[1:]
    first, last = run[0], run[-1]
    kind = _kind(text, run)
    if all(len(token.text) == 1 or token.text.isupper() for token in run) and kind == UNKNOWN:
        return
    if len(run) == 1 and _starts_sentence(text, first.start):
        sure = kind != UNKNOWN or last.after != last.end or first.flat in mid_sentence
        if not sure or (first.flat in words("ambiguous") and first.flat not in people):
            return
    yield Entity(kind, text[first.start : last.end], first.start, last.end)


def _kind(text: str, run: list[_Token]) -> str:
    for kind, endings in _suffixes().items():
        if len(run) > 1 and run[-1].flat in endings:
            return kind
    if run[0].flat in given_names():
        return "person"
    before = flat(text[max(0, run[0].start - _CONTEXT_CHARACTERS) : run[0].start])
    after = flat(text[run[-1].end : run[-1].end + _CONTEXT_CHARACTERS])
    for kind, (said_before, said_after) in _contexts().items():
        if said_before.search(before) or said_after.match(after):
            return kind
    return UNKNOWN


@cache
def _suffixes() -> dict[str, frozenset[str]]:
    each = tables("entities").values()
    return {kind: frozenset(flat(w) for t in each for w in t["suffixes"][kind]) for kind in ("org", "place")}


@cache
def _contexts() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    return {kind: (_said("before", kind), _said("after", kind)) for kind in ("person", "org", "place")}


def _said(where: str, kind: str) -> re.Pattern[str]:
    return pattern(
        said for table in tables("entities").values() for said in table.get(where, {}).get(kind, ())
    )
