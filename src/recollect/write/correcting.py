"""What is said by less than it means, made whole by what was said before: "no, make it 180", "the deadline was moved"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from recollect.language.amending import alike, amended
from recollect.language.completing import completed
from recollect.language.corrections import correction
from recollect.language.outline import plain
from recollect.language.statements import Statement, statements
from recollect.write.work import Heard

_REACH: Final = 3
"""So many statements back, at most, is what a correction corrects."""


def is_fragment(text: str) -> bool:
    """Whether it takes something back and says no more than a part of what holds."""
    corrected = correction(text)
    return corrected is not None and not any(_is_whole(one) for one in statements(corrected))


def made_whole(said: Statement, earlier: Sequence[str], heard: Heard) -> Statement:
    """The statement, or in place of a correction what it corrects: in the same message, or in the speaker's last one.

    What changed is named in full where it was, by anybody.
    """
    fragment = correction(said.text)
    if fragment is None:
        whole = completed(said.text, (*earlier, *(one.text for one in heard.before)), said.language)
        return said if whole is None else replace(said, text=whole)
    for text in (*reversed(earlier[-_REACH:]), *_last_said(fragment, heard, said.language)):
        whole = amended(text, fragment, said.language)
        if whole is not None:
            return replace(said, text=whole, kind="statement", dangling=False)
    return said


def _is_whole(said: Statement) -> bool:
    return said.kind == "statement" and not said.dangling


def _last_said(fragment: str, heard: Heard, language: str) -> Iterator[str]:
    """What the speaker stated last, latest first, unless somebody named another such value since."""
    who, since = heard.speaker or heard.role, frozenset[str]()
    for said in reversed(heard.before):
        if said.who != who:
            since |= alike(said.text, fragment, language)
            continue
        stated = [one.text for one in statements(plain(said.text)) if _is_whole(one)]
        if since <= alike(said.text, fragment, language):
            yield from reversed(stated[-_REACH:])
        return
