-- The schema as it is now: what all migrations together make (a test holds them equal).
--
-- Two lanes, one graph, one chain.
--
-- Numbers of content, versions, nodes and edges are (user number << 40) + sequence, so that one
-- user's rows lie side by side and a range of numbers is a tenant.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
    number           INTEGER PRIMARY KEY,
    name             TEXT NOT NULL UNIQUE,
    created_at       INTEGER NOT NULL,
    last_node        INTEGER NOT NULL,
    last_content     INTEGER NOT NULL,
    last_version     INTEGER NOT NULL,
    last_edge        INTEGER NOT NULL,
    witness_sequence INTEGER NOT NULL,
    witness_hash     BLOB NOT NULL
) STRICT;

-- Everything that can be an end of an edge. A memory keeps its node through all its versions.
CREATE TABLE node (
    number INTEGER PRIMARY KEY,
    user   INTEGER NOT NULL,
    id     TEXT NOT NULL,
    type   TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX node_by_id ON node (user, id);

-- A text and where it comes from: written once, never changed.
CREATE TABLE content (
    number       INTEGER PRIMARY KEY,
    node         INTEGER NOT NULL,
    text         TEXT NOT NULL,
    terms        BLOB NOT NULL,
    session      TEXT,
    run          TEXT,
    actor        TEXT,
    event_type   TEXT,
    role         TEXT,
    speaker      TEXT,
    sources      TEXT,
    write_source TEXT NOT NULL,
    data_source  TEXT NOT NULL,
    reason       TEXT,
    metadata     TEXT,
    fingerprint  BLOB NOT NULL,
    digest       BLOB NOT NULL
) STRICT;
CREATE INDEX content_by_fingerprint ON content (fingerprint);
CREATE INDEX content_by_node ON content (node);
CREATE INDEX content_by_session ON content (session, number) WHERE session IS NOT NULL;
CREATE INDEX content_by_run ON content (run, number) WHERE run IS NOT NULL;
CREATE INDEX content_by_actor ON content (actor, number) WHERE actor IS NOT NULL;
CREATE INDEX content_by_event ON content (event_type, number) WHERE event_type IS NOT NULL;

-- What is believed about a memory, one row a change; only retired_at is ever set later.
CREATE TABLE version (
    number        INTEGER PRIMARY KEY,
    user          INTEGER NOT NULL,
    node          INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    content       INTEGER NOT NULL,
    past_content  INTEGER,
    lane          TEXT NOT NULL,
    kind          TEXT NOT NULL,
    channel       TEXT NOT NULL,
    scope         TEXT NOT NULL,
    only_session  TEXT,
    state         TEXT NOT NULL,
    valid_from    INTEGER NOT NULL,
    valid_until   INTEGER,
    recorded_at   INTEGER NOT NULL,
    retired_at    INTEGER,
    supersedes    TEXT,
    superseded_by TEXT,
    tags          TEXT,
    pinned        INTEGER NOT NULL,
    immutable     INTEGER NOT NULL,
    confidence    REAL NOT NULL,
    importance    REAL NOT NULL,
    digest        BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX version_by_node ON version (node, version);
CREATE INDEX version_by_content ON version (content);
CREATE INDEX version_by_kind ON version (user, kind, content) WHERE retired_at IS NULL;
CREATE INDEX version_by_time ON version (user, valid_from, content) WHERE retired_at IS NULL;

-- The tags of current versions, for filters; the versions hold them as truth.
CREATE TABLE tag (
    name    TEXT NOT NULL,
    content INTEGER NOT NULL,
    PRIMARY KEY (name, content)
) STRICT, WITHOUT ROWID;

CREATE TABLE edge (
    number      INTEGER PRIMARY KEY,
    source      INTEGER NOT NULL,
    target      INTEGER NOT NULL,
    type        TEXT NOT NULL,
    weight      REAL NOT NULL,
    recorded_at INTEGER NOT NULL,
    reason      TEXT,
    digest      BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX edge_by_source ON edge (source, type, target);
CREATE INDEX edge_by_target ON edge (target, type);

-- What use teaches: narrow, rewritten often, written in batches.
CREATE TABLE counter (
    node             INTEGER PRIMARY KEY,
    access_count     INTEGER NOT NULL,
    last_accessed_at INTEGER NOT NULL
) STRICT;

-- What outcomes and dreams teach about a memory: narrow and rewritten, too, but more rarely.
CREATE TABLE learnt (
    node      INTEGER PRIMARY KEY,
    stability REAL NOT NULL,
    strength  REAL NOT NULL,
    utility   REAL NOT NULL,
    wins      REAL NOT NULL,
    losses    REAL NOT NULL,
    reward    REAL NOT NULL,
    tier      TEXT NOT NULL
) STRICT;

-- State that is not memory: what was learnt, is scheduled, was granted.
CREATE TABLE record (
    user       INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    key        TEXT NOT NULL,
    value      TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (user, kind, key)
) STRICT;

-- float16 vectors of the store's model, and those of the model that is replacing it.
CREATE TABLE vector (
    content INTEGER PRIMARY KEY,
    data    BLOB NOT NULL
) STRICT;
CREATE TABLE vector_incoming (
    content INTEGER PRIMARY KEY,
    data    BLOB NOT NULL
) STRICT;

-- The vectors of a text's words, of the same two models; empty data says that it has no word.
CREATE TABLE words (
    content INTEGER PRIMARY KEY,
    data    BLOB NOT NULL
) STRICT;
CREATE TABLE words_incoming (
    content INTEGER PRIMARY KEY,
    data    BLOB NOT NULL
) STRICT;

-- Keyed hashes of erased texts, and the digests of erased rows that the chain still needs.
CREATE TABLE tombstone (
    fingerprint BLOB PRIMARY KEY,
    user        INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE erased (
    kind   TEXT NOT NULL,
    number INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (kind, number)
) STRICT, WITHOUT ROWID;

-- The hash chain over everything that was written, one chain a user.
CREATE TABLE witness (
    user          INTEGER NOT NULL,
    sequence      INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    operation     TEXT NOT NULL,
    detail        TEXT,
    first_version INTEGER NOT NULL,
    last_version  INTEGER NOT NULL,
    first_edge    INTEGER NOT NULL,
    last_edge     INTEGER NOT NULL,
    digest        BLOB NOT NULL,
    hash          BLOB NOT NULL,
    PRIMARY KEY (user, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    user  INTEGER NOT NULL,
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user, name)
) STRICT, WITHOUT ROWID;

-- Copies of this file that we made and therefore own: a purge follows them.
CREATE TABLE copy (
    path       TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    branch     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- From which stores this one was branched, and what each user's rows were at that moment.
CREATE TABLE lineage (
    depth      INTEGER PRIMARY KEY,
    store      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    base       TEXT NOT NULL
) STRICT;

-- What was read, where the settings ask for it; no part of the chain, so that it can be cut.
CREATE TABLE audit (
    user          INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    id            TEXT NOT NULL,
    operation     TEXT NOT NULL,
    actor         TEXT,
    session       TEXT,
    channel       TEXT,
    ids           TEXT,
    cross_channel TEXT,
    detail        TEXT,
    PRIMARY KEY (user, at, id)
) STRICT, WITHOUT ROWID;
