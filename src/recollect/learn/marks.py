"""Numbers for texts, so that nothing that a purge must find is kept where a purge does not look."""

from hashlib import blake2b

MASK = (1 << 63) - 1


def mark(text: str) -> int:
    """The number by which an action, its type or a kind of task is known."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") & MASK
