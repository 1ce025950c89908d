"""What must never be done, and what a context must mention for it to be said again."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern
from recollect.language.terms import terms
from recollect.language.tongue import tongue
from recollect.language.verbs import BASE, NONE, PAST, verbs

MAX_TRIGGERS: Final = 12

_READ_CHARACTERS: Final = 5000
_BEFORE_CHARACTERS: Final = 30
# What is written as code, or has the form of a name in code, is a trigger as it stands.
_CODE: Final = re.compile(
    r"`([^`\n]{1,60})`|(?<![\w.])(\.?[\w-]+(?:[./_:!-][\w-]+)+!?|--?[a-z][\w-]+|\.\w{2,12}|[\w-]+(?:\(\)|!))"
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Prohibition:
    """A negative memory: the sentence, what it forbids, and the terms that bring it back."""

    text: str
    action: str
    triggers: tuple[str, ...]

    def concerns(self, context: str) -> bool:
        """Whether a context mentions what is forbidden: a name in code, or two of the words.

        >>> prohibition("Never commit .env files").concerns("git commit -am 'add .env'")
        True
        >>> prohibition("Never commit .env files").concerns("commit the readme")
        False
        """
        folded = flat(context[:_READ_CHARACTERS])
        words = set(terms(folded))
        named = [trigger for trigger in self.triggers if not trigger.isalpha()]
        if any(_stands_in(trigger, folded) for trigger in named):
            return True
        plain = [trigger for trigger in self.triggers if trigger.isalpha()]
        hits = sum(1 for trigger in plain if set(terms(trigger)) <= words)
        return not named and hits >= min(2, len(plain)) > 0


def prohibition(text: str) -> Prohibition | None:
    """The first thing that a text forbids, or None.

    >>> prohibition("Never use println! for logging in production").triggers
    ('println!', 'logging', 'production')
    >>> prohibition("Asla main'e force push yapma").action
    "main'e force push yapma"
    >>> prohibition("I never eat meat")
    """
    return next(_prohibitions(text[:_READ_CHARACTERS]), None)


def prohibitions(text: str) -> tuple[Prohibition, ...]:
    """Everything that a text forbids, in order.

    >>> [p.action for p in prohibitions("Never push to main. Don't ever log tokens.")]
    ['push to main', 'log tokens']
    """
    return tuple(_prohibitions(text[:_READ_CHARACTERS]))


def _prohibitions(text: str) -> Iterator[Prohibition]:
    language = tongue(text)
    table, folded = tables("prohibition")[language], flat(text)
    end = 0
    found = sorted(
        (m for each in _patterns(language) for m in each.finditer(folded)), key=lambda m: m.start()
    )
    for match in found:
        before = folded[max(0, match.start() - _BEFORE_CHARACTERS) : match.start()]
        action = folded[match.start("action") : match.end("action")]
        told = _is_told(action, language) or _pattern(table["not_after"]).search(before) is not None
        if match.start() >= end and not told:
            end = match.end()
            start = match.start() + len(match.group()) - len(match.group().lstrip(" .!?:;\n"))
            said = text[match.start("action") : match.end("action")].lstrip(" ,").rstrip(" ,.")
            yield Prohibition(text[start:end].strip(" ,"), said, _triggers(said, table["empty"]))


def _is_told(action: str, language: str) -> bool:
    """Whether somebody tells what was not done, or says no more than "never mind"."""
    excused = any(
        re.match(rf"{re.escape(each)}\b", action) for each in tables("prohibition")[language]["not_doing"]
    )
    first = re.match(r"\w+", action)
    kinds = verbs(language).forms.get(first.group(), NONE) if first else NONE
    return excused or (PAST in kinds and BASE not in kinds)


def _triggers(action: str, empty: list[str]) -> tuple[str, ...]:
    """Names in code first, then the words that are not empty."""
    named = [flat(code or name) for code, name in _CODE.findall(action)]
    rest = _CODE.sub(" ", action)
    words = [flat(word.split("'")[0].split("’")[0]) for word in _WORD.findall(rest)]
    kept = [word for word in words if len(word) > 1 and word not in empty]
    return tuple(dict.fromkeys([*named, *kept]))[:MAX_TRIGGERS]


def _stands_in(trigger: str, folded: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(trigger)}(?!\w)", folded) is not None


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    table = tables("prohibition")[language]
    return tuple(pattern(each.replace("{doing}", table["doing"])) for each in table["match"])


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return pattern(expression)
