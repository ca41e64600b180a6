-- +goose Up

-- With which load one was compared, whatever becomes of the history of changes: the course of its columns follows these.
ALTER TABLE load ADD COLUMN former bigint REFERENCES load (id);
UPDATE load SET former = former_id FROM history WHERE history.load_id = load.id;

-- +goose Down
ALTER TABLE load DROP COLUMN former;
