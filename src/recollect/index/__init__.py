"""Derived search indexes: rebuilt from the store at any time, never the truth."""

from recollect.index.params import IndexParams
from recollect.index.partition import IndexStatus, Partition
from recollect.index.search import Arm, Candidates

__all__ = ["Arm", "Candidates", "IndexParams", "IndexStatus", "Partition"]
