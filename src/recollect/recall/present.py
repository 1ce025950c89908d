"""Hits as text for a prompt: dated, with what they replace, within a budget of tokens."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from recollect.errors import InvalidInput
from recollect.language.validity import validity
from recollect.model import NO_MAPPING, Memory
from recollect.recall.hits import Hit
from recollect.recall.merging import whose

CHARACTERS_A_TOKEN = 4
"""A rough measure that needs no tokenizer; English text has 4 to 5."""
BRIEF_CHARACTERS = 240
DUE = "Due now (intended earlier):"
ALWAYS = "Always worth knowing:"
HEADING = "Relevant memories (from long-term memory; newer ones replace older ones):"
WARNING = "warning"
"""The kind of what must not be done: it stands first and says so."""
Texts = Mapping[str, str]
"""Of memories that hits replaced, or that replaced them, by their ids."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a context is written: what stands before and after the entries, and between them."""

    entry: Callable[[Hit, Texts], str]
    before: str
    after: str = ""
    between: str = "\n"


def tokens(text: str) -> int:
    """About how many tokens a text costs, rounded up.

    >>> tokens("Deploys go through staging first")
    8
    """
    return -(-len(text) // CHARACTERS_A_TOKEN)


def gated(hits: Iterable[Hit], full_from: float, brief_from: float) -> list[Hit]:
    """Those that are likely about what was asked; those that may be are told in short (C26).

    One whose relevance is not known is told in full.
    """
    kept = [hit for hit in hits if hit.relevance is None or hit.relevance >= brief_from]
    return [
        hit
        if hit.relevance is None or hit.relevance >= full_from
        else replace(hit, memory=_brief(hit.memory))
        for hit in kept
    ]


def _brief(memory: Memory) -> Memory:
    if len(memory.text) <= BRIEF_CHARACTERS:
        return memory
    opening = memory.text[:BRIEF_CHARACTERS].rsplit(None, 1)[0]
    return replace(memory, text=f"{opening} […]")


def context(
    hits: Iterable[Hit],
    budget_tokens: int,
    format: str = "markdown",
    *,
    always: Sequence[Memory] = (),
    due: Sequence[Memory] = (),
    texts: Texts = NO_MAPPING,
) -> str:
    """The hits, warnings first and then the best first, as many as the budget holds; empty if there are none.

    What is due and what is always worth knowing stand before them, in Markdown under headings of their own; each
    takes half of what is left at most. What a hit replaced is told in its words where they are among the texts.

    `markdown` is for people and models alike, `xml` keeps memories apart from instructions, `json` is for programs.
    """
    if format not in LAYOUTS:
        raise InvalidInput(f"no format {format!r} of a context; there are: {', '.join(LAYOUTS)}")
    layout = LAYOUTS[format]
    left, told, sections = budget_tokens, set[str](), list[str]()
    if layout.entry is not _line:
        first = [Hit(memory, 1.0, {}, {}) for memory in dict.fromkeys((*due, *always))]
        known = {hit.id for hit in first}
        hits = [*first, *(hit for hit in hits if hit.id not in known)]
    else:
        for heading, memories in ((DUE, due), (ALWAYS, [one for one in always if one not in due])):
            section = _section(heading, memories, left // 2, texts)
            if section:
                sections.append(section)
                left -= tokens(section) + 1
                told |= {memory.id for memory in memories}
    rest = _laid_out(layout, [hit for hit in hits if hit.id not in told], left, texts)
    return "\n".join(part for part in (*sections, rest) if part)


def _section(heading: str, memories: Iterable[Memory], budget_tokens: int, texts: Texts) -> str:
    hits = [Hit(memory, 1.0, {}, {}) for memory in memories]
    return _laid_out(Layout(_line, heading + "\n"), hits, budget_tokens, texts)


def _laid_out(layout: Layout, hits: Iterable[Hit], budget_tokens: int, texts: Texts) -> str:
    left = budget_tokens - tokens(layout.before + layout.after) - 1
    entries = []
    for hit in sorted(hits, key=lambda hit: hit.memory.kind != WARNING):
        entry = layout.entry(hit, texts)
        if tokens(entry) + 1 > left:
            continue
        left -= tokens(entry) + 1
        entries.append(entry)
    return layout.before + layout.between.join(entries) + layout.after if entries else ""


def _line(hit: Hit, texts: Texts) -> str:
    warning = "Warning: " if hit.memory.kind == WARNING else ""
    told = "; ".join(
        part for part in (validity(hit.memory, texts, replaced_by=hit.replaced_by), whose(hit)) if part
    )
    return f"- {warning}{' '.join(hit.text.split())} ({told})"


def _element(hit: Hit, texts: Texts) -> str:
    """An element whose text cannot end it, whatever somebody said."""
    from xml.sax.saxutils import escape, quoteattr  # noqa: PLC0415 - brings urllib, and few contexts are XML

    attributes = " ".join(f"{name}={quoteattr(value)}" for name, value in _told(hit, texts).items())
    return f"<memory {attributes}>{escape(' '.join(hit.text.split()))}</memory>"


def _object(hit: Hit, texts: Texts) -> str:
    return json.dumps({"text": hit.text, **_told(hit, texts)}, ensure_ascii=False)


def _told(hit: Hit, texts: Texts) -> dict[str, str]:
    """What a reader must know beside the text."""
    memory = hit.memory
    told = {
        "id": memory.id,
        "kind": memory.kind,
        "holds": validity(memory, texts, replaced_by=hit.replaced_by),
        "said_by": memory.origin.speaker or memory.origin.role,
        "sources": " ".join(memory.origin.sources),
        "from": whose(hit),
    }
    return {name: value for name, value in told.items() if value}


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "markdown": Layout(_line, HEADING + "\n"),
        "xml": Layout(_element, "<memories>\n", "\n</memories>"),
        "json": Layout(_object, "[", "]", ",\n"),
    }
)
