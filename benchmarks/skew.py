"""What is known of published items where few of them get most of the uses: `python -m benchmarks.skew`.

`spearman` is over all items, `spearman_told` over those of which enough accounts told, and `spearman_possible` over
all as well, if what is told were the truth: more cannot be had where of the others nothing may be told.
"""

from benchmarks.measure import record
from recollect.evals.shared import Plan, simulate
from recollect.testing import HashEmbedder

if __name__ == "__main__":
    runs = [simulate(Plan(skew=skew), HashEmbedder()) for skew in (1.0,)]
    record("skew", {"users": Plan().users, "items": Plan().items, "outcomes": Plan().outcomes, "runs": runs})
    print(runs)
