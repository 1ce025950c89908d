"""A year of somebody's life with an agent, made of public conversations: what is told and asked on each day."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from recollect.errors import InvalidInput
from recollect.evals.model import Corpus, EvalSet, Question, Session
from recollect.evals.sets import SOURCES, load, present

DAYS: Final = 365
SITTING: Final = 20
"""So many turns of one session are told on one day at most: BEAM's sessions have a hundred."""
SETS: Final[tuple[str, ...]] = ("locomo", "beam", "realmem")
LATER: Final = 30
"""Within so many days after its answer was told, what is asked to practise is asked."""


@dataclass(frozen=True, slots=True)
class Told:
    """Some turns of a session, and the conversation that they belong to."""

    channel: str
    part: Session


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, of which conversation, and what becomes of the answer."""

    channel: str
    question: Question
    grouped: bool
    """Evidence names whole sessions."""
    practice: bool
    """Asked to learn from, with feedback; the others are asked to measure, and nothing is learnt from them."""


@dataclass(slots=True)
class Day:
    """What is asked in the morning, and what is told after that."""

    asked: list[Asked] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Year:
    """The days, and the questions at the end of it."""

    days: tuple[Day, ...]
    exam: tuple[Asked, ...]


def conversations(data: Path, limit: int | None = None) -> tuple[list[str], list[Corpus]]:
    """The sets of the folder that a life is made of, and their conversations.

    All of them, or of each set the first so many turns.
    """
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit is a number of turns above 0, not {limit}")
    found = [name for name in SETS if name in present(data.expanduser())]
    if not found:
        usual = ", ".join(name for one in SETS for name in SOURCES[one].usual)
        raise InvalidInput(f"{data} has none of {usual}: there is nothing to live through")
    return found, [corpus for name in found for corpus in _first(load(name, data), limit)]


def year(corpora: Sequence[Corpus], days: int = DAYS) -> Year:
    """The conversations side by side, each from the first day to the last.

    Every other question is for practice; those about something that changed are all for measuring. A question
    that belongs before one of its sessions is asked on that day, the others when the year is over.
    """
    calendar = tuple(Day() for _ in range(days))
    exam: list[Asked] = []
    for corpus in corpora:
        sittings = [part for session in corpus.sessions for part in _sittings(session)]
        when = [place * days // len(sittings) for place in range(len(sittings))]
        for day, part in zip(when, sittings, strict=True):
            calendar[day].told.append(Told(corpus.name, part))
        begins, ends = _first_and_last(sittings, when)
        for place, question in enumerate(corpus.questions):
            gold = tuple(key for key in question.gold if key in ends)
            if not gold or question.before not in {None, *begins}:
                continue
            practice = bool(place % 2) and not (question.newer and question.older)
            asked = Asked(corpus.name, replace(question, gold=gold), corpus.grouped, practice)
            if question.before is not None:
                calendar[begins[question.before]].asked.append(asked)
            elif asked.practice:
                calendar[min(max(ends[key] for key in gold) + 1 + place % LATER, days - 1)].asked.append(
                    asked
                )
            else:
                exam.append(asked)
    return Year(calendar, tuple(exam))


def _first(sets: Sequence[EvalSet], limit: int | None) -> Iterator[Corpus]:
    left = limit
    for corpus in (corpus for whole in sets for corpus in whole.corpora):
        if left is None:
            yield corpus
        elif left > 0:
            sessions = tuple(_up_to(corpus.sessions, left))
            left -= sum(len(session.items) for session in sessions)
            yield replace(corpus, sessions=sessions)


def _up_to(sessions: Sequence[Session], turns: int) -> Iterator[Session]:
    for session in sessions:
        if turns > 0:
            yield replace(session, items=session.items[:turns])
            turns -= len(session.items)


def _sittings(session: Session) -> list[Session]:
    parts = range(0, len(session.items), SITTING)
    return [Session(session.id, session.items[start : start + SITTING]) for start in parts]


def _first_and_last(
    sittings: Sequence[Session], when: Sequence[int]
) -> tuple[dict[str, int], dict[str, int]]:
    """By session, the day on which it begins; by key of evidence, the day on which it was last told."""
    begins: dict[str, int] = {}
    ends: dict[str, int] = {}
    for day, part in zip(when, sittings, strict=True):
        begins.setdefault(part.id, day)
        ends |= dict.fromkeys((item.key for item in part.items), day)
    return begins, ends
