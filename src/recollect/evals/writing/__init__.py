"""What the write path forms, one module a kind of data; `recollect.evals.write` runs them all."""
