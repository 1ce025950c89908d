"""The other store of a sync, in this process."""

import json

from recollect.errors import StoreUnavailable
from recollect.exchange.syncing import checked, place_value, secret_of, signed

KEY = "rcl_a_key"


class Beside:
    """The other store in this process, as a service answers; it can break off at any call."""

    def __init__(self, memory, key=KEY):
        self.memory, self.secret, self.calls, self.breaks_at = memory, secret_of(key), 0, None

    def place(self, sender):
        self._called()
        return {"store": self.memory.store.identity, "place": place_value(self.memory.sync_place(sender))}

    def give(self, place, channels):
        self._called()
        return json.loads(json.dumps(signed(self.memory.sync_page(place, channels), self.secret)))

    def take(self, message):
        self._called()
        self.memory.take_page(checked(json.loads(json.dumps(message)), self.secret))
        if self.breaks_at == -self.calls:
            raise StoreUnavailable("the answer was lost")

    def _called(self):
        self.calls += 1
        if self.breaks_at == self.calls:
            raise StoreUnavailable("gone")


def broken_off(memory, other, at):
    """A sync that breaks off at a call, or after it where the number is negative; both stores are whole."""
    peer = Beside(other)
    peer.breaks_at = at
    try:
        memory.sync(peer, key=KEY)
    except StoreUnavailable:
        assert memory.verify() == other.verify() == []
