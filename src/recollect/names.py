"""The names by which a caller addresses something: whose it is, where it was said, who did it."""

from recollect.errors import InvalidInput
from recollect.model import Origin


def checked_name(what: str, name: object) -> str:
    """A name that says something: the store would give back a number as a text, and call that tampering.

    >>> checked_name("user", "ada")
    'ada'
    """
    if not isinstance(name, str):
        raise InvalidInput(f"a {what} is a text, not {name!r}: {_as_text(name)}")
    if not name.strip():
        raise InvalidInput(f"a {what} is a name, not empty")
    return name


def checked_label(what: str, label: object) -> str | None:
    """The same for what may be left out, or be empty where a caller has none."""
    return label if label is None or label == "" else checked_name(what, label)


def checked_origin(origin: Origin) -> Origin:
    """Where something comes from, as far as a caller names it."""
    for what in ("session", "run", "actor"):
        checked_label(what, getattr(origin, what))
    return origin


def _as_text(name: object) -> str:
    return f"write {str(name)!r}" if isinstance(name, int | float) else "give its name"
