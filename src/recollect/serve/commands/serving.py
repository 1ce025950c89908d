"""The verbs that serve memory to others."""

from importlib.util import find_spec
from typing import Annotated

import typer
from rich.text import Text

from recollect.errors import InvalidInput, MissingExtra
from recollect.serve import opening
from recollect.serve.options import Common, verb
from recollect.serve.output import printed

app = typer.Typer(rich_markup_mode=None)
PORT = 8420


@verb(app, "serve")
def serve(
    common: Common,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="0 takes any that is free.")] = PORT,
    no_keys: Annotated[
        bool,
        typer.Option("--no-keys", help="Ask for no key: every program of this machine is the user."),
    ] = False,
    no_dashboard: Annotated[
        bool, typer.Option("--no-dashboard", help="Serve programs alone, and no pages for people.")
    ] = False,
) -> None:
    """Serve memory over HTTP, to many users.

    Each caller is known by a key (`recollect keys create`). With a browser, / is the dashboard. Every address is in /openapi.json; /health and
    /ready tell how it is, /metrics how it was. SIGTERM and Ctrl-C end what is in flight first.
    """
    try:
        import fastapi  # noqa: F401, PLC0415
        import prometheus_client  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise MissingExtra(f"serving needs {error.name}: pip install 'recollect[server]'") from None
    from recollect import config  # noqa: PLC0415 - `--help` waits for none of it
    from recollect.serve.http import running  # noqa: PLC0415
    from recollect.serve.http.service import Options  # noqa: PLC0415

    if no_keys and not running.is_loopback(host):
        raise InvalidInput(f"--no-keys is for this machine alone (127.0.0.1), not for {host}")
    options = Options(
        store=opening.store_path(common),
        user=common.user or config.default_user(),
        keys=not no_keys,
        settings=opening.settings(common),
        dashboard=not no_dashboard,
    )
    bound = running.listening(host, port)
    url = f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}"
    value = {"url": url, "workers": running.worker_count(options), "keys": options.keys}
    lines = [f"serving {options.store} at {url} with {value['workers']} workers; Ctrl-C ends it"]
    lines += _advice(common, options.keys)
    lines += _dashboard(url) if options.dashboard else []
    printed(common, value, lambda: Text("\n".join(lines)))
    running.run(options, bound)


def _dashboard(url: str) -> list[str]:
    """Where people can look inside, or what that needs."""
    if find_spec("jinja2") is None:
        return ["the dashboard needs an extra: pip install 'recollect[dashboard]'"]
    return [f"open {url} in a browser to look inside"]


def _advice(common: Common, keys: bool) -> list[str]:
    """What to do next; the store is opened, so that what is wrong with it is told before anything is served."""
    from recollect.assembly import SystemClock  # noqa: PLC0415
    from recollect.serve.keys import Keys  # noqa: PLC0415

    with opening.opened(common, embeds=False) as memory:
        known = Keys(memory.store, SystemClock()).all()
    return [] if known or not keys else ["no key can call it yet: `recollect keys create` makes one"]
