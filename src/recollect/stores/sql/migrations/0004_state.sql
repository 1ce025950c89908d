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
