"""Whom a pronoun means, said in its place: only where nobody else can be meant."""

import re
from collections import deque
from functools import cache, lru_cache
from itertools import islice
from typing import Final, NamedTuple

from recollect.language.endings import ended
from recollect.language.entities import UNKNOWN, entities
from recollect.language.known import given_names
from recollect.language.lexicon import tables
from recollect.language.phrases import either, flat, pattern

# Whom it was about longer ago than this, a reader would not think of.
_REACH_CLAUSES: Final = 3
_READ_CHARACTERS: Final = 600
_MOST_KIN: Final = 8
# "my sister Ada", "my sister is called Ada".
_BESIDE_CHARACTERS: Final = 12
_ANYONE: Final = "either"


class Person(NamedTuple):
    """Somebody a pronoun can mean, as they were called."""

    name: str
    gender: str
    unnamed: bool = False
    """Whether a noun alone introduces them, or an animal: "a new neighbour", "her dog". Nobody could tell which."""


class Resolved(NamedTuple):
    """A clause, and whether it still starts with a pronoun that points elsewhere."""

    text: str
    dangling: bool


class _Rules(NamedTuple):
    subject: re.Pattern[str]
    possessive: re.Pattern[str]
    object: re.Pattern[str]
    kin: re.Pattern[str]
    unnamed: re.Pattern[str]
    any: re.Pattern[str]
    open: re.Pattern[str]
    name: re.Pattern[str]


class Coreference:
    """The people of a conversation so far, in the order of its clauses."""

    def __init__(self, people: tuple[Person, ...] = ()) -> None:
        # People are looked for when a pronoun asks for one: most clauses have none.
        self._before: tuple[Person, ...] = people
        self._recent: deque[tuple[str, str]] = deque(maxlen=_REACH_CLAUSES)
        self._clauses = 0

    def resolve(self, clause: str, language: str) -> Resolved:
        """The clause with its pronoun named, where one person of the last clauses fits it.

        >>> talk = Coreference()
        >>> [talk.resolve(c, "en").text for c in ("Ada lives in Rome", "She works at Acme", "her dog is Max")]
        ['Ada lives in Rome', 'Ada works at Acme', "Ada's dog is Max"]
        """
        rules = _rules(language)
        folded = flat(clause)
        text = clause
        if rules.any.search(folded):
            text = self._named(clause, folded, language)
        self._recent.append((text, language))
        self._clauses += 1
        return Resolved(text, rules.open.match(flat(text)) is not None)

    def _named(self, clause: str, folded: str, language: str) -> str:
        table, rules = tables("pronouns")[language], _rules(language)
        for role, found in (
            ("subject", rules.subject.match(folded)),
            ("possessive", rules.possessive.match(folded)),
        ):
            if found and (person := self._only(table[role][found["pronoun"]], folded[found.end() :])):
                if role == "possessive" and _proper(person) and rules.name.match(folded, found.end()):
                    return clause  # Whoever has a name is not told by another one.
                form = (
                    table["possessive_form"] if role == "possessive" else "{name}" + _rest(found["pronoun"])
                )
                return _put(clause, found, ended(form, person.name, language, proper=_proper(person)))
        found = rules.object.search(folded)
        person = self._only(table["object"][found["pronoun"]]) if found else None
        if found and person and all(one.unnamed for one in people_in(clause, language)):
            return _put(clause, found, person.name)
        return clause

    def _only(self, gender: str, rest: str = "") -> Person | None:
        """Who alone fits; what is named right after, as in "her dog", is not who has it."""
        before = self._before if self._clauses < _REACH_CLAUSES else ()
        said = [person for clause in self._recent for person in people_in(*clause)]
        people = {person.name: person for person in (*before, *said)}
        fitting = [
            one
            for one in people.values()
            if (gender == _ANYONE or one.gender in {gender, _ANYONE})
            and not (one.unnamed and re.match(rf"{re.escape(one.name)}\b", rest))
        ]
        return fitting[0] if len(fitting) == 1 and not fitting[0].unnamed else None


def _rest(pronoun: str) -> str:
    """What a pronoun was contracted with."""
    return pronoun[pronoun.index("'") :] if "'" in pronoun else ""


def _proper(person: Person) -> bool:
    return " " not in person.name and person.name[:1].isupper()


def _put(clause: str, found: re.Match[str], name: str) -> str:
    start, end = found.span("pronoun")
    return clause[:start] + (name[:1].upper() if start == 0 else name[:1]) + name[1:] + clause[end:]


@lru_cache(maxsize=64)
def people_in(clause: str, language: str) -> tuple[Person, ...]:
    """Who is spoken of in a clause: by name, by kinship, or by both at once.

    >>> people_in("My sister Zeynep met Tom", "en")
    (Person(name='Zeynep', gender='f', unnamed=False), Person(name='Tom', gender='m', unnamed=False))
    """
    # A name that nothing knows is taken for a person's where it is the subject.
    named = [
        e
        for e in entities(clause[:_READ_CHARACTERS])
        if e.kind == "person" or (e.kind == UNKNOWN and not e.start)
    ]
    found: list[Person] = []
    rules, folded = _rules(language), flat(clause[:_READ_CHARACTERS])
    for match in islice(rules.kin.finditer(folded), _MOST_KIN):
        beside = next((e for e in named if 0 <= e.start - match.end() <= _BESIDE_CHARACTERS), None)
        found.append(Person(beside.name if beside else match.group(), _kin_genders(language)[match["kin"]]))
        named = [e for e in named if e is not beside]
    for match in islice(rules.unnamed.finditer(folded), _MOST_KIN):
        noun = match["noun"]
        if not any(0 <= e.start - match.end() <= 1 for e in named):
            found.append(Person(noun, _noun_genders(language)[noun], unnamed=True))
    return (*found, *(Person(e.name, given_names().get(flat(e.name.split()[0]), _ANYONE)) for e in named))


@cache
def _kin_genders(language: str) -> dict[str, str]:
    return {word: gender for gender, words in tables("pronouns")[language]["kin"].items() for word in words}


@cache
def _noun_genders(language: str) -> dict[str, str]:
    nouns = tables("pronouns")[language].get("nouns", {})
    return {word: gender for gender, words in nouns.items() for word in words} | _kin_genders(language)


@cache
def _rules(language: str) -> _Rules:
    table = tables("pronouns")[language]

    def start(role: str) -> re.Pattern[str]:
        words = either(table[role]) if table[role] else "(?!)"
        return pattern(rf"{table['leading']}(?P<pronoun>{words})(?![\w'])")

    objects = either(table["object"]) if table["object"] else "(?!)"
    owner = either(table["owners"]) + " (?:[a-z-]{2,15} )?" if table["owners"] else ""
    unnamed = table.get("unnamed", "")
    pronouns = either([*table["subject"], *table["possessive"], *table["object"]])
    return _Rules(
        start("subject"),
        pattern(rf"{table['leading']}(?P<pronoun>{either(table['possessive'])}) (?=\w)"),
        pattern(rf"(?<=\w) (?P<pronoun>{objects}){table['object_end']}"),
        pattern(rf"\b{owner}(?P<kin>{either(_kin_genders(language))})\b"),
        pattern(rf"{unnamed}(?P<noun>{either(_noun_genders(language))})(?![\w'-])")
        if unnamed
        else pattern("(?!)"),
        pattern(rf"\b{pronouns}\b"),
        pattern(rf"{table['leading']}{either(table['open_subjects'])}(?![\w'-])"),
        pattern(table["name"]),
    )
