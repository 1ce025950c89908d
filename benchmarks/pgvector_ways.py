"""The ways in which PostgreSQL is asked for the best ten of a tenant: statements, and what is set for them."""

from dataclasses import dataclass

BEGIN = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path = public;"
    " SET LOCAL statement_timeout = 30000; SET LOCAL plan_cache_mode = force_generic_plan;"
    " SET LOCAL recollect.tenant = '{tenant}'; SET LOCAL recollect.everyone = 'off'"
)
BY_VECTOR = "SELECT number FROM memory WHERE tenant = %(tenant)s ORDER BY embedding <=> %(vector)s LIMIT 10"
EXACT = BY_VECTOR.replace("embedding <=> %(vector)s", "(embedding <=> %(vector)s) + 0")
"""No index has this order."""
BY_RANK = """SELECT number FROM memory WHERE tenant = %(tenant)s AND {config} @@ %({query})s::tsquery
ORDER BY {rank}({config}, %({query})s::tsquery) DESC, number DESC LIMIT 10"""
IDF = """WITH idf AS MATERIALIZED (
    SELECT lexeme, mean_length, ln(1 + (last - documents + 0.5) / (documents + 0.5)) AS idf
    FROM ledger JOIN lexeme USING (tenant) WHERE tenant = %(tenant)s AND lexeme = ANY(%(lexemes)s::text[])
    AND (last < 1000 OR 2 * documents <= last))
"""
BM25 = (
    "sum(idf * {times} / ({times} + 0.9 * (0.4 + 0.6 * {length} / mean_length))) DESC, number DESC LIMIT 10"
)
UNNESTED = f"""{IDF} SELECT number FROM memory, unnest(english) JOIN idf USING (lexeme)
WHERE tenant = %(tenant)s AND english @@ %(english_or)s::tsquery
GROUP BY number ORDER BY {BM25.format(times="cardinality(positions)", length="length(english)")}"""
POSTINGS = f"""{IDF} SELECT number FROM idf JOIN posting USING (lexeme) WHERE tenant = %(tenant)s
GROUP BY number ORDER BY {BM25.format(times="times", length="length")}"""
QUERIES = """SELECT plainto_tsquery('simple', t)::text AS simple_and, plainto_tsquery('english', t)::text AS english_and,
    replace(plainto_tsquery('simple', t)::text, '&', '|') AS simple_or,
    replace(plainto_tsquery('english', t)::text, '&', '|') AS english_or,
    tsvector_to_array(to_tsvector('english', t)) AS lexemes FROM (SELECT %s::text t)"""
BY_HNSW = ("enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off")


@dataclass(frozen=True)
class Way:
    """A statement and what is set for it."""

    sql: str
    settings: tuple[str, ...] = ()
    bound_by_security: bool = False

    def begin(self, tenant: int) -> str:
        return "; SET LOCAL ".join([BEGIN.format(tenant=tenant), *self.settings])


BY_VECTORS = {
    "chosen": Way(BY_VECTOR),
    "chosen_for_the_tenant": Way(BY_VECTOR, ("plan_cache_mode = force_custom_plan",)),
    "chosen_under_security": Way(BY_VECTOR, bound_by_security=True),
    "exact": Way(EXACT),
    **{
        f"hnsw_{ef}_{scan}": Way(
            BY_VECTOR, (*BY_HNSW, f"hnsw.ef_search = {ef}", f"hnsw.iterative_scan = {scan}")
        )
        for ef in (40, 200)
        for scan in ("off", "strict_order", "relaxed_order")
    },
}
BY_WORDS = {
    **{
        f"{query}_{rank}": Way(BY_RANK.format(config=query.partition("_")[0], query=query, rank=rank))
        for query in ("simple_and", "simple_or", "english_and", "english_or")
        for rank in ("ts_rank_cd", "ts_rank")
    },
    "english_or_ts_rank_under_security": Way(
        BY_RANK.format(config="english", query="english_or", rank="ts_rank"), bound_by_security=True
    ),
    "bm25_unnested": Way(UNNESTED),
    "bm25_postings": Way(POSTINGS),
}
