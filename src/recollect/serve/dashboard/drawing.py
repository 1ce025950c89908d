"""From what a page shows to its HTML. Everything that somebody said is escaped."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from recollect import __version__
from recollect.language.parts import readable
from recollect.language.validity import validity
from recollect.model import utc
from recollect.write.claiming import TAG as CLAIM

ROOT = "/dashboard"
CLIPPED = 160
KINDS_OF_FILES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def day(moment: datetime | None) -> str:
    """The day of a moment; a dash where there is none."""
    return "–" if moment is None else f"{utc(moment):%Y-%m-%d}"


def minute(moment: datetime | None) -> str:
    """A moment to the minute, in UTC."""
    return "–" if moment is None else f"{utc(moment):%Y-%m-%d %H:%M}"


def field_of(moment: datetime | None) -> str:
    """A moment as a date field of a form takes it."""
    return "" if moment is None else f"{utc(moment):%Y-%m-%dT%H:%M}"


def clip(text: str, most: int = CLIPPED) -> str:
    """A text in one line, and not too long.

    >>> clip("one two  three", 9)
    'one two…'
    """
    line = " ".join(readable(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def size(count: float) -> str:
    """A number of bytes as people read it.

    >>> size(512), size(2_300_000)
    ('512 B', '2.3 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1_000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1_000
    return f"{count:.1f} TB"


def seconds(value: float) -> str:
    """A time as people read it.

    >>> seconds(0.0042), seconds(75.0)
    ('4.2 ms', '1.2 min')
    """
    if value < 1:
        return f"{1_000 * value:.1f} ms"
    return f"{value:.1f} s" if value < 60 else f"{value / 60:.1f} min"


def own_tags(tags: Iterable[str]) -> list[str]:
    """The tags that people gave; the engine's own, by which claims are found, are not theirs to read.

    >>> own_tags(["ops", "claim:5a"])
    ['ops']
    """
    return [tag for tag in tags if not tag.startswith(CLAIM)]


@cache
def static(name: str) -> tuple[bytes, str] | None:
    """A file that pages need, and what it is; None where there is none of that name."""
    kind = KINDS_OF_FILES.get(name.rpartition(".")[2])
    file = files(__package__) / "static" / name
    return (file.read_bytes(), kind) if kind and "/" not in name and file.is_file() else None


@cache
def address(name: str) -> str:
    """Where a file is fetched; another address whenever it says something else, so that it can be kept for ever."""
    found = static(name)
    mark = sha256(found[0]).hexdigest()[:12] if found else __version__
    return f"{ROOT}/static/{name}?v={mark}"


@cache
def environment() -> Environment:
    """The templates."""
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "day": day,
        "minute": minute,
        "field_of": field_of,
        "clip": clip,
        "size": size,
        "seconds": seconds,
        "validity": validity,
        "readable": readable,
        "own_tags": own_tags,
        "number": lambda value: f"{value:,}",
        "pretty": lambda value: json.dumps(value, indent=2, ensure_ascii=False, default=str),
    }
    made.globals |= {"root": ROOT, "static": address, "version": __version__}
    return made


def drawn(template: str, shown: Mapping[str, Any]) -> bytes:
    """The page; half a character, which no encoding has, becomes a question mark."""
    return environment().get_template(f"{template}.html").render(shown).encode("utf-8", "replace")
