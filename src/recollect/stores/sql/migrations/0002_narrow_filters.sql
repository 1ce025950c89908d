-- Filters by kind or by time are answered from an index alone.

CREATE INDEX version_by_kind ON version (user, kind, content) WHERE retired_at IS NULL;
DROP INDEX version_by_time;
CREATE INDEX version_by_time ON version (user, valid_from, content) WHERE retired_at IS NULL;
