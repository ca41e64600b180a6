-- +goose Up

-- The Merkle tree over the companies of a load of the cadastre, whose signed root is its checkpoint: size, hash of the root, and the key of
-- the leaves' nonces. The row outlives the records, so checkpoints of former loads do, too. NULL: made by a release without trees, or no
-- load of the cadastre; `razao index build` makes the tree of the load in service.
ALTER TABLE load ADD COLUMN tree jsonb;

-- +goose Down
ALTER TABLE load DROP COLUMN tree;
