-- What each role may do with each table: the one place that says so. `razao migrate` runs this every time, once there are the roles;
-- running it again changes nothing. A new table needs a line here, or nobody but its owner may use it.
DO $grants$
DECLARE
    t record;
    part regclass;
BEGIN
    PERFORM pg_advisory_xact_lock(7291047); -- two at once would change the same rows of the catalog
    -- Loads from before there were the roles, or of another role: razao_ingest has to be able to delete them, razao_serve to read them.
    FOR t IN
        SELECT nspname AS name, nspowner <> 'razao_ingest'::regrole AS foreign_owned,
            ARRAY(SELECT oid::regclass FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r') AS tables
        FROM pg_namespace n
        WHERE nspname ~ '^load_[0-9]{6,18}$' AND pg_has_role(nspowner, 'USAGE')
            AND (nspowner <> 'razao_ingest'::regrole OR NOT has_schema_privilege('razao_serve', nspname, 'USAGE'))
    LOOP
        IF t.foreign_owned THEN
            EXECUTE format('ALTER SCHEMA %I OWNER TO razao_ingest', t.name);
            FOREACH part IN ARRAY t.tables LOOP
                EXECUTE format('ALTER TABLE %s OWNER TO razao_ingest', part);
            END LOOP;
        END IF;
        IF to_regprocedure('open_load(text)') IS NOT NULL THEN
            PERFORM open_load(t.name);
        END IF;
    END LOOP;

    IF pg_has_role('razao_owner', 'MEMBER') AND NOT pg_has_role('razao_owner', 'USAGE') THEN
        SET LOCAL ROLE razao_owner;
    END IF;
    FOR t IN
        SELECT c.oid::regclass AS name, c.relowner <> 'razao_owner'::regrole AS foreign_owned, v.serve, v.ingest
        FROM (VALUES
            -- table                 razao_serve                       razao_ingest
            ('load',                 'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('reject',               'SELECT (load_id, column_name)',  'SELECT, INSERT, UPDATE, DELETE'),
            ('snapshot',             'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('snapshot_load',        'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('current_snapshot',     'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('goose_db_version',     'SELECT',                         'SELECT'),
            ('history',              'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('history_block',        'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('history_place',        'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('load_profile',         'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('history_journal',      'SELECT',                         'SELECT, INSERT, UPDATE, DELETE'),
            ('hidden_contact',       'SELECT, INSERT, UPDATE, DELETE', 'SELECT'),
            ('hiding_request',       'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('account',              'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('api_key',              'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('identity',             'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('session',              'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('admission',            'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('usage_call',           'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('usage_day',            'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('usage_rollup',         'SELECT, UPDATE',                 NULL),
            ('mail_outbox',          'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('kept',                 'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('follow_list',          'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('magic_link',           'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('signin_attempt',       'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('signin_quota',         'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_client',         'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_request',        'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_consent',        'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_grant',          'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_code',           'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_access_token',   'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('oauth_refresh_token',  'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('follower',             'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('follow',               'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('follow_mark',          'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('follow_told',          'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('webhook',              'SELECT, INSERT, UPDATE, DELETE', NULL),
            ('webhook_delivery',     'SELECT, INSERT, UPDATE, DELETE', NULL)
        ) v (name, serve, ingest)
        JOIN pg_class c ON c.relname = v.name AND c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    LOOP
        IF t.foreign_owned THEN
            EXECUTE format('ALTER TABLE %s OWNER TO razao_owner', t.name);
        END IF;
        EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, razao_serve, razao_ingest', t.name);
        IF t.serve IS NOT NULL THEN
            EXECUTE format('GRANT %s ON %s TO razao_serve', t.serve, t.name);
        END IF;
        IF t.ingest IS NOT NULL THEN
            EXECUTE format('GRANT %s ON %s TO razao_ingest', t.ingest, t.name);
        END IF;
    END LOOP;
END $grants$;
