"""The words that text search matches, the same for what is stored and for what is asked."""

import re
import threading
import unicodedata
import zlib
from functools import cache, lru_cache
from typing import Final

import numpy as np
import Stemmer
from numpy.typing import NDArray

MAX_TERM_CHARACTERS: Final = 64
# A token may hold several terms (a dotted path); past this it is data, not language.
_MAX_TOKEN_CHARACTERS: Final = 256

# Scripts written without spaces: Thai, Lao, Myanmar, Hangul, Khmer, Japanese, Chinese.
_UNSPACED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them but are not \w: accents, vowel signs, joiners.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0963\u0980-\u0dff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u200c\u200d"
)
_APOSTROPHES: Final = "'\u2019\u02bc\uff07"
_LETTER: Final = f"[^\\W{_UNSPACED}]"
_WORD: Final = f"{_LETTER}(?:{_LETTER}|[{_MARKS}])*+"
# Joins are counted so that a text of nothing but "a.a.a" is many tokens and none is lost.
_ASCII_TOKEN: Final = re.compile(r"[A-Za-z0-9_]+(?:[.'][A-Za-z0-9_]+){0,7}")
_TOKEN: Final = f"[{_UNSPACED}]{{1,128}}|{_WORD}(?:[.{_APOSTROPHES}]{_WORD}){{0,7}}"
_STARTS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")
_CONTRACTED: Final = re.compile(f"(?<!\\w)(\\w++)[{_APOSTROPHES}](\\w++)")
_APOSTROPHE: Final = re.compile(f"[{_APOSTROPHES}]")
_PART_BORDER: Final = re.compile(r"[._\s]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Letters that no decomposition folds.
_FOLDED: Final = str.maketrans("\u0131øØłŁđĐ", "ioOlLdD", "\u200c\u200d") | str.maketrans(
    {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
_ENDINGS_AFTER_I: Final = frozenset({"m", "d", "ll", "ve"})
_LONGEST_SUFFIX: Final = 12

_stemmers = threading.local()


def terms(text: str) -> list[str]:
    """Words of a text in order: folded, stemmed, identifiers whole and in parts.

    >>> terms("İstanbul'daki ISTANBUL")
    ['istanbul', 'istanbul']
    >>> terms("Fixing session_manager.py")
    ['fix', 'session_manager.py', 'session', 'manag', 'py']
    """
    pattern = _ASCII_TOKEN if text.isascii() else _token()
    found: list[str] = []
    for token in pattern.findall(text):
        found += _token_terms(token[:_MAX_TOKEN_CHARACTERS])
    return found


@cache
def _token() -> re.Pattern[str]:
    """Made for the first text that needs it: it takes 14 ms, for which no start should wait."""
    return re.compile(_TOKEN)


def term_hashes(text: str) -> NDArray[np.uint32]:
    """Hashes of the terms in order: the same on every machine, in every run.

    >>> term_hashes("memory memory").tolist()
    [4158268497, 4158268497]
    """
    found = terms(text)
    return np.fromiter(map(hash_of, found), dtype=np.uint32, count=len(found))


def query_terms(text: str) -> list[str]:
    """Terms worth searching for: each once, without stop words unless nothing else is left.

    >>> query_terms("When did we deploy the deploy script?")
    ['deploy', 'script']
    >>> query_terms("who is who")
    ['who', 'is']
    """
    unique = list(dict.fromkeys(terms(text)))
    return [term for term in unique if term not in STOP_WORDS] or unique


def contracted(text: str) -> NDArray[np.uint32]:
    """The terms that nothing in a question is but the ending of a stop word: of "what's" and "I'm", not of "Ada's".

    An encoder takes such words apart, and no text has their endings as terms: they would be the rarest of all.

    >>> contracted("What's my score?").tolist() == [hash_of("s")], contracted("What's Ada's score?").tolist()
    (True, [])
    """
    endings: dict[bool, set[str]] = {True: set(), False: set()}
    for head, ending in _CONTRACTED.findall(text):
        endings[STOP_WORDS.issuperset(terms(head))].add(ending.casefold())
    return np.array(sorted(map(hash_of, endings[True] - endings[False])), np.uint32)


@lru_cache(maxsize=2**15)
def _token_terms(token: str) -> tuple[str, ...]:
    if not token.isascii():
        token = unicodedata.normalize("NFKC", token)
        if _STARTS_UNSPACED.match(token):
            return tuple(token[at : at + 2] for at in range(max(len(token) - 1, 1)))
    return tuple(term for word in _without_suffix(token) for term in _word_terms(word))


def _without_suffix(token: str) -> list[str]:
    """Cut what follows an apostrophe (Ankara'da, Ada's), keeping contractions and names in one piece."""
    head, *tails = _APOSTROPHE.split(token)
    if len(tails) != 1:
        return [head, *tails]
    tail = tails[0]
    if tail in {"t", "T"} and head[-1:] in {"n", "N"}:
        return [head + tail]
    if len(head) == 1 and not (head in {"i", "I"} and tail.lower() in _ENDINGS_AFTER_I):
        return [(head + tail).casefold(), tail]
    return [head, tail] if len(tail) > _LONGEST_SUFFIX else [head]


def _word_terms(word: str) -> list[str]:
    cased = _without_diacritics(word).strip("._")
    parts = [part.casefold()[:MAX_TERM_CHARACTERS] for part in _PART_BORDER.split(cased) if part]
    if len(parts) < 2:
        return [_stem(part) for part in parts]
    return [cased.casefold()[:MAX_TERM_CHARACTERS], *map(_stem, parts)]


def _without_diacritics(word: str) -> str:
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).translate(_FOLDED)


@lru_cache(maxsize=2**15)
def _stem(word: str) -> str:
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    # A stemmer keeps the word that it works on in itself, so threads must not share one.
    if not hasattr(_stemmers, "english"):
        _stemmers.english = Stemmer.Stemmer("english")
    return str(_stemmers.english.stemWord(word))


@lru_cache(maxsize=2**15)
def hash_of(term: str) -> int:
    """A term's number: the same on every machine, in every run.

    >>> hash_of("memori") == int(term_hashes("memory")[0])
    True
    """
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


# Turkish words are written here as they are folded.
STOP_WORDS: Final = frozenset(
    terms(
        "a about am an and are as at be been but by can could did do does for from had has have he her him his "
        "how i if in is it its me my of on or our she so than that the their them then there these they this "
        "those to us was we were what when where which who whom whose why will with would you your "
        "acaba ama bana bazi ben beni benim bir biz bizim bu bunu bunun da daha de diye en gibi hangi hem icin "
        "ile ise kadar kez ki kim mi mu nasil ne neden nerede o olan olarak onlar onu onun sana sen senin siz su "
        "ve veya ya"
    )
)
