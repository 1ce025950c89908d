"""Which embedding model the store's vectors are of, and how it is replaced without losing any."""

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from recollect.stores.changes import check_embedded, resized
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import pairs, rows, value

MODELS = "SELECT name, value FROM meta WHERE name IN ('model', 'dimension', 'incoming', 'incoming_dimension')"


class Models:
    """Store's part that knows about embedding models."""

    _connections: Connections

    def model(self) -> tuple[str, int] | None:
        with self._connections.reading() as connection:
            known = pairs(connection, MODELS)
        return (known["model"], known["dimension"]) if "model" in known else None

    def unembedded(
        self, model: str, after: int, limit: int, *, words: bool = False
    ) -> list[tuple[int, str, str | None]]:
        """Texts and their speakers without a vector of this model, or without its words if they count, in order."""
        with self._connections.reading() as connection:
            lacking = _lacking(connection, model, words=words)
            found = rows(
                connection,
                f"SELECT c.number, c.text, c.speaker FROM content c WHERE c.number > ?{lacking}"
                " ORDER BY c.number LIMIT ?",
                (after, limit),
            )
        return [(number, text, speaker) for number, text, speaker in found]

    def unembedded_count(self, model: str, *, words: bool = False) -> int:
        """How many texts `unembedded` would give."""
        with self._connections.reading() as connection:
            query = f"SELECT count(*) FROM content c WHERE TRUE{_lacking(connection, model, words=words)}"
            return int(value(connection, query))

    def embed(self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes, bytes | None]]) -> None:
        """Keeps vectors and words of a model: beside the present ones until `adopt`, if it is another."""
        check_embedded(model, dimension, vectors)
        with self._connections.writing() as connection:
            known = pairs(connection, MODELS)
            kept = known.get("dimension" if known.get("model") == model else "incoming_dimension")
            if model in {known.get("model"), known.get("incoming")} and kept != dimension:
                raise resized(model, int(kept or 0), dimension)
            if model not in {known.get("model"), known.get("incoming")}:
                connection.execute("DELETE FROM vector_incoming")
                connection.execute("DELETE FROM words_incoming")
                connection.execute(
                    "INSERT OR REPLACE INTO meta VALUES ('incoming', ?), ('incoming_dimension', ?)",
                    (model, dimension),
                )
            places = _tables(known, model)
            given = (
                [(vector, content) for content, vector, _ in vectors],
                [(words, content) for content, _, words in vectors if words is not None],
            )
            for table, data in zip(places, given, strict=True):
                connection.executemany(
                    # A text that was purged meanwhile gets nothing.
                    f"INSERT OR REPLACE INTO {table} SELECT number, ? FROM content WHERE number = ?",
                    data,
                )

    def adopt(self, model: str) -> bool:
        """Makes the incoming model the store's, if every text has its vector; one transaction.

        The old model's words go with its vectors, also where the new one gives none.
        """
        with self._connections.writing() as connection:
            known = pairs(connection, MODELS)
            if known.get("model") == model:
                return True
            missing = value(
                connection,
                "SELECT 1 FROM content c WHERE NOT EXISTS (SELECT 1 FROM vector_incoming x WHERE x.content = c.number)"
                " LIMIT 1",
            )
            if missing is not None or known.get("incoming") != model:
                return False
            for table in ("vector", "words"):
                connection.execute(f"DELETE FROM {table}")
                connection.execute(f"INSERT INTO {table} SELECT content, data FROM {table}_incoming")
                connection.execute(f"DELETE FROM {table}_incoming")
            connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('model', ?), ('dimension', ?)",
                (model, known["incoming_dimension"]),
            )
            connection.execute("DELETE FROM meta WHERE name IN ('incoming', 'incoming_dimension')")
            return True


def _tables(known: Mapping[str, Any], model: str) -> tuple[str, str]:
    """Where the vectors and the words of a model are."""
    return ("vector", "words") if known.get("model") == model else ("vector_incoming", "words_incoming")


def _lacking(connection: apsw.Connection, model: str, *, words: bool) -> str:
    """The condition on `c` that it lacks something of this model; none, where the model is new to the store."""
    known = pairs(connection, MODELS)
    if model not in {known.get("model"), known.get("incoming")}:
        return ""
    lacking = [
        f"NOT EXISTS (SELECT 1 FROM {table} x WHERE x.content = c.number)"
        for table in _tables(known, model)[: 2 if words else 1]
    ]
    return f" AND ({' OR '.join(lacking)})"
