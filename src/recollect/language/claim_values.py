"""What a statement says of its subject, without the words around it."""

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from recollect.language.claim_clauses import Clause
from recollect.language.claim_frames import Frame, Grammar
from recollect.language.known import lexicon
from recollect.language.lexicon import fold

MOST_WORDS: Final = 12
# A value that does not start with a capital is a name or a number only where little else is said.
MOST_UNNAMED_WORDS: Final = 3
_NUMBER: Final = re.compile(r"[$€£₺#v]?\d[\d.,:/-]*\s?(?:%|[a-z€₺$]{1,3}\b)?")
_WORD: Final = re.compile(r"\w+(?:[.'/-]\w+)*")
_CODE: Final = re.compile(r"[^\s]*[\d_@/][^\s]*")


@dataclass(frozen=True, slots=True)
class Value:
    """A value as claims compare it.

    `certain`: a name, a number or a code, that is, no adjective or verb. `described`: a name only tells more of it (at
    home in Porto, the Torslanda plant). `related`: it begins with a relation of
    its own (built by Ada), so what stands before it is no attribute. `quality`: how somebody or something is (tired).
    `origin`: where they are from (Swedish).
    """

    text: str
    number: bool = False
    certain: bool = False
    article: bool = False
    name: bool = False
    described: bool = False
    related: bool = False
    quality: bool = False
    origin: bool = False


def value_of(part: Clause | None, frame: Frame, grammar: Grammar) -> Value | None:
    """The value that a stretch of a clause gives, as the frame needs it; None where it gives none."""
    if part is None:
        return None
    value, article = _bare(part, grammar)
    words = _WORD.findall(value.folded)
    if not words or len(words) > MOST_WORDS or grammar.reading["value_is_not"].match(value.folded):
        return None
    named = any(map(str.isupper, value.written))
    number = _NUMBER.fullmatch(value.folded) is not None or (value.folded[:1].isdigit() and not named)
    rate = grammar.reading["value_is_rate"].fullmatch(value.folded) is not None
    short = value.written[:1].isupper() or len(words) <= MOST_UNNAMED_WORDS
    certain = rate or (short and (named or number or _CODE.fullmatch(value.written) is not None))
    described = _described(value, article=article)
    if frame.value == "named" and (described or not certain):
        return None
    if frame.value == "place" and not _place(part, value, grammar, article=article):
        return None
    name = value.written[:1].isupper()
    related = not name and grammar.reading["value_is_relation"].match(value.folded) is not None
    return Value(
        " ".join(words),
        number,
        certain,
        article,
        name,
        described,
        related,
        quality=_is_quality(value, grammar),
        origin=grammar.reading["value_is_origin"].fullmatch(value.folded) is not None,
    )


def _is_quality(value: Clause, grammar: Grammar) -> bool:
    """Whether it says how something is. With a capital the word is a name."""
    found = grammar.reading["value_is_quality"].fullmatch(value.folded)
    return found is not None and value.written[found.start("quality")].islower()


def _described(value: Clause, *, article: bool) -> bool:
    words = value.written.split()
    return words[0].islower() or (article and words[-1].islower())


def _bare(part: Clause, grammar: Grammar) -> tuple[Clause, bool]:
    """The value without articles before it and adverbs after it."""
    end = grammar.reading["value_end"].search(part.folded)
    if end:
        part = part.cut(0, end.start())
    tail = grammar.reading["value_tail"].search(part.folded)
    if tail and tail.start():
        part = part.cut(0, tail.start())
    article = False
    while start := grammar.reading["value_start"].match(part.folded):
        if start.end() == len(part.folded):
            break
        article = article or grammar.reading["articles"].match(part.folded) is not None
        part = part.cut(start.end())
    return part, article


def _place(part: Clause, value: Clause, grammar: Grammar, *, article: bool) -> bool:
    """Whether it may be a place's name. Who writes without capitals still names a place in few words.

    An address or a district is in a place, and what is known as something else (Spotify, Vim) is none.
    """
    name = " ".join(takewhile(str.istitle, value.written.split()))
    known = lexicon().get(fold(name) or value.folded)
    if (known is not None and known.kind != "place") or any(map(str.isdigit, value.written)):
        return False
    if value.written[:1].isupper():
        return not _described(value, article=article)
    unwritten = part.written == part.folded and not article and not value.folded[:1].isdigit()
    return (
        unwritten
        and len(value.folded.split()) <= 2
        and not grammar.reading["progressive"].match(value.folded)
    )
