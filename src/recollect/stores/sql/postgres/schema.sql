-- The schema as it is now: what all migrations together make (a test holds them equal).
--
-- The same rows as in SQLite. The tenant, a user's number, comes first in every key and index; rows are
-- spread over hash partitions by it, and row-level security shows a transaction those of its tenant alone
-- (recollect.tenant), or, for what concerns the whole store, of everyone (recollect.everyone = 'on').

CREATE TABLE meta (
    name  text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
);

-- Who has written; a name is looked up here once, and never changes its number.
CREATE TABLE tenant (
    number     bigint PRIMARY KEY,
    name       text COLLATE "C" NOT NULL UNIQUE,
    created_at bigint NOT NULL
);

-- A tenant's running numbers and the end of its chain: the row that its writers queue for.
CREATE TABLE ledger (
    tenant           bigint NOT NULL,
    last_node        bigint NOT NULL,
    last_content     bigint NOT NULL,
    last_version     bigint NOT NULL,
    last_edge        bigint NOT NULL,
    witness_sequence bigint NOT NULL,
    witness_hash     bytea NOT NULL,
    PRIMARY KEY (tenant)
) PARTITION BY HASH (tenant);

-- Everything that can be an end of an edge. A memory keeps its node through all its versions.
CREATE TABLE node (
    tenant bigint NOT NULL,
    number bigint NOT NULL,
    id     text COLLATE "C" NOT NULL,
    type   text NOT NULL,
    PRIMARY KEY (tenant, number)
) PARTITION BY HASH (tenant);
CREATE UNIQUE INDEX node_by_id ON node (tenant, id);

-- A text and where it comes from: written once, never changed.
CREATE TABLE content (
    tenant       bigint NOT NULL,
    number       bigint NOT NULL,
    node         bigint NOT NULL,
    text         text NOT NULL,
    terms        bytea NOT NULL,
    session      text COLLATE "C",
    run          text COLLATE "C",
    actor        text COLLATE "C",
    event_type   text COLLATE "C",
    role         text COLLATE "C",
    speaker      text,
    sources      text[],
    write_source text NOT NULL,
    data_source  text NOT NULL,
    reason       text,
    metadata     text,
    fingerprint  bytea NOT NULL,
    digest       bytea NOT NULL,
    PRIMARY KEY (tenant, number)
) PARTITION BY HASH (tenant);
CREATE INDEX content_by_fingerprint ON content (tenant, fingerprint);
CREATE INDEX content_by_node ON content (tenant, node);
CREATE INDEX content_by_session ON content (tenant, session, number) WHERE session IS NOT NULL;
CREATE INDEX content_by_run ON content (tenant, run, number) WHERE run IS NOT NULL;
CREATE INDEX content_by_actor ON content (tenant, actor, number) WHERE actor IS NOT NULL;
CREATE INDEX content_by_event ON content (tenant, event_type, number) WHERE event_type IS NOT NULL;

-- What is believed about a memory, one row a change; only retired_at is ever set later.
CREATE TABLE version (
    tenant        bigint NOT NULL,
    number        bigint NOT NULL,
    node          bigint NOT NULL,
    version       bigint NOT NULL,
    content       bigint NOT NULL,
    past_content  bigint,
    lane          text COLLATE "C" NOT NULL,
    kind          text COLLATE "C" NOT NULL,
    channel       text COLLATE "C" NOT NULL,
    scope         text COLLATE "C" NOT NULL,
    only_session  text COLLATE "C",
    state         text COLLATE "C" NOT NULL,
    valid_from    bigint NOT NULL,
    valid_until   bigint,
    recorded_at   bigint NOT NULL,
    retired_at    bigint,
    supersedes    text,
    superseded_by text,
    tags          text[] COLLATE "C",
    pinned        boolean NOT NULL,
    immutable     boolean NOT NULL,
    confidence    double precision NOT NULL,
    importance    double precision NOT NULL,
    digest        bytea NOT NULL,
    PRIMARY KEY (tenant, number)
) PARTITION BY HASH (tenant);
CREATE UNIQUE INDEX version_by_node ON version (tenant, node, version);
CREATE INDEX version_by_content ON version (tenant, content);
CREATE INDEX version_by_kind ON version (tenant, kind, content) WHERE retired_at IS NULL;
CREATE INDEX version_by_time ON version (tenant, valid_from, content) WHERE retired_at IS NULL;

-- The tags of current versions, for filters; the versions hold them as truth.
CREATE TABLE tag (
    tenant  bigint NOT NULL,
    name    text COLLATE "C" NOT NULL,
    content bigint NOT NULL,
    PRIMARY KEY (tenant, name, content)
) PARTITION BY HASH (tenant);

CREATE TABLE edge (
    tenant      bigint NOT NULL,
    number      bigint NOT NULL,
    source      bigint NOT NULL,
    target      bigint NOT NULL,
    type        text COLLATE "C" NOT NULL,
    weight      double precision NOT NULL,
    recorded_at bigint NOT NULL,
    reason      text,
    digest      bytea NOT NULL,
    PRIMARY KEY (tenant, number)
) PARTITION BY HASH (tenant);
CREATE UNIQUE INDEX edge_by_source ON edge (tenant, source, type, target);
CREATE INDEX edge_by_target ON edge (tenant, target, type);

-- What use teaches: narrow, rewritten often, written in batches.
CREATE TABLE counter (
    tenant           bigint NOT NULL,
    node             bigint NOT NULL,
    access_count     bigint NOT NULL,
    last_accessed_at bigint NOT NULL,
    PRIMARY KEY (tenant, node)
) PARTITION BY HASH (tenant);

-- What outcomes and dreams teach about a memory: narrow and rewritten, too, but more rarely.
CREATE TABLE learnt (
    tenant    bigint NOT NULL,
    node      bigint NOT NULL,
    stability double precision NOT NULL,
    strength  double precision NOT NULL,
    utility   double precision NOT NULL,
    wins      double precision NOT NULL,
    losses    double precision NOT NULL,
    reward    double precision NOT NULL,
    tier      text NOT NULL,
    PRIMARY KEY (tenant, node)
) PARTITION BY HASH (tenant);

-- State that is not memory: what was learnt, is scheduled, was granted.
CREATE TABLE record (
    tenant     bigint NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    value      text NOT NULL,
    revision   bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant, kind, key)
) PARTITION BY HASH (tenant);

-- float16 vectors of the store's model, and those of the model that is replacing it.
CREATE TABLE vector (
    tenant  bigint NOT NULL,
    content bigint NOT NULL,
    data    bytea NOT NULL,
    PRIMARY KEY (tenant, content)
) PARTITION BY HASH (tenant);
CREATE TABLE vector_incoming (
    tenant  bigint NOT NULL,
    content bigint NOT NULL,
    data    bytea NOT NULL,
    PRIMARY KEY (tenant, content)
) PARTITION BY HASH (tenant);

-- The vectors of a text's words, of the same two models; empty data says that it has no word.
CREATE TABLE words (
    tenant  bigint NOT NULL,
    content bigint NOT NULL,
    data    bytea NOT NULL,
    PRIMARY KEY (tenant, content)
) PARTITION BY HASH (tenant);
CREATE TABLE words_incoming (
    tenant  bigint NOT NULL,
    content bigint NOT NULL,
    data    bytea NOT NULL,
    PRIMARY KEY (tenant, content)
) PARTITION BY HASH (tenant);

-- Keyed hashes of erased texts, and the digests of erased rows that the chain still needs.
CREATE TABLE tombstone (
    tenant      bigint NOT NULL,
    fingerprint bytea NOT NULL,
    recorded_at bigint NOT NULL,
    PRIMARY KEY (tenant, fingerprint)
) PARTITION BY HASH (tenant);
CREATE TABLE erased (
    tenant bigint NOT NULL,
    kind   text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (tenant, kind, number)
) PARTITION BY HASH (tenant);

-- The hash chain over everything that was written, one chain a tenant.
CREATE TABLE witness (
    tenant        bigint NOT NULL,
    sequence      bigint NOT NULL,
    at            bigint NOT NULL,
    operation     text NOT NULL,
    detail        text,
    first_version bigint NOT NULL,
    last_version  bigint NOT NULL,
    first_edge    bigint NOT NULL,
    last_edge     bigint NOT NULL,
    digest        bytea NOT NULL,
    hash          bytea NOT NULL,
    PRIMARY KEY (tenant, sequence)
) PARTITION BY HASH (tenant);

CREATE TABLE setting (
    tenant bigint NOT NULL,
    name   text COLLATE "C" NOT NULL,
    value  text NOT NULL,
    PRIMARY KEY (tenant, name)
) PARTITION BY HASH (tenant);

-- Files that we copied the store into and therefore own: a purge follows them.
CREATE TABLE copy (
    path       text COLLATE "C" PRIMARY KEY,
    created_at bigint NOT NULL,
    branch     boolean NOT NULL
);

-- From which stores this one was branched, and what each tenant's rows were at that moment.
CREATE TABLE lineage (
    depth      bigint PRIMARY KEY,
    store      text NOT NULL,
    created_at bigint NOT NULL,
    base       text NOT NULL
);

-- Hash partitions of every tenant's table. Citus shards in their place: see docs/operate.md.
DO $$
DECLARE
    parent text;
BEGIN
    FOR parent IN SELECT relname FROM pg_class
        WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'p' LOOP
        FOR place IN 0..7 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
                           parent || '_' || place, parent, place);
        END LOOP;
    END LOOP;
END $$;

-- What was read, where the settings ask for it; no part of the chain, so that it can be cut. Its partitions are
-- months, which the daily job makes and drops; what no month is there for lies in the default one.
CREATE TABLE audit (
    tenant        bigint NOT NULL,
    at            bigint NOT NULL,
    id            text COLLATE "C" NOT NULL,
    operation     text COLLATE "C" NOT NULL,
    actor         text,
    session       text COLLATE "C",
    channel       text COLLATE "C",
    ids           text[] COLLATE "C",
    cross_channel text[] COLLATE "C",
    detail        text,
    PRIMARY KEY (tenant, at, id)
) PARTITION BY RANGE (at);
CREATE TABLE audit_default PARTITION OF audit DEFAULT;

-- Row-level security on every table and partition, for the owner too. The settings are read once a query.
DO $$
DECLARE
    whose  text;
    object record;
    tenant text := '(SELECT nullif(current_setting(''recollect.tenant'', true), '''')::bigint)';
    anyone text := '(SELECT current_setting(''recollect.everyone'', true) = ''on'')';
BEGIN
    FOR object IN SELECT c.oid, c.relname FROM pg_class c
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p') LOOP
        whose := CASE
            WHEN object.relname = 'tenant' THEN format('number = %s OR %s', tenant, anyone)
            WHEN object.relname = 'meta' THEN format('%s IS NOT NULL OR %s', tenant, anyone)
            WHEN object.relname IN ('copy', 'lineage') THEN anyone
            ELSE format('tenant = %s OR %s', tenant, anyone)
        END;
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', object.relname);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', object.relname);
        EXECUTE format('CREATE POLICY tenant_alone ON %I USING (%s)', object.relname, whose);
    END LOOP;
END $$;
