"""A sentence in clauses that each stand alone, where it is safe to take it apart: the subject is said again.

How depends on where a language has its verb; which words do what is data.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.known import given_names
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern
from recollect.language.verbs import BASE, ING, NONE, PAST, THIRD, verbs

# Past this a sentence is a text without marks, and what belongs together in it cannot be told.
_LONGEST_SENTENCE: Final = 600
_SUBJECT_WORDS: Final = 5
_GROUND_WORDS: Final = 9
"""A subject may be longer where a word before it says that a clause follows."""
# "am going to": as far from the first verb as what governs the next one stands.
_MODAL_WORDS: Final = 3
_CONTRACTED: Final = frozenset({"m", "re", "ve", "ll", "d", "t"})
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Clause(NamedTuple):
    """A part of a sentence, with its subject said again, and the place of its own words."""

    text: str
    start: int
    end: int


class _Word(NamedTuple):
    flat: str
    text: str
    start: int
    end: int


class Grammar:
    """What the data says about clauses of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.table: Mapping[str, Any] = tables("statements")[language]
        self.joints = pattern(self.table["joints"])
        self.finite = pattern(self.table.get("finite", ()))
        self.first_person = pattern(self.table.get("first_person", ()))
        self._sets: dict[str, frozenset[str]] = {}

    def __getitem__(self, key: str) -> frozenset[str]:
        """The words under a key."""
        if key not in self._sets:
            self._sets[key] = frozenset(self.table.get(key, ()))
        return self._sets[key]


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language, read once."""
    return Grammar(language)


def clauses(sentence: str, language: str) -> list[Clause]:
    """The clauses of a sentence, or the sentence where they cannot stand alone.

    >>> [c.text for c in clauses("I live in Lisbon and work at Acme", "en")]
    ['I live in Lisbon', 'I work at Acme']
    >>> [c.text for c in clauses("I met the man who lives in Rome and works at Acme", "en")]
    ['I met the man who lives in Rome and works at Acme']
    >>> [c.text for c in clauses("Lizbon'da yaşıyorum ve Acme'de çalışıyorum", "tr")]
    ["Lizbon'da yaşıyorum", "Acme'de çalışıyorum"]
    """
    rules = grammar(language)
    found: list[Clause] = []
    text, offset, own = sentence, 0, 0
    while len(sentence) <= _LONGEST_SENTENCE:
        parted = _first_parting(text, rules)
        if parted is None:
            break
        left_end, right_start, carried = parted
        found.append(Clause(text[:left_end], own, offset + left_end))
        own = offset + right_start
        offset = own - len(carried)
        text = carried + text[right_start:]
    return [*found, Clause(text, own, len(sentence))]


def statement_end(sentence: str, tail: re.Pattern[str], language: str) -> int:
    """Where the statement before a question ends in one sentence; 0 where there is none."""
    rules = grammar(language)
    folded = flat(sentence[:_LONGEST_SENTENCE])
    for match in tail.finditer(folded):
        words = _words(sentence[: match.start()])
        if len(words) > 1 and _is_clause(words, rules):
            return match.start()
    return 0


def ground(
    sentence: str, asked: int, opening: re.Pattern[str], tail: re.Pattern[str], language: str
) -> tuple[int, int] | None:
    """Where the first ground begins and ends that a sentence gives for what it asks from a place on.

    "What now, since the shop has closed?" tells that the shop has closed, "since the beginning" tells nothing.
    """
    rules = grammar(language)
    folded = flat(sentence[:_LONGEST_SENTENCE])
    for match in opening.finditer(folded, asked):
        asks = tail.search(folded, match.end())
        end = asks.start() if asks else len(sentence)
        words = _words(sentence[match.end() : end])
        if len(words) > 1 and _tells(words, rules):
            return match.end(), end
    return None


def has_verb(text: str, language: str) -> bool:
    """Whether a verb with its tense may be in it; always so in a language that can do without one.

    >>> [has_verb(one, "en") for one in ("Anna sings", "Tuesdays and Sundays", "No time to train", "Always use tabs")]
    [True, False, False, True]
    """
    rules = grammar(language)
    if rules.table["order"] == "verb last":
        return True
    words = _words(text[:_LONGEST_SENTENCE])
    return any(_may_be_finite(words, at, rules) for at in range(len(words)))


def _may_be_finite(words: list[_Word], at: int, rules: Grammar) -> bool:
    known, word = verbs(rules.language), words[at].flat
    before, after = (words[one].flat if 0 <= one < len(words) else "" for one in (at - 1, at + 1))
    subject, _, contracted = word.partition("'")
    if (
        word in rules["subjects"]
        or contracted in _CONTRACTED
        or (contracted and subject in rules["pointing"])
    ):
        return bool(after or contracted)
    kinds, follows = known.forms.get(word, NONE), known.forms.get(after, NONE)
    if contracted:
        return after in rules["articles"] | rules["adverbs"] | rules["openers"] or ING in follows
    if before in rules["articles"] | rules["unverbal"] or before.isdigit() or kinds == {ING}:
        return False
    if word in known.past or PAST in kinds or (word.endswith("ed") and len(word) > len("need")):
        return True
    opens = all(one.flat in rules["adverbs"] for one in words[:at])
    if word in known.ambiguous and opens:
        return after in rules["openers"] | rules["articles"] | rules["pointing"] | {"me"} or ING in follows
    # A verb that no list has ends as a plural does, and has a noun right before it and something after it.
    beside = at > 0 and words[at].start - words[at - 1].end == 1
    plural = word.endswith("s") and not word.endswith("ss") and word not in rules["counted"]
    return bool(beside and after and plural) or (bool(kinds - {ING}) and word not in known.ambiguous)


def is_finite(word: str, rules: Grammar) -> bool:
    """Whether a folded word is a verb with its tense, in a language that ends its clauses with one."""
    return word not in rules["unfinite"] and rules.finite.fullmatch(word) is not None


def _words(text: str) -> list[_Word]:
    folded = flat(text)
    return [_Word(folded[m.start() : m.end()], m.group(), *m.span()) for m in _WORD.finditer(text)]


def _is_clause(words: list[_Word], rules: Grammar) -> bool:
    if rules.table["order"] == "verb last":
        return is_finite(words[-1].flat, rules)
    return _main_verb(words, rules) is not None and words[0].flat not in rules["binders"]


def _tells(words: list[_Word], rules: Grammar) -> bool:
    """Whether a verb with its tense follows a subject, however long that is."""
    if rules.table["order"] == "verb last":
        return is_finite(words[-1].flat, rules)
    if words[0].flat in rules["subjects"]:
        return _main_verb(words, rules) is not None
    # Right after an article a past form is an adjective: the updated plan.
    known = verbs(rules.language)
    return any(
        word.flat in known.auxiliaries | known.past or PAST in known.forms.get(word.flat, NONE)
        for word in words[2:_GROUND_WORDS]
    )


def _first_parting(text: str, rules: Grammar) -> tuple[int, int, str] | None:
    """Where the left part ends, where the right one starts, and what must be said again before it."""
    words = _words(text)
    part = _ORDERS[rules.table["order"]]
    for joint in rules.joints.finditer(flat(text)):
        left = [word for word in words if word.end <= joint.start()]
        rest = [word for word in words if word.start >= joint.end()]
        if len(left) > 1 and len(rest) > 1:
            following = rules.joints.search(flat(text), joint.end())
            right = [word for word in rest if following is None or word.end <= following.start()]
            carried = part(text, joint.group().strip(" ,;"), left, right, rules) if len(right) > 1 else None
            if carried is not None:
                return joint.start(), joint.end(), carried
    return None


def _verb_second(text: str, joint: str, left: list[_Word], right: list[_Word], rules: Grammar) -> str | None:
    main = _main_verb(left, rules)
    if main is None or main[1] == len(left) - 1 or left[0].flat in rules["binders"]:
        return None
    said = {word.flat for word in left}
    if _own_subject(right, rules):
        same = right[0].flat.split("'")[0] == left[0].flat.split("'")[0]
        bound = said & (rules["binders"] | rules["reporting"])
        points = {word.flat for word in right[1:]} & rules["pointing"]
        return None if (bound and not same) or points else ""
    if not joint or said & rules["binders"] or said & rules["reporting"]:
        return None
    return _shared_subject(text, joint, left, right, main, rules)


def _own_subject(right: list[_Word], rules: Grammar) -> bool:
    """Whether the right part starts with a subject and a verb of its own."""
    first = right[0]
    main = _main_verb(right, rules)
    if main is None or (main[0] > 0 and first.flat in rules["binders"]):
        return False
    if first.flat in rules["subjects"]:
        return True
    known = verbs(rules.language)
    verb = right[main[1]].flat
    finite = verb in known.auxiliaries or bool({THIRD, PAST} & known.forms.get(verb, NONE))
    return finite and (first.text[0].isupper() or first.flat in rules["determiners"])


def _shared_subject(
    text: str, joint: str, left: list[_Word], right: list[_Word], main: tuple[int, int], rules: Grammar
) -> str | None:
    known = verbs(rules.language)
    at = next((i for i, word in enumerate(right[:3]) if not _adverb(word.flat, rules)), len(right))
    if at >= len(right) - 1 or {word.flat for word in right} & rules["pointing"]:
        return None
    verb, after = right[at].flat, right[at + 1]
    if right[at].text[0].isupper() or rules.table["reflexive"].get(left[main[0]].flat) == after.flat:
        return None
    kinds = _kinds(verb, rules)
    if not kinds or (
        verb in known.ambiguous and after.flat not in rules["openers"] and not after.text[0].isupper()
    ):
        return None
    denied = any(word.flat in rules["negations"] for word in left)
    if denied and joint not in rules["adversatives"]:
        return None
    end = _carried_end(left, main, verb, denied=denied, rules=rules)
    return None if end is None else text[: left[end].end] + " "


def _kinds(verb: str, rules: Grammar) -> frozenset[str]:
    known = verbs(rules.language)
    any_kind = frozenset({THIRD, PAST, BASE}) if verb in known.auxiliaries - rules["bare"] else NONE
    return known.forms.get(verb, any_kind)


def _carried_end(
    left: list[_Word], main: tuple[int, int], verb: str, *, denied: bool, rules: Grammar
) -> int | None:
    """The last word of the left part that must be said again before a verb."""
    known = verbs(rules.language)
    kinds = _kinds(verb, rules)
    subject, own = main
    if verb in known.modals and "'" not in left[subject].flat:
        return subject
    nearest = range(own, min(own + _MODAL_WORDS, len(left) - 1))
    modal = next((i for i in nearest if _is_modal(left, i, rules)), None)
    if modal is not None and BASE in kinds and not denied:
        return modal
    following = next((w.flat for w in left[own + 1 :] if not _adverb(w.flat, rules)), "")
    auxiliary = left[own].flat in known.auxiliaries or "'" in left[own].flat
    if auxiliary and ING in kinds and ING in known.forms.get(following, NONE):
        return own
    if "'" in left[subject].flat and own == subject:
        # "I'm a nurse and have": the contraction's verb cannot be cut from its subject.
        return None
    mine = known.forms.get(left[own].flat, NONE) if not auxiliary else frozenset({THIRD, PAST, BASE})
    plain = modal is None and left[subject].flat in rules["subjects"] - rules["third_subjects"]
    # "I moved to Rome and work at Acme": what follows may hold since then.
    fits = mine | ({BASE} if PAST in mine else NONE) if plain else mine - {BASE}
    return subject if kinds & fits else None


def _is_modal(left: list[_Word], at: int, rules: Grammar) -> bool:
    known = verbs(rules.language)
    following = known.forms.get(left[at + 1].flat, NONE)
    return (left[at].flat in known.modals or left[at].flat.endswith("'ll")) and BASE in following


def _adverb(word: str, rules: Grammar) -> bool:
    return word in rules["adverbs"] or (len(word) > 4 and word.endswith("ly"))


def _main_verb(words: list[_Word], rules: Grammar) -> tuple[int, int] | None:
    """Where the subject ends and where its verb is, counted in words; None where no clause starts here."""
    known = verbs(rules.language)
    for at, word in enumerate(words[:_SUBJECT_WORDS]):
        if word.flat in rules["subjects"] and "'" in word.flat:
            return at, at
        if word.flat in rules["subjects"]:
            if any(before.flat not in rules["leads"] and not before.flat.isdigit() for before in words[:at]):
                return None
            verb = next((i for i in range(at + 1, len(words)) if not _adverb(words[i].flat, rules)), None)
            found = verb is not None and (
                words[verb].flat in known.forms or words[verb].flat in known.auxiliaries
            )
            return (at, verb) if found and verb is not None else None
        if at and (word.flat in known.auxiliaries or {THIRD, PAST} & known.forms.get(word.flat, NONE)):
            if at == 1 and words[0].flat in rules["articles"] and word.flat not in known.auxiliaries:
                continue  # "My works are": what follows is a noun, however it looks.
            named = words[0].text[0].isupper() or words[0].flat in rules["determiners"]
            last = at - 1
            while last and _adverb(words[last].flat, rules):
                last -= 1
            return (last, at) if named else None
    return None


def _verb_last(text: str, joint: str, left: list[_Word], right: list[_Word], rules: Grammar) -> str | None:
    del text, joint
    if {word.flat for word in left} & rules["binders"] or {word.flat for word in right} & rules["pointing"]:
        return None
    if not (is_finite(left[-1].flat, rules) and is_finite(right[-1].flat, rules)):
        return None
    if rules.first_person.search(right[-1].flat) or right[0].flat in given_names():
        return ""
    # Nobody says who the right verb is about: it is whom the left one is about, if that is a name.
    named = left[0].flat in given_names() and not rules.first_person.search(left[-1].flat)
    return left[0].text + " " if named else None


_ORDERS: Final[Mapping[str, Callable[[str, str, list[_Word], list[_Word], Grammar], str | None]]] = {
    "verb second": _verb_second,
    "verb last": _verb_last,
}
