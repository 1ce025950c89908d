"""Why a recall came to its hits: each signal's part in each score, and what each stage did."""

import json

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.recall.hits import Recall
from recollect.recall.merging import whose
from recollect.serve.show import entry, plain


def hits(found: Recall) -> RenderableType:
    """The hits, best first."""
    if not found.hits:
        return Text("nothing found", style="dim")
    grid = Table.grid(padding=(0, 2))
    for place, hit in enumerate(found, 1):
        told = entry(hit.memory, hit.holds)
        if by := whose(hit):
            told.append(f"\n{plain(by)}", style="magenta")
        grid.add_row(Text(f"{place}.", style="bold"), Text(f"{hit.score:.3f}", style="bold"), told)
    return grid


def explained(found: Recall) -> RenderableType:
    """The hits, a table of the signals' contributions, and the trace."""
    return (
        Group(hits(found), Text(), _signals(found), _trace(found))
        if found.hits
        else Group(hits(found), _trace(found))
    )


def _signals(found: Recall) -> Table:
    table = Table(box=SIMPLE_HEAD, title="contributions (value × weight)", title_justify="left")
    table.add_column("#", justify="right")
    table.add_column("score", justify="right")
    for name in found.trace.weights:
        table.add_column(f"{name}\n× {found.trace.weights[name]:g}", justify="right")
    for place, hit in enumerate(found, 1):
        parts = (f"{hit.signals[name]:+.3f}\n({hit.values[name]:.3f})" for name in found.trace.weights)
        table.add_row(str(place), f"{hit.score:.3f}", *parts)
    return table


def _trace(found: Recall) -> Table:
    trace = found.trace
    title = f"trace: profile {trace.profile}, at {trace.at.isoformat()}, {trace.elapsed_ms:.1f} ms"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("stage")
    table.add_column("ms", justify="right")
    table.add_column("what it did", overflow="fold")
    for step in trace.steps:
        told = json.dumps(dict(step.detail), ensure_ascii=False, default=str)
        table.add_row(step.stage, f"{step.elapsed_ms:.2f}", Text(plain(told)))
    return table
