"""Another store behind an HTTP service, as a sync asks it."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.remote import Remote


class HttpPeer:
    """A store that `recollect serve` serves, with the key of the user whose memory is synced."""

    def __init__(self, address: str, key: str = "") -> None:
        self._remote = Remote(address, key)

    def place(self, sender: str) -> Any:
        return self._remote.post("/sync/place", {"sender": sender})

    def give(self, place: Mapping[str, Any], channels: Sequence[str] | None) -> Any:
        chosen = None if channels is None else list(channels)
        return self._remote.post("/sync/give", {"place": dict(place), "channels": chosen})

    def take(self, message: Mapping[str, Any]) -> Any:
        return self._remote.post("/sync/take", message)
