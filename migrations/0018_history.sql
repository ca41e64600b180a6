-- +goose Up

-- What each load changed, kept for longer than the records (package history). A load was compared with the one in service when it
-- was written, or has gaps that say why not.
CREATE TABLE history (
    load_id   bigint PRIMARY KEY REFERENCES load (id),
    former_id bigint REFERENCES load (id),
    gaps      jsonb NOT NULL,    -- parts that were not compared
    level     smallint NOT NULL, -- its blocks are 2^level ranges of hashes
    companies bigint NOT NULL,   -- that it changed
    events    jsonb NOT NULL     -- by code
);

-- The changed companies of one range of hashes, compressed.
CREATE TABLE history_block (
    level   smallint NOT NULL,
    bucket  integer NOT NULL,
    load_id bigint NOT NULL REFERENCES history (load_id) ON DELETE CASCADE,
    doc     bytea NOT NULL,
    PRIMARY KEY (level, bucket, load_id)
);
ALTER TABLE history_block ALTER COLUMN doc SET STORAGE EXTERNAL; -- it is compressed
CREATE INDEX history_block_load_id ON history_block (load_id, bucket);

-- Openings, closures and moves of a load of the Receita, by municipality and division of CNAE.
CREATE TABLE history_place (
    load_id      bigint NOT NULL REFERENCES history (load_id) ON DELETE CASCADE,
    municipality text NOT NULL, -- the tax authority's code
    division     text NOT NULL,
    opened       integer NOT NULL,
    closed       integer NOT NULL,
    reactivated  integer NOT NULL,
    came         integer NOT NULL,
    went         integer NOT NULL,
    PRIMARY KEY (municipality, division, load_id)
);
CREATE INDEX history_place_load_id ON history_place (load_id);

-- The log of publications: a load is told when it enters the history that is served, and withdrawn when it leaves it.
CREATE TABLE history_journal (
    seq       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    load_id   bigint NOT NULL REFERENCES load (id),
    withdrawn boolean NOT NULL,
    at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX history_journal_load_id ON history_journal (load_id);

-- +goose Down
DROP TABLE history_journal, history_place, history_block, history;
