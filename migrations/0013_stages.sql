-- +goose Up

-- What each stage of a load took, in the order of their beginning: etapa, segundos, cpu_segundos of the client, feito, total.
-- Null: a load from before this was measured.
ALTER TABLE load ADD COLUMN stages jsonb;

-- +goose Down
ALTER TABLE load DROP COLUMN stages;
