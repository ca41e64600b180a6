-- +goose Up
ALTER TABLE load
    ADD COLUMN coverage_start text NOT NULL DEFAULT '',
    ADD COLUMN served_at timestamptz; -- when it was last put in service
UPDATE load SET served_at = s.at
FROM (SELECT l.load_id, max(published_at) AS at FROM snapshot JOIN snapshot_load l ON l.snapshot_id = snapshot.id GROUP BY 1) s
WHERE load.id = s.load_id;

-- +goose Down
ALTER TABLE load DROP COLUMN coverage_start, DROP COLUMN served_at;
