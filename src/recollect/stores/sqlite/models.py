"""Which embedding model the store's vectors are of, and how it is replaced without losing any."""

from collections.abc import Sequence

from recollect.errors import ModelMismatch
from recollect.stores.sqlite.connection import Connections


class Models:
    """Store's part that knows about embedding models."""

    _connections: Connections

    def model(self) -> tuple[str, int] | None:
        with self._connections.reading() as connection:
            known = dict(connection.execute("SELECT name, value FROM meta WHERE name IN ('model', 'dimension')").fetchall())
        return (known["model"], known["dimension"]) if known else None

    def unembedded(self, model: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Texts without a vector of this model, in order."""
        with self._connections.reading() as connection:
            return connection.execute(
                f"SELECT c.number, c.text {self._lacking(model)} AND c.number > ? ORDER BY c.number LIMIT ?", (after, limit)
            ).fetchall()

    def unembedded_count(self, model: str) -> int:
        """How many texts lack a vector of this model."""
        with self._connections.reading() as connection:
            count: int = connection.execute(f"SELECT count(*) {self._lacking(model)}").get
        return count

    def _lacking(self, model: str) -> str:
        current = self.model()
        table = "vector" if current is not None and current[0] == model else "vector_incoming"
        return f"FROM content c LEFT JOIN {table} x ON x.content = c.number WHERE x.content IS NULL"

    def embed(self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes]]) -> None:
        """Keeps vectors of a model: beside the present ones until `adopt`, if it is another."""
        if any(len(data) != 2 * dimension for _, data in vectors):
            raise ModelMismatch(f"{model} gives vectors of {dimension} numbers, but one of another size came")
        with self._connections.writing() as connection:
            known = dict(connection.execute("SELECT name, value FROM meta WHERE name IN ('model', 'incoming')").fetchall())
            table = "vector" if known.get("model") == model else "vector_incoming"
            if table == "vector_incoming" and known.get("incoming") != model:
                connection.execute("DELETE FROM vector_incoming")
                connection.execute("INSERT OR REPLACE INTO meta VALUES ('incoming', ?), ('incoming_dimension', ?)", (model, dimension))
            connection.executemany(
                # A text that was purged meanwhile gets no vector.
                f"INSERT OR REPLACE INTO {table} SELECT number, ? FROM content WHERE number = ?",
                [(data, content) for content, data in vectors],
            )

    def adopt(self, model: str) -> bool:
        """Makes the incoming model the store's, if every text has its vector; one transaction."""
        with self._connections.writing() as connection:
            known = dict(connection.execute("SELECT name, value FROM meta").fetchall())
            if known.get("model") == model:
                return True
            missing = connection.execute(
                "SELECT 1 FROM content c LEFT JOIN vector_incoming x ON x.content = c.number WHERE x.content IS NULL LIMIT 1"
            ).get
            if missing is not None or known.get("incoming") != model:
                return False
            connection.execute("DELETE FROM vector")
            connection.execute("INSERT INTO vector SELECT content, data FROM vector_incoming")
            connection.execute("DELETE FROM vector_incoming")
            connection.execute(
                "INSERT OR REPLACE INTO meta SELECT 'model', value FROM meta WHERE name = 'incoming'"
                " UNION ALL SELECT 'dimension', value FROM meta WHERE name = 'incoming_dimension'"
            )
            connection.execute("DELETE FROM meta WHERE name IN ('incoming', 'incoming_dimension')")
            return True
