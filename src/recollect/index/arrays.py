"""Named arrays in one file: written whole or not at all, mapped when read, checked as they are touched.

Layout: a prefix (magic, format, sizes, checksum), a JSON head with the table of arrays, the checksums
of their chunks, then the arrays. The prefix's checksum covers all before the arrays and is checked at
once. Reading whole files to check them would cost the quick opening, so a chunk of an array is checked
when it is first used: nothing unchecked is ever calculated with.
"""

import json
import mmap
import os
import secrets
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

MAGIC: Final = b"RCLINDEX"
FORMAT: Final = 3
CHUNK_BYTES: Final = 1 << 16
ALIGNED_BYTES: Final = 64
TEMPORARY: Final = ".tmp"
_PREFIX: Final = struct.Struct("<8sIIII")


class Damaged(Exception):
    """A file of the index cannot be trusted. Caught inside the index, which makes the file anew."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path


class Arrays:
    """Read-only arrays and what is said about them, in memory or in a file."""

    def __init__(
        self, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: Path | None = None
    ) -> None:
        self.head = head
        self.path = path
        self._arrays = arrays
        self._sums: dict[str, NDArray[np.uint32]] = {}
        self._checked: dict[str, bytearray] = {}

    @classmethod
    def open(cls, path: Path) -> Self:
        """Map a file; `Damaged` unless its head is whole and its size is right."""
        try:
            with path.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            head, sums, start = _read_head(mapped)
            arrays = {name: _mapped(mapped, start, **entry) for name, entry in head["arrays"].items()}
            if len(mapped) != start + head["bytes"]:
                raise Damaged(path, f"has {len(mapped)} bytes instead of {start + head['bytes']}")
            opened = cls(head, arrays, path)
            at = 0
            for name, array in arrays.items():
                count = _chunks(array.nbytes)
                opened._sums[name] = sums[at : at + count]
                opened._checked[name] = bytearray(count)
                at += count
        except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
            raise Damaged(path, f"cannot be read ({error})") from error
        return opened

    def whole(self, name: str) -> NDArray[Any]:
        array = self._arrays[name]
        if self._sums:
            self._check(name, 0, array.nbytes)
        return array

    def part(self, name: str, start: int, stop: int) -> NDArray[Any]:
        """A slice of a one-dimensional array, without reading or checking the rest of it."""
        array = self._arrays[name]
        if self._sums:
            self._check(name, start * array.itemsize, stop * array.itemsize)
        return array[start:stop]

    def labelled(self, label: Mapping[str, Any]) -> "Arrays":
        """The same arrays with more said about them."""
        return Arrays({**self.head, **label}, self._arrays)

    def save(self, path: Path) -> None:
        """Write to a temporary file beside it, flush, and rename over it; only the owner may read it."""
        temporary = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")
        try:
            with open(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:  # noqa: PTH123
                file.writelines(self._pieces())
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise

    def _pieces(self) -> Iterator[bytes | memoryview]:
        table: dict[str, Any] = {}
        sums = bytearray()
        end = 0
        for name, array in self._arrays.items():
            offset = _aligned(end)
            end = offset + array.nbytes
            table[name] = {"dtype": array.dtype.str, "shape": array.shape, "offset": offset}
            data = _bytes_of(array)
            for at in range(0, array.nbytes, CHUNK_BYTES):
                sums += zlib.crc32(data[at : at + CHUNK_BYTES]).to_bytes(4, "little")
        head = json.dumps({**self.head, "arrays": table, "bytes": end}).encode()
        checksum = zlib.crc32(sums, zlib.crc32(head))
        prefix = _PREFIX.pack(MAGIC, FORMAT, len(head), len(sums), checksum)
        size = len(prefix) + len(head) + len(sums)
        yield prefix + head + bytes(sums) + bytes(_aligned(size) - size)
        written = 0
        for name, array in self._arrays.items():
            yield bytes(table[name]["offset"] - written)
            yield _bytes_of(array)
            written = table[name]["offset"] + array.nbytes

    def _check(self, name: str, start: int, stop: int) -> None:
        checked = self._checked[name]
        first, end = start // CHUNK_BYTES, _chunks(stop)
        if checked.find(0, first, end) < 0:
            return
        data = _bytes_of(self._arrays[name])
        for chunk in range(first, end):
            if not checked[chunk]:
                if (
                    zlib.crc32(data[chunk * CHUNK_BYTES : (chunk + 1) * CHUNK_BYTES])
                    != self._sums[name][chunk]
                ):
                    raise Damaged(self.path or Path(), f"chunk {chunk} of {name} was changed")
                checked[chunk] = 1


def _read_head(mapped: mmap.mmap) -> tuple[dict[str, Any], NDArray[np.uint32], int]:
    magic, version, head_bytes, sums_bytes, checksum = _PREFIX.unpack_from(mapped)
    end = _PREFIX.size + head_bytes + sums_bytes
    data = mapped[_PREFIX.size : end]
    if magic != MAGIC or version != FORMAT or zlib.crc32(data) != checksum:
        raise ValueError("not a file of this index, or changed")
    return json.loads(data[:head_bytes]), np.frombuffer(data[head_bytes:], "<u4"), _aligned(end)


def _mapped(mapped: mmap.mmap, start: int, dtype: str, shape: list[int], offset: int) -> NDArray[Any]:
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.empty(shape, dtype)
    return np.frombuffer(mapped, dtype, count, start + offset).reshape(shape)


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data if array.size else memoryview(b"")


def _aligned(size: int) -> int:
    return -(-size // ALIGNED_BYTES) * ALIGNED_BYTES


def _chunks(size: int) -> int:
    return -(-size // CHUNK_BYTES)
