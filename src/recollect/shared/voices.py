"""How runs that used published items went: told under a pseudonym, one voice an account, released only in groups."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np

from recollect.errors import Conflict
from recollect.formulas.voices import VOICES, VoiceParams, alike, release, weights
from recollect.model import Record
from recollect.ports import Changes, RecordChange, Store
from recollect.shared.items import LIBRARY_USER

VOICE, QUALITY, COORDINATION = "voice", "item_quality", "coordination"
PEPPER: Final = "pepper"
LAST: Final = "last"
MOST_ITEMS: Final = 1_000
"""Of so many items an account's voice is kept, the last that it told of."""
PAGE: Final = 500
ATTEMPTS: Final = 8
BATCH: Final = 500


class Voices:
    """What accounts tell, and what may be told of it."""

    def __init__(self, store: Store, params: VoiceParams = VOICES) -> None:
        self._store, self._params = store, params

    def tell(self, user: str, outcomes: Mapping[str, bool], now: datetime) -> None:
        """Adds how a run went that used items: an account's share of successes, however often it tells."""
        key = self._pseudonym(user, now)
        for _ in range(ATTEMPTS):
            record = self._store.record(LIBRARY_USER, VOICE, key)
            told: dict[str, list[int]] = {} if record is None else dict(record.value)
            for item, success in outcomes.items():
                won, uses = told.pop(item, (0, 0))
                # Those that were told of last stand last, and stay.
                told[item] = [won + bool(success), uses + 1]
            kept = dict(list(told.items())[-MOST_ITEMS:])
            change = RecordChange(VOICE, key, kept, 0 if record is None else record.revision)
            try:
                self._store.write(LIBRARY_USER, Changes("told", now, records=(change,)))
            except Conflict:
                continue
            return
        raise Conflict("this account keeps telling from elsewhere at the same time; try again")

    def is_due(self, now: datetime, every: timedelta) -> bool:
        """Whether it is time to look at what was told."""
        last = self._store.record(LIBRARY_USER, COORDINATION, LAST)
        return last is None or now - last.updated_at >= every

    def coordinate(self, now: datetime) -> int:
        """Releases what may be told of items of which enough more accounts have told; says of how many."""
        # Whoever could guess the dice could take the noise away.
        dice = np.random.default_rng(secrets.randbits(128))
        accounts = {one.key: one.value for one in self._each(VOICE)}
        places = {item: place for place, item in enumerate(dict.fromkeys(_items(accounts.values())))}
        told = {key: sum(1 << places[item] for item in voice) for key, voice in accounts.items()}
        tellers: dict[str, list[str]] = {}
        for key, voice in accounts.items():
            for item in voice:
                tellers.setdefault(item, []).append(key)
        before = {one.key: int(one.value["of"]) for one in self._each(QUALITY)}
        changes: list[RecordChange] = []
        evenly = alike((len(keys) for keys in tellers.values()), self._params)
        for item, keys in tellers.items():
            if len(keys) < max(self._params.group, self._params.growth * before.get(item, 0)):
                continue
            heard = weights(keys, told, evenly, dice, self._params)
            shares = [accounts[key][item][0] / accounts[key][item][1] for key in keys]
            found = release(shares, heard, dice, self._params)
            if found is not None:
                value = {"score": round(found.score, 4), "voices": found.voices, "of": len(keys)}
                changes.append(RecordChange(QUALITY, item, value))
        self._write(changes, now)
        return len(changes)

    def _write(self, changes: Sequence[RecordChange], now: datetime) -> None:
        for start in range(0, len(changes), BATCH):
            part = tuple(changes[start : start + BATCH])
            self._store.write(LIBRARY_USER, Changes("coordinate", now, records=part))
        done = RecordChange(COORDINATION, LAST, {"released": len(changes)})
        self._store.write(LIBRARY_USER, Changes("coordinate", now, records=(done,)))

    def _each(self, kind: str) -> Iterator[Record]:
        after: str | None = None
        while page := self._store.records(LIBRARY_USER, kind, after=after, limit=PAGE):
            yield from page
            after = page[-1].key

    def _pseudonym(self, user: str, now: datetime) -> str:
        """The same for the same account, and nobody's who does not have the library's secret."""
        record = self._store.record(LIBRARY_USER, COORDINATION, PEPPER)
        if record is None:
            made = RecordChange(COORDINATION, PEPPER, {"key": secrets.token_hex(32)}, 0)
            with suppress(Conflict):  # Somebody else may just have made it.
                self._store.write(LIBRARY_USER, Changes("coordinate", now, records=(made,)))
            record = self._store.record(LIBRARY_USER, COORDINATION, PEPPER)
        key = bytes.fromhex(record.value["key"]) if record is not None else b""
        return hmac.new(key, user.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:32]


def _items(voices: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for voice in voices:
        yield from voice
