"""Speed, size and recall of Recollect beside its peers: `python -m benchmarks`."""
