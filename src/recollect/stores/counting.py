"""How many of what a user has, from the groups that a store counts."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from recollect.stores.rows import Row

NO_COUNTS: Mapping[str, Any] = MappingProxyType(
    {
        **dict.fromkeys(("log", "memory", "dormant", "versions", "edges", "tombstones"), 0),
        "channels": {},
        "witness": None,
    }
)


def counted(groups: Sequence[Row], *, edges: int, tombstones: int, head: Row) -> dict[str, Any]:
    """From rows of (lane, state, channel, versions, of these current) and the end of the chain."""
    active = [(lane, channel, n) for lane, state, channel, _, n in groups if state == "active" and n]
    sequence, end = head
    return {
        "log": sum(n for lane, _, n in active if lane == "log"),
        "memory": sum(n for lane, _, n in active if lane == "memory"),
        "dormant": sum(n for _, state, _, _, n in groups if state == "dormant"),
        "versions": sum(n for _, _, _, n, _ in groups),
        "edges": edges,
        "tombstones": tombstones,
        "channels": {
            name: sum(n for _, channel, n in active if channel == name)
            for name in sorted({channel for _, channel, _ in active})
        },
        "witness": {"entries": sequence, "hash": end.hex()} if sequence else None,
    }
