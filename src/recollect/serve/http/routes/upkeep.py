"""Look after the store and the settings."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query

from recollect.assembly import IN_MEMORY
from recollect.config import SETTINGS
from recollect.engine import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.serve import shapes
from recollect.serve.http import models, sending
from recollect.serve.http.routes.looking import Limit, Named, When
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["look after"])
Place = Annotated[
    str | None, Query(min_length=1, max_length=1_000, description="`next` of the page before this one.")
]


@verb(router, "GET", "/config", right=Right.READ, answers=models.Config)
def config(memory: Recollect) -> dict[str, Any]:
    """Show the settings of this user.

    Those that belong to the service itself are not among them.
    """
    return _config(memory)


@verb(router, "PUT", "/config", right=Right.ADMIN, answers=models.Config)
def configure(memory: Recollect, changed: Annotated[sending.Changed, Body()]) -> dict[str, Any]:
    """Change some settings of this user, at once.

    What is not named stays as it is; null takes a setting back to its default. All are changed, or none.
    """
    fixed = [name for name in changed if name in SETTINGS and SETTINGS[name].at_start]
    if fixed:
        raise Refused(f"{', '.join(fixed)}: chosen by whoever starts the service")
    _check_types(changed)
    memory.configure(changed)
    return _config(memory)


@verb(router, "GET", "/stats", right=Right.READ, answers=models.Stats)
def stats(memory: Recollect) -> dict[str, Any]:
    """Show counts, sizes and the state of the index and the model."""
    told = memory.stats()
    # Where things lie on the server's disk is not the caller's business.
    return {name: told[name] for name in models.Stats.model_fields}


@verb(router, "POST", "/verify", right=Right.READ, answers=models.Verdict, slow=True)
def verify(memory: Recollect) -> dict[str, Any]:
    """Find what was changed behind the engine's back."""
    faults = memory.verify()
    return {"ok": not faults, "faults": [asdict(fault) for fault in faults]}


@verb(router, "GET", "/audit", right=Right.ADMIN, answers=models.Audit)
def audit(
    memory: Recollect,
    since: When = None,
    until: When = None,
    operation: Named = None,
    session: Named = None,
    memory_id: Named = None,
    only: Literal["writes", "reads"] | None = None,
    limit: Limit = 50,
    after: Place = None,
) -> dict[str, Any]:
    """Show what was written, and what was read and by whom.

    The newest first. Every write is in it; reads are as far as the setting `audit.level` keeps them.
    """
    page = memory.audit(
        since=since,
        until=until,
        operation=operation,
        session=session,
        memory_id=memory_id,
        only=only,
        limit=limit,
        after=after,
    )
    return shapes.audited(page)


@verb(router, "POST", "/compact", right=Right.ADMIN, answers=models.Compacted, slow=True)
def compact(memory: Recollect) -> dict[str, Any]:
    """Give unused space back and merge the index; recalls go on meanwhile.

    The bytes are those of the store's file and its index, on the machine of the service; what a database server
    holds is not among them.
    """
    before = _size(memory.stats())
    memory.compact()
    return {"bytes_before": before, "bytes_after": _size(memory.stats())}


@verb(router, "POST", "/snapshot", right=Right.ADMIN, answers=models.Snapshot, slow=True)
def snapshot(memory: Recollect, sent: sending.NewSnapshot) -> dict[str, Any]:
    """Copy the whole store, as it is now, into a file beside it on the server.

    A purge reaches it too. A store on a database server is copied by the command line.
    """
    location = memory.store.location
    if location == IN_MEMORY:
        raise InvalidInput("this store lies in memory alone: there is no file to copy")
    if not Path(location).is_file():
        raise InvalidInput(
            "this store lies on a database server, and no file can lie beside it: `recollect snapshot PATH` copies"
            " it into one, where that runs"
        )
    folder = Path(location + ".snapshots")
    folder.mkdir(mode=0o700, exist_ok=True)
    memory.snapshot(folder / f"{sent.name}.db")
    return {"name": sent.name}


def _check_types(changed: Mapping[str, Any]) -> None:
    """A shell says everything in words; JSON has types, and a number in words is a mistake here."""
    wrong = [
        f"{name} is a {SETTINGS[name].type.__name__}, not {value!r}"
        for name, value in changed.items()
        if name in SETTINGS and value is not None and not _is_of(SETTINGS[name].type, value)
    ]
    if wrong:
        raise InvalidInput("; ".join(wrong))


def _is_of(kind: type, value: Any) -> bool:
    if kind is bool or isinstance(value, bool):
        return kind is bool and isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, int | float) if kind is float else isinstance(value, str)


def _config(memory: Recollect) -> dict[str, Any]:
    return {"settings": shapes.settings(memory, (one for one in SETTINGS.values() if not one.at_start))}


def _size(told: Mapping[str, Any]) -> int:
    return int(sum(told["bytes"].values()) + told["index"]["bytes_on_disk"])
