"""First person to third in a language whose pronouns carry the person: "I prefer" becomes "Ada prefers"."""

import re
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.clauses import grammar
from recollect.language.endings import ended
from recollect.language.known import given_names, lexicon
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern
from recollect.language.verbs import BASE, ING, NONE, PAST, THIRD, third_person, verbs

_WORD: Final = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*(?!\w)")
# What is quoted was said by whoever is quoted.
_QUOTED: Final = re.compile(r"\"[^\"]{0,2000}\"|“[^”]{0,2000}”")
_LABELLED: Final = re.compile(r"(?P<who>[^\W\d_]{2,20}): (?P<said>.+)", re.DOTALL)
_NAME: Final = re.compile(r"\s([A-Z]\w+)")


class _Who(NamedTuple):
    name: str
    subjects: dict[str, str]
    forms: dict[str, str]


class Rewriter:
    """Replaces the words that mean the speaker, and those that mean the listener where that is known."""

    def __init__(self, table: dict[str, Any], speaker: str, listener: str | None, language: str) -> None:
        self._table, self._language = table, language
        self._verbs, self._grammar = verbs(language), grammar(language)
        self._reported = _reported(language)
        self._people = [_Who(speaker, table["speaker"], table["speaker_forms"])]
        if listener is not None:
            self._people.append(_Who(listener, table["listener"], table["listener_forms"]))

    def rewrite(self, text: str) -> str:
        """The text in the third person."""
        quoted = [match.span() for match in _QUOTED.finditer(text)]
        reported = self._reported.search(flat(text)) or self._labelled(text)
        quoted = [*([] if reported is None else [reported.span("said")]), *quoted]
        words = [m for m in _WORD.finditer(text) if not any(a <= m.start() < b for a, b in quoted[:50])]
        changed: dict[int, str] = {}
        last_named: dict[str, int] = {}
        folded = flat(text)
        for at, match in enumerate(words):
            if at in changed:
                continue
            word = folded[match.start() : match.end()]
            for who in self._people:
                self._replace(text, words, at, word, who, changed, last_named)
        return _applied(text, words, changed)

    def _labelled(self, text: str) -> re.Match[str] | None:
        """What stands behind the name of somebody else, as in a talk that was written down: "Bob: I live in Rome"."""
        found = _LABELLED.match(text)
        who = "" if found is None else flat(found["who"])
        return found if who in given_names() and who not in flat(self._people[0].name).split() else None

    def _replace(
        self,
        text: str,
        words: list[re.Match[str]],
        at: int,
        word: str,
        who: _Who,
        changed: dict[int, str],
        last_named: dict[str, int],
    ) -> None:
        if word not in who.subjects and word not in who.forms:
            return
        start = words[at].start()
        name = who.name
        if name.startswith(tuple(self._table["articles"])) and not _starts_sentence(text, start):
            name = name[0].lower() + name[1:]
        if word in who.subjects:
            numeral = at and at + 1 == len(words) and words[at - 1].group()[0].isupper()
            if numeral and not who.subjects[word]:
                return
            changed[at] = self._subject(words, at, word, name, who, changed)
            last_named[who.name] = start
        else:
            between = text[last_named[who.name] : start] if who.name in last_named else None
            again = (
                between is not None and not re.search(r"[.!?]\s", between) and not _names_another(between[1:])
            )
            changed[at] = self._form(who.forms[word], name, again=again)
            last_named[who.name] = start

    def _form(self, role: str, name: str, *, again: bool) -> str:
        if role == "reflexive":
            return str(self._table["reflexive"])
        if role == "name":
            return name
        return str(self._table["again"]) if again else ended(self._table["possessive"], name, self._language)

    def _subject(
        self, words: list[re.Match[str]], at: int, word: str, name: str, who: _Who, changed: dict[int, str]
    ) -> str:
        """The name with its contracted verb; the verb that follows is made to agree."""
        contracted = who.subjects[word]
        following = self._verb_after(words, at)
        verb = flat(words[following].group()) if following is not None else ""
        kinds = self._verbs.forms.get(verb, NONE)
        if PAST in kinds and BASE not in kinds:
            contracted = self._table["before_past"].get(contracted, contracted)
        if contracted:
            return f"{name} {contracted}"
        before = flat(words[at - 1].group()) if at > 0 else ""
        one_of_several = before in self._table["around"]["before"] and not self._joins_clauses(words, at)
        stays = one_of_several or before in self._table["around"]["bare"]
        if following is not None and not stays and self._takes_verb(verb, who):
            agreed = third_person(verb, self._language)
            if agreed != verb:
                changed[following] = agreed
                self._agree_joined(words, following, changed)
        return name

    def _joins_clauses(self, words: list[re.Match[str]], at: int) -> bool:
        """Whether a clause of its own stands before "and": "I have a dog and I sing", but "my wife and I sing"."""
        text = words[at].string
        for index in range(at - 2, -1, -1):
            gap = text[words[index].end() : words[index + 1].start()]
            if not gap.isspace() and not (gap.strip() == "," and index == at - 2):
                return False
            word, following = flat(words[index].group()), flat(words[index + 1].group())
            if word in self._grammar["reporting"]:
                return False
            is_subject = word in self._grammar["subjects"] and index < at - 2
            if self._is_verb(following if is_subject else word, after_subject=is_subject):
                return following not in self._grammar["reporting"]
            if is_subject and "'" in word:
                return True
        return False

    def _is_verb(self, word: str, *, after_subject: bool) -> bool:
        """Whether it is one for sure: after "I" any verb, elsewhere one that is no noun and has an ending."""
        kinds = self._verbs.forms.get(word, NONE)
        ended = kinds & {THIRD, PAST} and word not in self._verbs.ambiguous
        return word in self._verbs.auxiliaries or bool(kinds - {ING} if after_subject else ended)

    def _takes_verb(self, verb: str, who: _Who) -> bool:
        if verb in self._table["around"]["after"]:
            return False
        # "you" is an object as often as a subject: only a verb tells.
        sure = verb in self._verbs.forms or verb in self._verbs.auxiliaries
        return sure or who is self._people[0]

    def _verb_after(self, words: list[re.Match[str]], at: int) -> int | None:
        for index in range(at + 1, min(at + 4, len(words))):
            if words[index].string[words[index - 1].end() : words[index].start()] != " ":
                return None
            word = flat(words[index].group())
            if not (word in self._grammar["adverbs"] or (len(word) > 4 and word.endswith("ly"))):
                return index
        return None

    def _agree_joined(self, words: list[re.Match[str]], verb: int, changed: dict[int, str]) -> None:
        """Verbs joined to one that was changed: "I cook and bake" becomes "Ada cooks and bakes"."""
        for index in range(verb + 1, min(verb + 8, len(words) - 1)):
            if flat(words[index].group()) not in self._table["around"]["coordinators"]:
                continue
            joined = flat(words[index + 1].group())
            after = flat(words[index + 2].group()) if index + 2 < len(words) else ""
            alone = joined in self._verbs.ambiguous and after not in self._grammar["openers"]
            if BASE in self._verbs.forms.get(joined, NONE) and (not alone or index == verb + 1):
                changed[index + 1] = third_person(joined, self._language)
            return


@cache
def _reported(language: str) -> re.Pattern[str]:
    return pattern(tables("standalone")[language]["reported"])


def _names_another(between: str) -> bool:
    return any(flat(name) not in lexicon() for name in _NAME.findall(between))


def _starts_sentence(text: str, at: int) -> bool:
    before = text[max(0, at - 3) : at].rstrip()
    return not before or before[-1] in ".!?\n"


def _applied(text: str, words: list[re.Match[str]], changed: dict[int, str]) -> str:
    parts, at = [], 0
    for index, instead in sorted(changed.items()):
        parts += [text[at : words[index].start()], instead]
        at = words[index].end()
    return "".join([*parts, text[at:]])
