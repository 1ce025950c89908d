"""Which embedding model the store's vectors are of, and how it is replaced without losing any."""

from collections.abc import Sequence

import apsw

from recollect.errors import ModelMismatch
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

    def unembedded(self, model: str, after: int, limit: int) -> list[tuple[int, str, str | None]]:
        """Texts and their speakers without a vector of this model, in order."""
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT c.number, c.text, c.speaker FROM content c WHERE c.number > ?{_lacking(connection, model)}"
                " ORDER BY c.number LIMIT ?",
                (after, limit),
            )
        return [(number, text, speaker) for number, text, speaker in found]

    def unembedded_count(self, model: str) -> int:
        """How many texts lack a vector of this model."""
        with self._connections.reading() as connection:
            query = f"SELECT count(*) FROM content c WHERE TRUE{_lacking(connection, model)}"
            return int(value(connection, query))

    def embed(self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes]]) -> None:
        """Keeps vectors of a model: beside the present ones until `adopt`, if it is another."""
        if any(len(data) != 2 * dimension for _, data in vectors):
            raise ModelMismatch(f"{model} gives vectors of {dimension} numbers, but one of another size came")
        with self._connections.writing() as connection:
            known = pairs(connection, MODELS)
            kept = known.get("dimension" if known.get("model") == model else "incoming_dimension")
            if model in {known.get("model"), known.get("incoming")} and kept != dimension:
                raise ModelMismatch(f"{model} gave vectors of {kept} numbers before, now of {dimension}")
            table = "vector" if known.get("model") == model else "vector_incoming"
            if table == "vector_incoming" and known.get("incoming") != model:
                connection.execute("DELETE FROM vector_incoming")
                connection.execute(
                    "INSERT OR REPLACE INTO meta VALUES ('incoming', ?), ('incoming_dimension', ?)",
                    (model, dimension),
                )
            connection.executemany(
                # A text that was purged meanwhile gets no vector.
                f"INSERT OR REPLACE INTO {table} SELECT number, ? FROM content WHERE number = ?",
                [(data, content) for content, data in vectors],
            )

    def adopt(self, model: str) -> bool:
        """Makes the incoming model the store's, if every text has its vector; one transaction."""
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
            connection.execute("DELETE FROM vector")
            connection.execute("INSERT INTO vector SELECT content, data FROM vector_incoming")
            connection.execute("DELETE FROM vector_incoming")
            connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('model', ?), ('dimension', ?)",
                (model, known["incoming_dimension"]),
            )
            connection.execute("DELETE FROM meta WHERE name IN ('incoming', 'incoming_dimension')")
            return True


def _lacking(connection: apsw.Connection, model: str) -> str:
    """The condition on `c` that it has no vector of this model; none, where the model is new to the store."""
    known = pairs(connection, MODELS)
    if model not in {known.get("model"), known.get("incoming")}:
        return ""
    table = "vector" if known.get("model") == model else "vector_incoming"
    return f" AND NOT EXISTS (SELECT 1 FROM {table} x WHERE x.content = c.number)"
