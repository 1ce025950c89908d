"""What a text feels: how good or bad, how strongly, and which of the six basic emotions (Ekman)."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from math import tanh
from typing import Final, NamedTuple

from recollect.language.lexicon import tables
from recollect.language.phrases import flat
from recollect.language.tongue import tongue

EKMAN: Final = ("joy", "anger", "fear", "sadness", "surprise", "disgust")
FLASHBULB_AROUSAL: Final = 0.8

_STRENGTH: Final = {"strong": 1.0, "medium": 0.7, "mild": 0.4}
_SIGN: Final = {"joy": 1.0, "positive": 1.0, "surprise": 0.0, "none": 0.0}
# How stirring a feeling is at its strongest: rage and terror more than grief.
_STIRRING: Final = {"anger": 0.6, "fear": 0.6, "surprise": 0.6, "joy": 0.5, "disgust": 0.5, "sadness": 0.4}
_STIRRING_OTHER: Final = 0.25
_URGENCY, _PROFANITY, _EXCLAMATION, _SHOUTED_WORD = 0.35, 0.3, 0.1, 0.15
_MOST_LOUDNESS: Final = 0.3
_INTENSER, _WEAKER, _DENIED = 1.4, 0.5, -0.5
_REACH_BEFORE, _REACH_AFTER = 3, 2
_SHOUTED_LETTERS: Final = 4
_READ_CHARACTERS: Final = 5000
_CAPITALS: Final = re.compile(r"[^\W\d_a-z]{2}")
_LONG_WORD: Final = re.compile(rf"[^\W\d_]{{{_SHOUTED_LETTERS},}}")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|[.!?;,:]|[\u2600-\u27BF\U0001F000-\U0001FAFF]")


@dataclass(frozen=True, slots=True)
class Emotion:
    """Valence in [-1, 1], arousal in [0, 1], and the strongest of the six, if any was felt."""

    valence: float
    arousal: float
    category: str | None

    @property
    def flashbulb(self) -> bool:
        """Whether it is stirring enough to be remembered vividly."""
        return self.arousal >= FLASHBULB_AROUSAL


class _Entry(NamedTuple):
    category: str
    strength: float


def emotion(text: str) -> Emotion:
    """The feeling of a text, by its words, their negations and how loud they are.

    >>> emotion("I'm absolutely terrified!!!").flashbulb, emotion("I'm absolutely terrified!!!").category
    (True, 'fear')
    >>> emotion("I'm not happy").valence < 0 < emotion("Çok mutluyum").valence
    True
    >>> emotion("The meeting is at ten")
    Emotion(valence=0.0, arousal=0.0, category=None)
    """
    read = text[:_READ_CHARACTERS]
    words = _words(tongue(read))
    tokens = _TOKEN.findall(flat(read))
    felt = [
        (entry, _factor(tokens, at, words))
        for at, token in enumerate(tokens)
        if (entry := words.entry(token))
    ]
    sums: dict[str, float] = {}
    for entry, factor in felt:
        if factor > 0 and entry.category in EKMAN:
            sums[entry.category] = sums.get(entry.category, 0.0) + entry.strength * factor
    valence = tanh(sum(_SIGN.get(e.category, -1.0) * e.strength * factor for e, factor in felt))
    calm = 1.0
    for share in (*_stirs(felt), *_alarms(tokens, words), *_loudness(read)):
        calm *= 1.0 - min(share, 0.95)
    category = max(sums, key=lambda name: sums[name]) if sums else None
    return Emotion(round(valence, 3) + 0.0, round(1.0 - calm, 3), category)


def _stirs(felt: list[tuple[_Entry, float]]) -> list[float]:
    """The three most stirring words: a long letter is not wilder than a short one."""
    shares = [
        _STIRRING.get(e.category, _STIRRING_OTHER) * e.strength * abs(f)
        for e, f in felt
        if e.category != "none"
    ]
    return sorted(shares, reverse=True)[:3]


def _alarms(tokens: list[str], words: "_Words") -> list[float]:
    urgent, profane = ({t for t in tokens if words.listed(t, kind)} for kind in ("urgent", "profane"))
    return [_URGENCY] * min(len(urgent), 2) + [_PROFANITY] * min(len(profane), 2)


def _loudness(text: str) -> list[float]:
    # Most texts have no two capitals side by side: looking for them is quicker than looking at every word.
    loud = _CAPITALS.search(text) is not None
    shouted = sum(word.isupper() for word in _LONG_WORD.findall(text)) if loud else 0
    # A text in capitals throughout is a habit or a keyboard as often as a shout: it counts once.
    all_shouted = loud and text.upper() == text
    marks = text.count("!")
    return [
        min(_EXCLAMATION * marks, _MOST_LOUDNESS),
        min(_SHOUTED_WORD * (1 if all_shouted and shouted and not marks else shouted), _MOST_LOUDNESS),
    ]


def _factor(tokens: list[str], at: int, words: "_Words") -> float:
    """How much a word counts among its neighbours: stronger, weaker or the other way round."""
    factor = 1.0
    for token in reversed(tokens[max(0, at - _REACH_BEFORE) : at]):
        if not token[0].isalpha():
            break
        if words.listed(token, "negators_before"):
            factor *= _DENIED
        elif words.listed(token, "intensifiers"):
            factor *= _INTENSER
        elif words.listed(token, "diminishers"):
            factor *= _WEAKER
    for token in tokens[at + 1 : at + 1 + _REACH_AFTER]:
        if not token[0].isalpha():
            break
        if words.listed(token, "negators_after"):
            factor *= _DENIED
    return factor


class _Words:
    """The words of feeling of one language, and the signs of all."""

    def __init__(self, language: str) -> None:
        table = tables("emotion")[language]
        self._felt: dict[str, _Entry] = {}
        for category in (*EKMAN, "positive", "negative", "none"):
            for degree, words in table.get(category, {}).items():
                for word in words:
                    self._felt.setdefault(word, _Entry(category, _STRENGTH[degree]))
        for each in tables("emotion").values():
            for category, signs in each["emoji"].items():
                self._felt |= dict.fromkeys(signs, _Entry(category, _STRENGTH["medium"]))
        kinds = ("urgent", "profane", "negators_before", "negators_after", "intensifiers", "diminishers")
        self._lists = {kind: frozenset(table[kind]) for kind in kinds}

    def entry(self, token: str) -> _Entry | None:
        """The word itself, or the longest beginning that is known."""
        return _known(self, token)[0]

    def listed(self, token: str, kind: str) -> bool:
        """Whether one of the lists has the word or a beginning of it."""
        return kind in _known(self, token)[1]

    def look_up(self, token: str) -> tuple[_Entry | None, frozenset[str]]:
        """What it feels like, and which of the lists have it."""
        forms = (token, *(token[:n] + "*" for n in range(len(token), 1, -1)))
        entry = next((self._felt[form] for form in forms if form in self._felt), None)
        return entry, frozenset(kind for kind, words in self._lists.items() if not words.isdisjoint(forms))


# The same words come again and again.
@lru_cache(maxsize=8192)
def _known(words: _Words, token: str) -> tuple[_Entry | None, frozenset[str]]:
    return words.look_up(token)


@cache
def _words(language: str) -> _Words:
    return _Words(language)
