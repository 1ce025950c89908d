"""What of a subject a statement speaks of, by one name however it is worded, and how many values it holds."""

from typing import Final

from recollect.language.claim_clauses import Clause
from recollect.language.claim_frames import Frame, Grammar, Holds
from recollect.language.claim_subjects import GROUP, SPEAKER, Subject
from recollect.language.claim_values import Value
from recollect.language.known import given_names, lexicon
from recollect.language.terms import terms

Named = tuple[str, Holds]


def attribute_of(
    part: dict[str, Clause], frame: Frame, subject: Subject, value: Value, grammar: Grammar
) -> Named | None:
    """The attribute's name and its cardinality; None where the words may be anything."""
    if frame.general:
        return _GENERAL[frame.general](part, subject, value, grammar)
    name = frame.attribute
    if frame.value == "place":
        name = f"{name} {grammar.levels.get(value.text, '')}".strip()
    if "attribute" in part:
        name = f"{canonical(part['attribute'].folded, grammar)} {frame.tail}".strip()
    if "thing" in part:
        name = f"{canonical(part['thing'].folded, grammar)} {name}"
    if "other" in part:
        first, second = sorted((value.text, part["other"].folded))
        name = f"{name} {first} {second}"
    return name, frame.holds


def several(subject: Subject, grammar: Grammar) -> bool:
    """Whether the subject is one of those that its owner may have more of: Ada's son, not Ada's son Max."""
    owner, _, noun = subject.name.rpartition(" ")
    owned = not owner or subject.kind == "own" or "'" in owner
    return owned and noun in grammar.many and noun not in grammar.sole


def canonical(words: str, grammar: Grammar) -> str:
    """One name for words that mean the same attribute: spelt alike, stemmed, without articles."""
    plain = grammar.reading["articles"].sub("", _spelt(words, grammar), count=1)
    if plain in grammar.attributes:
        return grammar.attributes[plain]
    return plain if plain in grammar.one else " ".join(terms(plain)) or plain


def _spelt(words: str, grammar: Grammar) -> str:
    return " ".join(grammar.spellings.get(word, word) for word in words.split())


def _noun(part: dict[str, Clause], subject: Subject, value: Value, grammar: Grammar) -> Named | None:
    if value.related or (capitalised(part["attribute"]) and not value.name):
        return None
    words = _of_now(_spelt(part["attribute"].folded, grammar), grammar)
    name = canonical(words, grammar)
    if not _takes(words, name, value, grammar):
        return None
    if _listed(words, name, grammar.many) and (subject.name == SPEAKER or name not in grammar.sole):
        return name, "many"
    certain = value.certain or "class" in part
    if _listed(words, name, grammar.one) and (certain or subject.name != GROUP):
        return _placed(name, part), "one"
    if not certain or not subject.certain or _listed(words, name, grammar.parts):
        return None
    return _placed(name, part), "one"


def _around(part: dict[str, Clause], subject: Subject, value: Value, grammar: Grammar) -> Named | None:
    """What a description says around a name. Without a preposition or a clause in it, it is a mere name."""
    about = _spelt(subject.about, grammar)
    if not about or not ({about, *about.split()} & grammar.one or value.certain or "class" in part):
        return None
    if _listed(about, about, grammar.parts) or value.related or not _takes(about, about, value, grammar):
        return None
    return _placed(canonical(subject.about, grammar), part), "one"


def _relation(part: dict[str, Clause], subject: Subject, value: Value, grammar: Grammar) -> Named | None:
    words, kind = part["attribute"], part.get("class")
    if capitalised(words) or subject.kind != "name":
        return None
    if words.folded in grammar.many_relations or grammar.reading["progressive"].match(words.folded):
        return None
    if kind is None and not (
        value.certain and (value.name or not grammar.reading["infinitive"].search(words.folded))
    ):
        return None
    name = canonical(words.folded, grammar)
    if name in grammar.named and value.described:
        return None
    return (f"{name} {kind.folded}" if kind and name not in grammar.attributes.values() else name), "one"


def _verb(part: dict[str, Clause], subject: Subject, value: Value, grammar: Grammar) -> Named | None:
    """A relation by any verb. Only after a name is the next word sure to be one."""
    return _relation(part, subject, value, grammar) if subject.proper else None


def capitalised(words: Clause) -> bool:
    """Whether the words are part of a name (Logan's Run); an abbreviation in capitals is not (our CEO)."""
    return any(word != word.lower() and word != word.upper() for word in words.written.split())


def _of_now(words: str, grammar: Grammar) -> str:
    """The attribute of which there is another one now: my new manager is my manager, a new car may be one more."""
    renewed = grammar.reading["renewed"].sub("", words)
    return renewed if _listed(renewed, canonical(renewed, grammar), grammar.named) else words


def _whose(part: dict[str, Clause], subject: Subject, value: Value, grammar: Grammar) -> Named | None:
    """What somebody or something is to another: the boss, but one of many clients."""
    named = _noun(part, subject, value, grammar)
    words = _spelt(part["attribute"].folded, grammar)
    if value.text in grammar.subjects or not (subject.proper or subject.kind == "pronoun"):
        return None
    if named is None or _listed(words, canonical(words, grammar), grammar.one):
        return named
    return named[0], "many"


def _takes(words: str, name: str, value: Value, grammar: Grammar) -> bool:
    """Whether the value is of the kind that the attribute takes: a boss is neither sick nor Swedish, but somebody."""
    last = words.rsplit(maxsplit=1)[-1]
    heads = {words, name, last, last.removesuffix("s")}
    if value.quality and not heads & grammar.qualities:
        return False
    if value.origin and not heads & grammar.origins:
        return False
    if value.article and heads & grammar.people:
        return False
    doing = grammar.reading["progressive"].match(value.text) and not value.name
    if doing and not {*heads, words.partition(" ")[0]} & grammar.doings:
        return False
    return value.certain or _is_name(value.text) or not heads & grammar.named


def _is_name(words: str) -> bool:
    """Whether it is a name even where it is written without a capital: tom reed, vim."""
    first, _, rest = words.partition(" ")
    return words in lexicon() or (first in given_names() and " " not in rest)


def _listed(words: str, name: str, listed: frozenset[str]) -> bool:
    """Whether the attribute, or the noun that it ends in, is in a list."""
    nouns = words.split()
    return bool({name, words, nouns[0], nouns[-1]} & listed)


def _placed(name: str, part: dict[str, Clause]) -> str:
    return f"{name} place" if "place" in part and name != "headquarters" else name


_GENERAL: Final = {
    "noun": _noun,
    "inverse": _noun,
    "whose": _whose,
    "around": _around,
    "relation": _relation,
    "verb": _verb,
}
