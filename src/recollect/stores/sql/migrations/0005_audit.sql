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
