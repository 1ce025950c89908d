"""Many memories in a few sentences, without a model: what they are about, since when, and the most telling of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from recollect.language.tongue import tongue
from recollect.model import Memory

LONGEST: Final = 600
QUOTED: Final = 5
WORDS: Final = {
    "en": {
        "theme": "{count} memories{about}, {span}: {said}",
        "summary": "{count} memories of the kind {kind}{about}, {span}: {said}",
        "history": "A conversation of {count} messages, {span}: {said}",
        "pattern": "It comes up again and again{about}: {count} times on {days} days, {span}. Last: {last}",
        "about": " about {names}",
        "span": "{first} to {last}",
        "day": "on {first}",
    },
    "tr": {
        "theme": "{count} anı{about}, {span}: {said}",
        "summary": "{kind} türünde {count} anı{about}, {span}: {said}",
        "history": "{count} mesajlık bir konuşma, {span}: {said}",
        "pattern": "Tekrar tekrar geçiyor{about}: {days} günde {count} kez, {span}. Son: {last}",
        "about": ", konu: {names}",
        "span": "{first} – {last}",
        "day": "{first}",
    },
}


def told(
    form: str,
    memories: Sequence[Memory],
    entities: Sequence[str] = (),
    kind: str = "",
    count: int | None = None,
) -> str:
    """The memories, the most telling first, in the words of a form: theme, summary, pattern or history.

    `count` is how many it is about, where these are not all.

    >>> from datetime import UTC, datetime
    >>> at = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 3)]
    >>> told("theme", [Memory("1", "Tea is hot.", at[0], at[0]), Memory("2", "Ada likes tea", at[1], at[1])])
    '2 memories, 2026-01-01 to 2026-01-03: Tea is hot. Ada likes tea.'
    """
    words = WORDS["tr" if tongue(" ".join(one.text for one in memories[:QUOTED])) == "tr" else "en"]
    days = sorted({one.valid_from.date() for one in memories})
    span = words["day" if len(days) == 1 else "span"].format(first=days[0], last=days[-1])
    names = ", ".join(_name(entity) for entity in entities)
    head = words[form].format(
        count=len(memories) if count is None else count,
        days=len(days),
        about=words["about"].format(names=names) if names else "",
        kind=kind,
        span=span,
        said="{said}",
        last=_sentence(max(memories, key=_when).text),
    )
    return head.replace("{said}", _quoted(memories, LONGEST - len(head)))


def _when(memory: Memory) -> tuple[datetime, str]:
    return memory.valid_from, memory.id


def _quoted(memories: Sequence[Memory], left: int) -> str:
    """As many whole sentences as there is room for, the first in any case."""
    said: list[str] = []
    for memory in memories[:QUOTED]:
        sentence = _sentence(memory.text)
        if said and len(sentence) + 1 > left:
            continue
        said.append(sentence)
        left -= len(sentence) + 1
    return " ".join(said)


def _sentence(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) > LONGEST // 2:
        flat = flat[: LONGEST // 2].rsplit(" ", 1)[0] + "…"
    return flat if flat.endswith((".", "!", "?", "…")) else f"{flat}."


def _name(entity: str) -> str:
    """How an entity is called: the end of its id."""
    return entity.rsplit("/", 1)[-1].replace("-", " ")
