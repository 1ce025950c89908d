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

DO $$
DECLARE
    place  text;
    tenant text := '(SELECT nullif(current_setting(''recollect.tenant'', true), '''')::bigint)';
    anyone text := '(SELECT current_setting(''recollect.everyone'', true) = ''on'')';
BEGIN
    FOREACH place IN ARRAY ARRAY['audit', 'audit_default'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', place);
        EXECUTE format('CREATE POLICY tenant_alone ON %I USING (tenant = %s OR %s)', place, tenant, anyone);
    END LOOP;
END $$;
