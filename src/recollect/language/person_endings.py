"""First person to third in a language whose endings carry the person: "taşındım" becomes "Ada taşındı"."""

import re
from typing import Any, Final

from recollect.language.endings import ended, lowered, raised
from recollect.language.known import given_names, lexicon
from recollect.language.known import words as common
from recollect.language.phrases import flat

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CLAUSE: Final = re.compile(r"[^.!?;,\n]+(?:[.!?;,\n]+|$)")


class Rewriter:
    """Replaces endings and pronouns of the first person; says who it is where only an ending said so."""

    def __init__(self, table: dict[str, Any], speaker: str, listener: str | None, language: str) -> None:
        del listener  # The second person is not told from polite forms by its endings.
        self._table, self._speaker, self._language = table, speaker, language
        self._proper = speaker != table["anonymous"]

    def rewrite(self, text: str) -> str:
        """The text in the third person; as it is where it is not sure what all belongs to the speaker."""
        said = False
        parts = []
        for clause in _CLAUSE.findall(text):
            found = self._clause(clause, said=said)
            if found is None:
                return text
            rewritten, named = found
            parts.append(rewritten)
            said = (said or named) and clause.rstrip()[-1:] in {",", ";"}
        return "".join(parts)

    def _clause(self, clause: str, *, said: bool) -> tuple[str, bool] | None:
        words = list(_WORD.finditer(clause))
        if not words:
            return clause, said
        changed: dict[int, str] = {}
        acts = self._verb(words, changed)
        owns = self._owned(
            words, changed, has=self._lower(words[-1].group()) in self._table["having"]["ends"]
        )
        spoken = self._pronouns(words, changed)
        before = self._before(words, owns, acts=acts) if (acts or owns) and not (spoken or said) else None
        if before is not None and not self._stands_apart(words, before[0]):
            return None
        return self._applied(clause, words, changed, before), spoken or bool(before) or said

    def _verb(self, words: list[re.Match[str]], changed: dict[int, str]) -> bool:
        """Whether somebody speaks of what they do: the last word of the clause is a verb of the first person."""
        last = words[-1].group()
        lowered = self._lower(last)
        rules = self._table["verbs"]
        if lowered in rules["being"]:
            changed[len(words) - 1] = rules["being"][lowered]
            return True
        if lowered in rules["not"] or lowered in self._table["owned"]:
            return False
        for ending, instead in rules["endings"]:
            third, times = re.subn(ending, instead, lowered)
            if times:
                changed[len(words) - 1] = self._cased(third, last)
                return True
        return False

    def _owned(self, words: list[re.Match[str]], changed: dict[int, str], *, has: bool) -> list[int]:
        """Words for what is owned, put in the third person."""
        found = []
        for at, match in enumerate(words):
            if at in changed:
                continue
            word, before = self._lower(match.group()), self._lower(words[at - 1].group()) if at else ""
            mine = before == self._table["having"]["owner"] and word not in self._table["describing"]
            third = self._theirs(word, sure=mine or (has and at == len(words) - 2))
            if third is None and (both := self._theirs(f"{before} {word}", sure=False)) is not None:
                third = both.removeprefix(f"{before} ")
            if third is not None:
                changed[at] = self._cased(third, match.group())
                found.append(at)
        return found

    def _theirs(self, word: str, *, sure: bool) -> str | None:
        owned = self._table["owned"]
        if word in owned:
            return str(owned[word])
        for case, form in self._table["cases"].items():
            match = re.fullmatch(f"(.{{3,}}m){case}", word)
            if match and match[1] in owned:
                return ended(form, owned[match[1]], self._language, proper=False)
        for ending, instead in self._table["having"]["endings"] if sure else ():
            stem, times = re.subn(ending, instead, word)
            if times:
                form = self._table["having"]["third"]
                return (
                    ended(form, stem[:-1], self._language, proper=False) if stem.endswith("*") else str(stem)
                )
        return None

    def _pronouns(self, words: list[re.Match[str]], changed: dict[int, str]) -> bool:
        """Whether the speaker is named as the one who acts or owns."""
        spoken = False
        for at, match in enumerate(words):
            word = self._lower(match.group())
            form = self._table["pronouns"].get(word)
            if form is not None:
                introduced = word == self._table["naming"][0] and self._is_called(words[at + 1 : at + 2])
                changed[at] = "" if introduced else self._named(form, first=at == 0)
                spoken |= word in self._table["naming"]
        return spoken

    def _is_called(self, following: list[re.Match[str]]) -> bool:
        """Whether the speaker's name follows: "ben Ada" is Ada, not Ada Ada."""
        return any(flat(word.group()) == flat(self._speaker.split()[0]) for word in following)

    def _before(self, words: list[re.Match[str]], owns: list[int], *, acts: bool) -> tuple[int, str]:
        """Who must be said, and before which word: an owner before all that belongs to what is owned."""
        if acts:
            return 0, self._speaker
        has = self._lower(words[-1].group()) in self._table["having"]["ends"]
        place = 0 if has else owns[0]
        while place > 0 and self._lower(words[place - 1].group()) in self._table["describing"]:
            place -= 1
        return place, self._named(self._table["having"]["genitive"], first=place == 0)

    def _stands_apart(self, words: list[re.Match[str]], place: int) -> bool:
        """Whether the word before a place surely belongs to nothing behind it."""
        if place == 0:
            return True
        word = self._lower(words[place - 1].group())
        return word in self._table["apart"] or re.search(self._table["apart_ending"], word) is not None

    def _named(self, form: str, *, first: bool) -> str:
        name = self._speaker if self._proper or first else self._uncapitalised(self._speaker)
        return ended(form, name, self._language, proper=self._proper)

    def _applied(
        self, clause: str, words: list[re.Match[str]], changed: dict[int, str], before: tuple[int, str] | None
    ) -> str:
        parts, at = [], 0
        for index, match in enumerate(words):
            word = changed.get(index, match.group())
            if before is not None and before[0] == index:
                unchanged = index not in changed or not word.isalpha()
                named = unchanged and self._is_name(match.group(), words, index)
                word = before[1] + " " + (word if named else self._uncapitalised(word))
            parts += [clause[at : match.start()], word]
            at = match.end() if word else words[index + 1].start()
        return "".join([*parts, clause[at:]])

    def _lower(self, word: str) -> str:
        return lowered(word, self._language)

    def _uncapitalised(self, word: str) -> str:
        return self._lower(word[:1]) + word[1:]

    def _cased(self, word: str, like: str) -> str:
        if like.isupper() and len(like) > 1:
            return raised(word, self._language)
        return raised(word[:1], self._language) + word[1:] if like[:1].isupper() else word

    def _is_name(self, word: str, words: list[re.Match[str]], index: int) -> bool:
        stem = flat(re.split("['’]", word)[0])
        known = stem in lexicon() or stem in given_names() or "'" in word or "’" in word
        following = words[index + 1].group() if index + 1 < len(words) else ""
        plain = stem in common("common") or self._lower(word) in self._table["apart"]
        return known or (word.isupper() and len(word) > 1) or (following[:1].isupper() and not plain)
