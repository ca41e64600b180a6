-- +goose Up

-- Lets those who serve read a load. Whoever creates one calls it in the same transaction. The roles are made by roles.sql, and where
-- there are none nothing needs to be let.
-- +goose StatementBegin
CREATE FUNCTION open_load(schema_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF to_regrole('razao_serve') IS NOT NULL THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO razao_serve', schema_name);
        EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO razao_serve', schema_name);
    END IF;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION open_load;
