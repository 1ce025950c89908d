-- The vectors of a text's words, beside the vector of the whole.

CREATE TABLE words (
    content INTEGER PRIMARY KEY,
    data    BLOB NOT NULL
) STRICT;
CREATE TABLE words_incoming (
    content INTEGER PRIMARY KEY,
    data    BLOB NOT NULL
) STRICT;
