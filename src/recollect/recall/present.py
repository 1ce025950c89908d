"""Hits as text for a prompt: dated, with what they replace, within a budget of tokens."""

from collections.abc import Iterable

from recollect.language.validity import validity
from recollect.recall.hits import Hit

CHARACTERS_A_TOKEN = 4
"""A rough measure that needs no tokenizer; English text has 4 to 5."""
HEADING = "Relevant memories (from long-term memory; newer ones replace older ones):"


def tokens(text: str) -> int:
    """About how many tokens a text costs, rounded up.

    >>> tokens("Deploys go through staging first")
    8
    """
    return -(-len(text) // CHARACTERS_A_TOKEN)


def context(hits: Iterable[Hit], budget_tokens: int) -> str:
    """The hits as lines of Markdown, best first, as many as the budget holds; empty if there are none."""
    left = budget_tokens - tokens(HEADING) - 1
    lines = []
    for hit in hits:
        line = f"- {' '.join(hit.text.split())} ({validity(hit.memory)})"
        if tokens(line) + 1 > left:
            continue
        left -= tokens(line) + 1
        lines.append(line)
    return "\n".join([HEADING, *lines]) if lines else ""
