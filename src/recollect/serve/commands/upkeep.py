"""The verbs that look after the store."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import typer
from rich.console import RenderableType
from rich.text import Text

from recollect.serve.exits import FAILED
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed, progress
from recollect.serve.show import pairs, plain

app = typer.Typer(rich_markup_mode=None)


@verb(app, "stats")
def stats(common: Common) -> None:
    """Show counts, sizes and the state of the index and the model."""
    with opened(common, must_exist=True) as memory:
        value = memory.stats()
    printed(common, value, lambda: pairs(dict(_flat(value))))


@verb(app, "verify")
def verify(common: Common) -> None:
    """Find what was changed behind the engine's back.

    Texts, versions, edges, settings and what keeps erased texts away, by the chain that witnesses every write. It does
    not cover what use and outcomes teach, what is derived, what was read, and the names of users. Ends with 1 if there
    is a fault, each of which is named.
    """
    with opened(common, embeds=False, must_exist=True) as memory, progress("verifying") as heard:
        faults = memory.verify(heard)
        where = memory.store.location
    value = {"ok": not faults, "store": where, "faults": [asdict(fault) for fault in faults]}
    printed(common, value, lambda: _verdict(value))
    if faults:
        raise typer.Exit(FAILED)


@verb(app, "compact")
def compact(common: Common) -> None:
    """Give unused space back and merge the index.

    Recalls go on meanwhile.
    """
    with opened(common, must_exist=True) as memory:
        before = _size(memory.stats())
        memory.compact()
        after = _size(memory.stats())
    value = {"bytes_before": before, "bytes_after": after}
    printed(common, value, lambda: Text(f"{before:,} bytes before, {after:,} after"))


@verb(app, "reembed")
def reembed(common: Common) -> None:
    """Give every text a vector of the present embedder.

    And make that the store's model. If it is interrupted, call it again: it goes on where it was.
    """
    with opened(common, must_exist=True) as memory, progress("embedding") as heard:
        count = memory.reembed(heard)
        model = memory.stats()["model"]
    value = {"reembedded": count, "model": model}
    name = model["name"] if model else "no model"
    printed(common, value, lambda: Text(f"{count} texts embedded anew; the store's model is {name}"))


def _verdict(value: Mapping[str, Any]) -> RenderableType:
    if value["ok"]:
        return Text(f"{value['store']} is whole", style="green")
    return Text("\n".join(plain(f"{fault['subject']}: {fault['problem']}") for fault in value["faults"]))


def _size(stats: Mapping[str, Any]) -> int:
    return int(sum(stats["bytes"].values()) + stats["index"]["bytes_on_disk"])


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, one in value.items():
        if isinstance(one, Mapping):
            yield from _flat(one, f"{prefix}{name}.")
        else:
            yield (
                prefix + name,
                f"{one:,}" if isinstance(one, int) else ", ".join(one) if isinstance(one, list) else str(one),
            )
