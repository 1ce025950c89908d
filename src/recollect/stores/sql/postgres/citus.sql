-- Spreads a store over the workers of a Citus cluster: every tenant's rows lie on one of them, side by side.
-- For a store that was just made and is still empty; run once, on the coordinator, by the owner of the schema, with
-- the schema in the search path. See docs/operate.md.
DO $$
DECLARE
    here    regnamespace := quote_ident(current_schema())::regnamespace;
    parent  record;
    made    record;
    keys    text[];
    indexes text[];
    line    text;
    beside  text := 'none';
    tenant  text := 'nullif(current_setting(''recollect.tenant'', true), '''')::bigint';
    anyone  text := 'current_setting(''recollect.everyone'', true) = ''on''';
BEGIN
    -- Or row-level security would hide what is there.
    PERFORM set_config('recollect.everyone', 'on', true);
    IF EXISTS (SELECT FROM ledger) THEN
        RAISE EXCEPTION 'the store holds something already: make a new one, spread it, and `recollect migrate` into it';
    END IF;
    -- Citus shards by hash itself and takes no table that is partitioned so: each becomes a plain one.
    FOR parent IN SELECT c.relname AS name, c.oid FROM pg_class c JOIN pg_partitioned_table p ON p.partrelid = c.oid
        WHERE c.relnamespace = here AND p.partstrat = 'h' ORDER BY c.relname LOOP
        SELECT array_agg(format('ALTER TABLE %I ADD CONSTRAINT %I %s', parent.name, conname, pg_get_constraintdef(oid)))
            INTO keys FROM pg_constraint WHERE conrelid = parent.oid AND contype IN ('p', 'u');
        SELECT array_agg(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')) INTO indexes FROM pg_index i
            WHERE i.indrelid = parent.oid
            AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'));
        EXECUTE format('CREATE TABLE spread_out (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', parent.name);
        EXECUTE format('DROP TABLE %I', parent.name);
        EXECUTE format('ALTER TABLE spread_out RENAME TO %I', parent.name);
        FOREACH line IN ARRAY coalesce(keys, '{}') || coalesce(indexes, '{}') LOOP
            EXECUTE line;
        END LOOP;
    END LOOP;
    -- Its policies have no subqueries, by which the others read a setting once a query. And what is there is copied to
    -- the workers, which row-level security does not allow: it begins to bind at the end.
    FOR made IN SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = here AND c.relkind IN ('r', 'p') LOOP
        EXECUTE format('DROP POLICY IF EXISTS tenant_alone ON %I', made.name);
        EXECUTE format('CREATE POLICY tenant_alone ON %I USING (%s)', made.name, CASE
            WHEN made.name = 'tenant' THEN format('number = %s OR %s', tenant, anyone)
            WHEN made.name = 'meta' THEN format('%s IS NOT NULL OR %s', tenant, anyone)
            WHEN made.name IN ('copy', 'lineage') THEN anyone
            ELSE format('tenant = %s OR %s', tenant, anyone)
        END);
        EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY', made.name);
    END LOOP;
    INSERT INTO meta VALUES ('spread', 'citus');
    FOR made IN SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid
                                                  AND a.attname = 'tenant' AND NOT a.attisdropped) AS has_tenant
        FROM pg_class c WHERE c.relnamespace = here AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY c.relname LOOP
        IF made.has_tenant THEN
            PERFORM create_distributed_table(made.name::regclass, 'tenant', colocate_with => beside);
            beside := made.name;
        ELSE
            PERFORM create_reference_table(made.name::regclass);
        END IF;
    END LOOP;
    FOR made IN SELECT c.relname AS name FROM pg_class c
        WHERE c.relnamespace = here AND c.relkind IN ('r', 'p') ORDER BY c.relname LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', made.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', made.name);
    END LOOP;
END $$;
