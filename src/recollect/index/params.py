"""What can be set about the index."""

from dataclasses import dataclass

from recollect.formulas.bm25 import DEFAULT_PARAMS, BM25Params


@dataclass(frozen=True, slots=True)
class IndexParams:
    """Sizes are in documents; the defaults were measured on two cores (see the benchmarks)."""

    rescore: int = 500
    """Up to this many eligible documents are all scored exactly; of more, the bits bring so many."""
    finalists: int = 200
    """How many of those, weighed again with the query's own numbers, are scored exactly; at least four for each
    one asked for. Recall@10 at several depths over 100,000 real texts is in docs/benchmarks.md."""
    coarse_from: int = 262_144
    """From this many documents on, two thirds of the bits choose those that are compared by all."""
    exact_up_to: int = 8_192
    """Up to this many vectors are kept in memory and all are scored exactly."""
    held_up_to: int = 32_768
    """Up to this many are kept there as they are stored, 25 MB of 384 numbers each: those that the bits bring need not
    be read, a tenth of a recall."""
    load_step: int = 2_048
    """How many vectors one search loads towards that, so that no search waits for all."""
    seal_at: int = 2_048
    """A tail of this size becomes a segment."""
    merge_factor: int = 8
    merge_limit: int = 131_072
    """No merge makes a segment larger than this, so that a write never waits long for one."""
    compact_limit: int = 1_048_576
    """The same for what is compacted, where nobody waits: a search goes through one large segment in less time than
    through eight."""
    bulk: int = 8_192
    """How many documents are in memory at once while an index is built."""
    save_at: int = 4_096
    """After this many changes the visibility file is written again."""
    common_from: int = 1_000
    """From this many documents on, a term that more than half of them have is not searched."""
    long_from: int = 65_536
    """A term in so many documents is looked up in those that a rarer one brings, and brings none itself."""
    bm25: BM25Params = DEFAULT_PARAMS
