"""The word lists of secret_words.txt."""

from functools import cache
from pathlib import Path


@cache
def words(name: str) -> frozenset[str]:
    """One of the lists.

    >>> "required" in words("describes")
    True
    """
    lines = Path(__file__).with_name("secret_words.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if line.startswith(f"{name}:") for word in line.split()[1:])
