-- The roles of Razão, and what they may do in this database as a whole. Takes a role that may create roles, and the owner of the
-- database: `razao migrate` runs this every time, and says when its own role may not. Running it again changes nothing.
--
--   razao_owner   owns the tables; nobody signs in as it
--   razao_ingest  creates and deletes loads; becomes razao_owner to migrate, and only then
--   razao_serve   reads loads, keeps accounts
--
-- A role gets its settings when it is made: they may be changed after that. It has no password until somebody gives it one.
DO $roles$
DECLARE
    migrator text := coalesce(nullif(current_setting('razao.migrator', true), ''), current_user); -- goes on with rights to everything
BEGIN
    IF to_regrole('razao_owner') IS NULL THEN
        CREATE ROLE razao_owner NOLOGIN;
    END IF;
    IF to_regrole('razao_ingest') IS NULL THEN
        CREATE ROLE razao_ingest LOGIN NOINHERIT;
        GRANT razao_owner TO razao_ingest;
        ALTER ROLE razao_ingest SET plan_cache_mode = 'force_generic_plan';
    END IF;
    IF to_regrole('razao_serve') IS NULL THEN
        CREATE ROLE razao_serve LOGIN;
        -- Every query is a look-up by key: planning it again for each value costs more than running it.
        ALTER ROLE razao_serve SET plan_cache_mode = 'force_generic_plan';
        ALTER ROLE razao_serve SET statement_timeout = '15s';
        ALTER ROLE razao_serve SET lock_timeout = '10s';
        ALTER ROLE razao_serve SET idle_in_transaction_session_timeout = '30s';
    END IF;
    IF migrator NOT IN ('razao_owner', 'razao_ingest')
        AND NOT (pg_has_role(migrator, 'razao_owner', 'USAGE') AND pg_has_role(migrator, 'razao_ingest', 'USAGE')) THEN
        EXECUTE format('GRANT razao_owner, razao_ingest TO %I', migrator);
    END IF;

    -- Who owns the database may do what follows. To others PostgreSQL only gives a warning, hence the look at what came of it.
    IF NOT (has_database_privilege('razao_ingest', current_database(), 'CREATE') -- a list of privileges would ask for any of them
        AND has_database_privilege('razao_ingest', current_database(), 'CONNECT')
        AND has_database_privilege('razao_serve', current_database(), 'CONNECT')) THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO razao_ingest, razao_serve', current_database());
        EXECUTE format('GRANT CREATE ON DATABASE %I TO razao_ingest', current_database());
    END IF;
    -- Before PostgreSQL 15 everybody may create tables. That goes first: razao_owner would have the right from it, and lose it.
    IF has_schema_privilege('razao_serve', current_schema(), 'CREATE') THEN
        EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
    END IF;
    IF NOT has_schema_privilege('razao_owner', current_schema(), 'CREATE') THEN
        EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO razao_owner', current_schema());
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO razao_ingest, razao_serve', current_schema());
    END IF;
    IF has_database_privilege('razao_serve', current_database(), 'TEMPORARY') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
    IF NOT has_database_privilege('razao_ingest', current_database(), 'CREATE')
        OR has_database_privilege('razao_serve', current_database(), 'TEMPORARY') THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('%I does not own the database', current_user);
    END IF;
    IF NOT has_schema_privilege('razao_owner', current_schema(), 'CREATE')
        OR has_schema_privilege('razao_serve', current_schema(), 'CREATE') THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('%I does not own the schema %I', current_user, current_schema());
    END IF;
END $roles$;
