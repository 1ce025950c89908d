"""Any text in PostgreSQL, which has no place for the NUL character.

NUL is written as two characters and the one that begins them as two as well, each in its order, so that texts
sort and begin as they did.
"""

import re

from psycopg.adapt import AdaptersMap, Buffer, Loader
from psycopg.pq import Format
from psycopg.types.string import StrBinaryDumper, StrDumper, StrDumperUnknown

NUL, ESCAPE = b"\x00", b"\x01"
ESCAPE_CHARACTER = "\x01"
ESCAPED_NUL, ESCAPED_ESCAPE = b"\x01\x01", b"\x01\x02"
ESCAPES = re.compile(b"\x01[\x01\x02]")


def escaped(data: bytes) -> bytes:
    r"""UTF-8 without a NUL.

    >>> escaped(b"a\x00b\x01")
    b'a\x01\x01b\x01\x02'
    """
    if NUL not in data and ESCAPE not in data:
        return data
    return data.replace(ESCAPE, ESCAPED_ESCAPE).replace(NUL, ESCAPED_NUL)


def unescaped(data: bytes) -> bytes:
    r"""The inverse of `escaped`.

    >>> unescaped(escaped(b"\x01\x00\x01\x01\x02"))
    b'\x01\x00\x01\x01\x02'
    """
    return ESCAPES.sub(_meant, data) if ESCAPE in data else data


def _meant(found: re.Match[bytes]) -> bytes:
    return NUL if found[0] == ESCAPED_NUL else ESCAPE


class _Binary(StrBinaryDumper):
    def dump(self, obj: str) -> Buffer:
        return escaped(obj.encode())


class _Text(StrDumper):
    def dump(self, obj: str) -> Buffer:
        return escaped(obj.encode())


class _Unknown(StrDumperUnknown):
    def dump(self, obj: str) -> Buffer:
        return escaped(obj.encode())


class _Loader(Loader):
    def load(self, data: Buffer) -> str:
        text = str(data, "utf8")
        return unescaped(bytes(data)).decode() if ESCAPE_CHARACTER in text else text


class _BinaryLoader(_Loader):
    format = Format.BINARY


def register(adapters: AdaptersMap) -> None:
    """Texts go and come through the above; the last dumper is the default."""
    for dumper in (_Binary, _Text, _Unknown):
        adapters.register_dumper(str, dumper)
    for name in ("text", "varchar"):
        adapters.register_loader(name, _Loader)
        adapters.register_loader(name, _BinaryLoader)
