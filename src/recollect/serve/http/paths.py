"""Names in addresses: one that has a slash in it is still one part of the path, where it is sent as %2F."""

from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.convertors import Convertor, register_url_convertor
from starlette.types import Scope

NAME: Final = "name"
"""How a route says that a part of its path is any name."""
VERBS: Final = "/api/"
SLASH: Final = "\udc2f"
"""Stands for a slash within a name until the route is found: no address that was decoded has half a character."""


class Name(Convertor[str]):
    """A part of a path that may be any name."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        return value.replace(SLASH, "/")

    def to_string(self, value: str) -> str:
        return value.replace("/", SLASH)


def path_of(scope: Scope) -> str:
    r"""The path of a verb, in which only those slashes part it that were sent as such; of all else as it is.

    >>> path_of({"path": "/api/a/b", "raw_path": b"/api/a%2Fb"}).split("/")
    ['', 'api', 'a\udc2fb']
    """
    raw: bytes = scope.get("raw_path") or b""
    if b"%" not in raw or not scope["path"].startswith(VERBS):
        return str(scope["path"])
    parts = (unquote_to_bytes(part).decode("utf-8", "replace") for part in raw.split(b"/"))
    return "/".join(part.replace("/", SLASH) for part in parts)


register_url_convertor(NAME, Name())
