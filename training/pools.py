"""The texts of one place (a conversation, a session, a collection): which are like a question, and what they speak of."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from random import Random

HARD = 3
STOP = frozenset((
    "a", "an", "the", "and", "or", "but", "if", "of", "to", "in", "on", "at", "for", "with", "from", "by",
    "as", "is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "have", "has", "had", "i",
    "you", "he", "she", "it", "we", "they", "me", "my", "your", "his", "her", "its", "our", "their",
    "this", "that", "these", "those", "there", "here", "what", "when", "where", "who", "why", "how",
    "which", "not", "no", "yes", "so", "too", "very", "just", "really", "about", "into", "out", "up",
    "down", "over", "then", "than", "can", "could", "will", "would", "should", "like", "know", "think",
    "get", "got", "go", "going", "good", "great", "nice", "love", "oh", "wow", "well", "yeah", "that's",
    "it's", "i'm", "don't",
))  # fmt: skip


def content_words(text: str) -> list[str]:
    """The words of a text that say something."""
    return [word for word in re.findall(r"[\w']+", text.lower()) if word not in STOP]


class Pool:
    """Texts of one place, to be told from one another by their words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._words = [frozenset(content_words(text)) for text in texts]
        counts = Counter(word for words in self._words for word in words)
        self._rarity = {word: math.log(1 + len(texts) / count) for word, count in counts.items()}

    def ranked(self, question: str) -> list[tuple[float, int]]:
        """The texts that have some of the question's words, best first, each with its score."""
        wanted = set(content_words(question))
        scored = [
            (sum(self._rarity.get(word, 0.0) for word in sorted(wanted & words)), at)
            for at, words in enumerate(self._words)
        ]
        return sorted((pair for pair in scored if pair[0] > 0), reverse=True)

    def hard(self, question: str, gold: set[int], rng: Random) -> tuple[str, ...]:
        """Texts that do not answer: those with the question's words, then any."""
        right = {self.texts[at] for at in gold}
        others = [at for _, at in self.ranked(question) if self.texts[at] not in right]
        if len(others) < HARD:
            rest = [at for at, text in enumerate(self.texts) if text not in right and at not in others]
            rng.shuffle(rest)
            others += rest
        return tuple(self.texts[at] for at in others[:HARD])

    def topic(self, text: str, rng: Random) -> str | None:
        """Something rare that a text speaks of, often with the words beside it that say more."""
        words = {word for word in content_words(text) if len(word) > 3 and word.isalpha()}
        if not words:
            return None
        best = sorted(words, key=lambda word: (-self._rarity.get(word, 9.0), word))[:4]
        return _phrase(rng.choice(best), text, rng.choice((1, 2, 3, 4)))


def _phrase(word: str, text: str, longest: int) -> str:
    """A word of a text with its neighbours, up to the small words around them."""
    for run in re.findall(r"[A-Za-z']+(?: [A-Za-z']+)*", text):
        said = run.split()
        lowered = [one.lower() for one in said]
        if word in lowered:
            first = last = lowered.index(word)
            while last - first + 1 < longest and first > 0 and lowered[first - 1] not in STOP:
                first -= 1
            while last - first + 1 < longest and last + 1 < len(said) and lowered[last + 1] not in STOP:
                last += 1
            return " ".join(said[first : last + 1])
    return word
