"""The verbs that bring back what helps."""

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from recollect.exchange.values import memory_value
from recollect.serve import explaining, shapes
from recollect.serve.opening import opened
from recollect.serve.options import Asking, Common, Reach, verb
from recollect.serve.output import printed
from recollect.serve.reading import given_or_read
from recollect.serve.show import clipped, listed, plain

if TYPE_CHECKING:
    from recollect.engine.bundling import Bundle

app = typer.Typer(rich_markup_mode=None)

Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="What is looked for; `-` reads standard input.")
]


@verb(app, "recall")
def recall(
    common: Common,
    question: Question,
    asking: Asking,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each signal gave to each score, and the trace.")
    ] = False,
) -> None:
    """Bring back what helps with a question, best first.

    Answers from the channel and from _global, with what is true now, unless asked otherwise.
    """
    asked = given_or_read(question)
    shown = explaining.explained if explain else explaining.hits
    # Told before the store is closed, which counts what was recalled: nobody waits for that.
    with opened(common, must_exist=True) as memory:
        found = memory.recall(asked, **asking.recall())
        printed(common, shapes.recalled(found), lambda: shown(found))


@verb(app, "context")
def context(
    common: Common,
    question: Question,
    asking: Asking,
    budget: Annotated[
        int | None, typer.Option("--budget", metavar="TOKENS", help="The most tokens it may fill.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", metavar="NAME", help="markdown, xml or json.")
    ] = "markdown",
) -> None:
    """Print the best memories as text for a prompt.

    Each with its date, warnings first, as many as the budget of tokens holds.
    """
    asked = given_or_read(question)
    with opened(common, must_exist=True) as memory:
        text = memory.context(asked, budget_tokens=budget, format=format, **asking.recall())
        tokens = memory.settings.recall.budget_tokens if budget is None else budget
        value = {"query": asked, "budget_tokens": tokens, "context": text}
        if format == "json":
            # What is JSON already stands in JSON as what it is.
            value["context"] = json.loads(text or "[]")
        printed(common, value, lambda: Text(plain(text)) if text else Text("nothing found", style="dim"))


@verb(app, "bundle")
def bundle(
    common: Common,
    question: Question,
    k: Annotated[int, typer.Option("--limit", "-k", metavar="N", help="How many of each part.")] = 5,
) -> None:
    """Bring everything that helps with a question at once, part by part.

    Turns, facts, strategies, the entities that they name, the goals that are open, and the user's portrait.
    """
    asked = given_or_read(question)
    with opened(common, must_exist=True) as memory:
        found = memory.bundle(asked, k)
        printed(common, shapes.bundle(found), lambda: Text(plain(_parts(found))))


def _parts(found: "Bundle") -> str:
    parts = {
        "said": [hit.text for hit in found.episodic],
        "known": [hit.text for hit in found.facts],
        "how": [hit.text for hit in found.strategies],
        "about": [one.id for one in found.entities],
        "goals": [one.text for one in found.goals],
        "user": found.portrait.text.splitlines(),
    }
    told = {name: [f"- {clipped(line)}" for line in lines] for name, lines in parts.items() if lines}
    return "\n".join(line for name, lines in told.items() for line in (name, *lines)) or "nothing found"


@verb(app, "portrait")
def portrait(common: Common) -> None:
    """Show what is known about the user: preferences, expertise, style."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.portrait()
    nothing = "nothing is known about the user; `recollect describe` keeps something"
    printed(common, shapes.portrait(found), lambda: Text(plain(found.text or nothing)))


@verb(app, "timeline")
def timeline(
    common: Common,
    reach: Reach,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="The topic; without one, everything.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-k", metavar="N", help="How many.")] = 50,
) -> None:
    """Show what was believed when, of a topic or of all.

    Past and present memories, by the time when they became true.
    """
    with opened(common, embeds=question is not None, must_exist=True) as memory:
        found = memory.timeline(question, limit=limit, **reach.query())
        value = {"query": question, "memories": [memory_value(one) for one in found]}
        printed(common, value, lambda: listed(found, empty="nothing yet"))
