"""The command line: finds the verb, runs it, and says how it ended."""

import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from recollect.serve.ending import ended, let_go
from recollect.serve.options import Common, spread
from recollect.serve.verbs import SECTIONS, VERBS

ABOUT = """Long-term memory for AI agents: one file, offline, explained, and better with use.

    recollect remember "Deploys go through staging first" --tag ops

    recollect recall "how do we deploy?"
"""


class Verbs(TyperGroup):
    """The verbs of the list, each imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Typer's signature
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - Typer's signature
        return _verb(cmd_name) if cmd_name in VERBS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self.commands = dict.fromkeys(VERBS)  # type: ignore[assignment] # what a mistyped verb is compared with
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - Typer's signature
        for section, verbs in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, verb.about) for name, verb in verbs.items()])

    def main(  # type: ignore[override] # it is never anything but standalone
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Runs one command line; always ends by `SystemExit`, with a code of `exits`."""
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        run = partial(super().main, prog_name=prog_name or "recollect", **extra | {"standalone_mode": False})
        code = ended(words, run)
        let_go()
        sys.exit(code)


@cache
def _verb(name: str) -> Any:
    """A verb as Typer runs it, made once, however many command lines a process runs."""
    app = import_module(f"recollect.serve.commands.{VERBS[name].module}").app
    found = typer.main.get_command(app)
    return found.commands[name] if isinstance(found, TyperGroup) else found


app = typer.Typer(
    cls=Verbs,
    help=ABOUT,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from recollect import __version__  # noqa: PLC0415 - only who asks needs it

        typer.echo(f"recollect {__version__}")
        raise typer.Exit


def _start(
    common: Common,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """What stands before the verb: the verbs read it from the context."""


app.callback()(spread(_start))


def main() -> None:
    """The entry point of `recollect`."""
    app(prog_name="recollect")
