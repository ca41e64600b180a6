-- +goose Up

-- Whether the records of a load are invented. Until now that was read out of the name of the data set.
ALTER TABLE load ADD COLUMN invented boolean NOT NULL DEFAULT false;
UPDATE load SET invented = true WHERE provenance->>'conjunto' ILIKE '%fictíci%';
