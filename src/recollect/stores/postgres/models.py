"""Which embedding model the store's vectors are of, and how it is replaced without losing any."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from recollect.stores.changes import check_embedded, resized
from recollect.stores.postgres.migrations import lock_number
from recollect.stores.postgres.session import EVERYONE, Session, Sessions
from recollect.stores.postgres.standing import standing
from recollect.stores.rows import USER_BITS

T = TypeVar("T")
MODELS = "SELECT name, value FROM meta WHERE name IN ('model', 'dimension', 'incoming', 'incoming_dimension')"
SET_META = "INSERT INTO meta VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
KEEP = f"""INSERT INTO {{table}} SELECT c.tenant, c.number, a.data
FROM unnest(%s::bigint[], %s::bytea[]) AS a (content, data)
JOIN content c ON c.tenant = a.content >> {USER_BITS} AND c.number = a.content
ON CONFLICT (tenant, content) DO UPDATE SET data = excluded.data"""
"""A text that was purged meanwhile gets nothing."""


class Models:
    """Store's part that knows about embedding models."""

    _sessions: Sessions

    def model(self) -> tuple[str, int] | None:
        with self._sessions.reading(self._sessions.asker()) as session:
            return standing(session).model

    def unembedded(
        self, model: str, after: int, limit: int, *, words: bool = False
    ) -> list[tuple[int, str, str | None]]:
        """Texts and their speakers without a vector of this model, or without its words if they count, in order."""
        with self._sessions.reading(EVERYONE) as session:
            found = session.rows(
                "SELECT c.number, c.text, c.speaker FROM content c WHERE (c.tenant, c.number) > (%s, %s)"
                f"{_lacking(session, model, words=words)} ORDER BY c.tenant, c.number LIMIT %s",
                (after >> USER_BITS, after, limit),
            )
        return [(number, text, speaker) for number, text, speaker in found]

    def unembedded_count(self, model: str, *, words: bool = False) -> int:
        """How many texts `unembedded` would give."""
        with self._sessions.reading(EVERYONE) as session:
            query = f"SELECT count(*) FROM content c WHERE TRUE{_lacking(session, model, words=words)}"
            return int(session.value(query))

    def embed(self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes, bytes | None]]) -> None:
        """Keeps vectors and words of a model: beside the present ones until `adopt`, if it is another."""
        check_embedded(model, dimension, vectors)

        def embedded(session: Session) -> None:
            known = session.pairs(MODELS)
            kept = known.get("dimension" if known.get("model") == model else "incoming_dimension")
            if model in {known.get("model"), known.get("incoming")} and kept != str(dimension):
                raise resized(model, int(kept or 0), dimension)
            if model not in {known.get("model"), known.get("incoming")}:
                session.execute("DELETE FROM vector_incoming")
                session.execute("DELETE FROM words_incoming")
                session.execute(SET_META, ("incoming", model))
                session.execute(SET_META, ("incoming_dimension", str(dimension)))
            given = (
                [(content, vector) for content, vector, _ in vectors],
                [(content, words) for content, _, words in vectors if words is not None],
            )
            for table, data in zip(_tables(known, model), given, strict=True):
                session.execute(
                    KEEP.format(table=table), ([content for content, _ in data], [one for _, one in data])
                )

        self._exclusively(embedded)

    def adopt(self, model: str) -> bool:
        """Makes the incoming model the store's, if every text has its vector; one transaction.

        The old model's words go with its vectors, also where the new one gives none.
        """

        def adopted(session: Session) -> bool:
            known = session.pairs(MODELS)
            if known.get("model") == model:
                return True
            missing = session.value(
                "SELECT 1 FROM content c WHERE NOT EXISTS (SELECT 1 FROM vector_incoming x"
                " WHERE x.tenant = c.tenant AND x.content = c.number) LIMIT 1"
            )
            if missing is not None or known.get("incoming") != model:
                return False
            for table in ("vector", "words"):
                session.execute(f"DELETE FROM {table}")
                session.execute(f"INSERT INTO {table} SELECT tenant, content, data FROM {table}_incoming")
                session.execute(f"DELETE FROM {table}_incoming")
            session.execute(SET_META, ("model", model))
            session.execute(SET_META, ("dimension", known["incoming_dimension"]))
            session.execute("DELETE FROM meta WHERE name IN ('incoming', 'incoming_dimension')")
            return True

        return self._exclusively(adopted)

    def _exclusively(self, act: Callable[[Session], T]) -> T:
        """While nobody writes: a text that came or went in the middle would keep a vector of the wrong model."""
        number = lock_number("model", self._sessions.address.schema)

        def acted(session: Session) -> T:
            session.execute("SELECT pg_advisory_xact_lock(%s)", (number,))
            return act(session)

        return self._sessions.writing(EVERYONE, acted, lasting=True)


def _tables(known: Mapping[str, Any], model: str) -> tuple[str, str]:
    """Where the vectors and the words of a model are."""
    return ("vector", "words") if known.get("model") == model else ("vector_incoming", "words_incoming")


def _lacking(session: Session, model: str, *, words: bool) -> str:
    """The condition on `c` that it lacks something of this model; none, where the model is new to the store."""
    known = session.pairs(MODELS)
    if model not in {known.get("model"), known.get("incoming")}:
        return ""
    lacking = [
        f"NOT EXISTS (SELECT 1 FROM {table} x WHERE x.tenant = c.tenant AND x.content = c.number)"
        for table in _tables(known, model)[: 2 if words else 1]
    ]
    return f" AND ({' OR '.join(lacking)})"
