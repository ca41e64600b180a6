-- +goose Up

-- A load is one period of one source. Its records live in a schema of its own, load_000042; these rows outlive them.
CREATE TABLE load (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source         text NOT NULL,
    period         text NOT NULL,
    state          text NOT NULL CHECK (state IN ('loading', 'ready', 'failed', 'refused', 'dropped')),
    started_at     timestamptz NOT NULL DEFAULT now(),
    finished_at    timestamptz,
    rows_read      bigint NOT NULL DEFAULT 0,
    rows_loaded    bigint NOT NULL DEFAULT 0,
    rows_rejected  bigint NOT NULL DEFAULT 0,
    rows_discarded bigint NOT NULL DEFAULT 0,
    store_bytes    bigint NOT NULL DEFAULT 0,
    counts         jsonb NOT NULL DEFAULT '{}',
    provenance     jsonb NOT NULL DEFAULT '{}',
    reason         text NOT NULL DEFAULT ''
);

-- Rows of published files that could not be read, up to a bound for each load.
CREATE TABLE reject (
    load_id     bigint NOT NULL REFERENCES load (id) ON DELETE CASCADE,
    file        text NOT NULL,
    line        bigint NOT NULL,
    column_name text NOT NULL,
    reason      text NOT NULL,
    raw         bytea NOT NULL
);
CREATE INDEX reject_load_id ON reject (load_id);

-- A snapshot is a set of loads, one for each source, and the search index built from its Receita load.
CREATE TABLE snapshot (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    published_at timestamptz NOT NULL DEFAULT now(),
    index_name   text NOT NULL
);

CREATE TABLE snapshot_load (
    snapshot_id bigint NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
    source      text NOT NULL,
    load_id     bigint NOT NULL REFERENCES load (id),
    PRIMARY KEY (snapshot_id, source)
);

-- The one row that servers poll.
CREATE TABLE current_snapshot (
    singleton   boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    snapshot_id bigint NOT NULL REFERENCES snapshot (id)
);

-- +goose Down
DROP TABLE current_snapshot, snapshot_load, snapshot, reject, load;
