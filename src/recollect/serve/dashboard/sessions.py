"""Who is logged in: a cookie that says which key, until when, signed so that nobody can write it themselves."""

import hashlib
import hmac
import re

COOKIE = "recollect_session"
HOURS = 12
SESSION = re.compile(r"([0-9a-f]+)\.(\d{1,12})\.([0-9a-f]{64})", re.ASCII)


def signed(key_id: str, until: int, secret: bytes) -> str:
    """The cookie of a key, good until a moment in seconds.

    >>> known_by(signed("a1", 100, b"secret"), b"secret", now=99.0)
    'a1'
    """
    return f"{key_id}.{until}.{_signature(key_id, until, secret)}"


def known_by(cookie: str, secret: bytes, now: float) -> str | None:
    """The id of the key that a cookie was signed for; None where it was not signed here, or is over.

    >>> known_by(signed("a1", 100, b"secret"), b"secret", now=100.0) is None
    True
    >>> known_by(signed("a1", 100, b"another"), b"secret", now=1.0) is None
    True
    """
    found = SESSION.fullmatch(cookie)
    if found is None:
        return None
    key_id, until, signature = found[1], int(found[2]), found[3]
    good = hmac.compare_digest(signature, _signature(key_id, until, secret))
    return key_id if good and now < until else None


def _signature(key_id: str, until: int, secret: bytes) -> str:
    return hmac.new(secret, f"{key_id}.{until}".encode(), hashlib.sha256).hexdigest()
