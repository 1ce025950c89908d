"""The verbs that take memories away, and bring them back."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.exchange.values import memory_value
from recollect.model import Memory
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import console, printed
from recollect.serve.reading import agreed, at_keyboard
from recollect.serve.show import listed

if TYPE_CHECKING:
    from recollect.engine import Recollect

app = typer.Typer(rich_markup_mode=None)
Ids = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Ids of memories, or unique beginnings of them.")
]


@verb(app, "forget")
def forget(common: Common, memory_ids: Ids) -> None:
    """Make memories dormant; `restore` undoes it."""
    _each(common, memory_ids, lambda memory: memory.forget)


@verb(app, "restore")
def restore(common: Common, memory_ids: Ids) -> None:
    """Bring dormant memories back."""
    _each(common, memory_ids, lambda memory: memory.restore)


@verb(app, "purge")
def purge(
    common: Common,
    memory_ids: Ids,
    derived: Annotated[
        bool, typer.Option("--derived", help="And everything that was formed from them.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
) -> None:
    """Erase memories for good; it cannot be undone.

    Every version of them goes, from the store, its index and the copies that were made of it, and the same
    text is refused from then on.
    """
    if not yes and not at_keyboard():
        raise InvalidInput("purging cannot be undone, and there is nobody to ask: confirm it with --yes")
    with opened(common, embeds=False, must_exist=True) as memory:
        doomed = _found(memory, memory_ids)
        if derived:
            doomed = _found(
                memory, [*(one.id for one in doomed), *memory.derived(*(one.id for one in doomed))]
            )
    if not yes:
        _confirm(doomed)
    with opened(common, must_exist=True) as memory:
        left = memory.purge(*(one.id for one in doomed))
        said = dict.fromkeys(source for one in doomed for source in one.origin.sources)
        there = [source for source in said if memory.find(source) is not None]
    value = {"purged": [one.id for one in doomed], "derived": left, "sources": there}
    printed(common, value, lambda: _purged(value))


def _each(common: Common, ids: list[str], verb_of: "Callable[[Recollect], Callable[[str], Memory]]") -> None:
    """Does the same to all, after all were found."""
    with opened(common, embeds=False, must_exist=True) as memory:
        changed = [verb_of(memory)(one.id) for one in _found(memory, ids)]
    value = {"memories": [memory_value(one) for one in changed]}
    printed(common, value, lambda: listed(changed, empty=""))


def _found(memory: "Recollect", ids: list[str]) -> list[Memory]:
    return list({one.id: one for one in map(memory.get, ids)}.values())


def _confirm(doomed: list[Memory]) -> None:
    console(stderr=True).print(listed(doomed, empty=""))
    what = "this memory" if len(doomed) == 1 else f"these {len(doomed)} memories"
    if not agreed(f"Erase {what} for good?"):
        raise typer.Abort


def _purged(value: dict[str, Any]) -> Text:
    lines = [f"purged {memory_id}" for memory_id in value["purged"]]
    lines += [f"formed from it, and still there: {memory_id}" for memory_id in value["derived"]]
    lines += [f"said in, and still there: {memory_id}" for memory_id in value["sources"]]
    return Text("\n".join(lines))
