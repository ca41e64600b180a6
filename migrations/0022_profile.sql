-- +goose Up

-- What was measured of each column of a load, which outlives its records: later loads are compared with it, and a page shows it month by
-- month. Loads that were made before have none. overruled is what --force published a load in spite of.
CREATE TABLE load_profile (
    load_id bigint PRIMARY KEY REFERENCES load,
    tables jsonb NOT NULL
);
ALTER TABLE load ADD COLUMN overruled text[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE load DROP COLUMN overruled;
DROP TABLE load_profile;
