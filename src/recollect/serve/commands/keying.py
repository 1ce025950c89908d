"""The verbs about the keys of the service."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from recollect.serve.opening import opened
from recollect.serve.options import Common, spread, verb
from recollect.serve.output import printed
from recollect.serve.show import plain

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.serve.keys import Key, Keys

app = typer.Typer(rich_markup_mode=None)
keys = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(keys, name="keys")
COLUMNS = ("id", "user", "name", "rights", "created_at", "expires_at", "revoked_at")


def keys_(common: Common) -> None:
    """Make, list and revoke the keys of the service.

    A key is a user's: who calls with it sees that user's memory and nobody else's.
    """


@verb(keys, "create")
def create(
    common: Common,
    right: Annotated[
        list[str] | None,
        typer.Option(
            "--right", metavar="RIGHT", help="read, write or admin [repeatable]; by default read and write."
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="What it is for.")] = "",
    days: Annotated[float | None, typer.Option("--days", metavar="N", help="How long it is good.")] = None,
) -> None:
    """Make a key for the user, and show it this once."""
    from recollect.errors import InvalidInput  # noqa: PLC0415
    from recollect.serve.keys import Right  # noqa: PLC0415

    wanted = right or ["read", "write"]
    unknown = [one for one in wanted if one not in tuple(Right)]
    if unknown:
        raise InvalidInput(f"no right {', '.join(unknown)}; there are: {', '.join(Right)}")
    with opened(common, embeds=False) as memory:
        made, token = _keys(memory).create(memory.user, [Right(one) for one in wanted], name=name, days=days)
    value = _value(made) | {"key": token}
    line = f"{token}\nfor {made.user}: {', '.join(made.rights)}. Keep it: it is not shown again."
    printed(common, value, lambda: Text(plain(line)))


@verb(keys, "list")
def list_(common: Common) -> None:
    """List the keys: of one user where --user names one, otherwise all."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = _keys(memory).all(common.user)
    values = [_value(one) for one in found]
    printed(common, {"keys": values}, lambda: _table(values))


@verb(keys, "revoke")
def revoke(
    common: Common, key_id: Annotated[str, typer.Argument(metavar="ID", help="The key's id.")]
) -> None:
    """Make a key useless, within a second."""
    with opened(common, embeds=False, must_exist=True) as memory:
        gone = _keys(memory).revoke(key_id)
    printed(common, _value(gone), lambda: Text(f"{gone.id} is revoked"))


keys.callback()(spread(keys_))


def _keys(memory: "Recollect") -> "Keys":
    from recollect.assembly import SystemClock  # noqa: PLC0415
    from recollect.serve.keys import Keys  # noqa: PLC0415

    return Keys(memory.store, SystemClock())


def _value(key: "Key") -> dict[str, Any]:
    from recollect.exchange.values import iso  # noqa: PLC0415

    return {
        "id": key.id,
        "user": key.user,
        "name": key.name,
        "rights": list(key.rights),
        "created_at": iso(key.created_at),
        "expires_at": iso(key.expires_at),
        "revoked_at": iso(key.revoked_at),
    }


def _table(values: list[dict[str, Any]]) -> Table | Text:
    if not values:
        return Text("no keys yet: `recollect keys create` makes one", style="dim")
    table = Table(*COLUMNS, box=SIMPLE_HEAD)
    for one in values:
        table.add_row(*(_cell(one[name]) for name in COLUMNS))
    return table


def _cell(value: Any) -> Text:
    return Text(plain(", ".join(value) if isinstance(value, list) else value or ""))
