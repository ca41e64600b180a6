-- +goose Up

-- Operations of BNDES are linked again to every Receita load, as loads of their own of the same published edition.
ALTER TABLE load
    ADD COLUMN edition_of bigint REFERENCES load (id), -- the load that read the files; null: this one did
    ADD COLUMN linked_to  bigint REFERENCES load (id); -- the Receita load that its links were inferred with; null: none

-- +goose Down
ALTER TABLE load DROP COLUMN edition_of, DROP COLUMN linked_to;
