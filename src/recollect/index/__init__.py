"""Derived search indexes: rebuilt from the store at any time, never the truth."""

from recollect.index.params import IndexParams
from recollect.index.partition import IndexStatus, Partition

__all__ = ["IndexParams", "IndexStatus", "Partition"]
