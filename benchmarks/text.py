"""Our postings against SQLite's FTS5 on the same texts and questions, in turns: the best 100 by BM25."""

import tempfile
from functools import partial
from pathlib import Path

import apsw
import numpy as np

from benchmarks.contenders import Ours
from benchmarks.corpus import Corpus
from benchmarks.measure import milliseconds, record, summary
from benchmarks.speed import filled
from recollect import Filter
from recollect.language.terms import term_hashes

TEXTS, QUESTIONS, BEST = 100_000, 100, 100


def _asked(fts: apsw.Connection, words: str) -> list[tuple]:
    return fts.execute("SELECT rowid FROM f WHERE f MATCH ? ORDER BY rank LIMIT ?", (words, BEST)).fetchall()


def main() -> None:
    """`python -m benchmarks.text`."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        ours = Ours(Path(name))
        filled(ours, corpus, 0, TEXTS)
        ours.settle()
        index = ours._memory._index()  # noqa: SLF001 - the text arm alone is measured
        fts = apsw.Connection(f"{name}/fts.db")
        fts.execute("CREATE VIRTUAL TABLE f USING fts5(text, tokenize = 'porter unicode61')")
        with fts:
            for items in corpus.items(TEXTS):
                fts.executemany("INSERT INTO f VALUES (?)", [(item.text,) for item in items])
        fts.execute("INSERT INTO f(f) VALUES ('optimize')")
        times: dict[str, list[float]] = {"recollect": [], "fts5": []}
        for question in corpus.questions(QUESTIONS):
            words = dict.fromkeys(question.text.split())
            terms = np.unique(term_hashes(question.text))
            times["recollect"].append(milliseconds(partial(index.search, None, terms, Filter(), BEST)))
            times["fts5"].append(milliseconds(partial(_asked, fts, " OR ".join(words))))
        ours.close()
    record("text", {"texts": TEXTS, **{contender: summary(values) for contender, values in times.items()}})


if __name__ == "__main__":
    main()
