-- +goose Up

-- Up to which call the history is contained in usage_day and in the last use of keys. Its one row is also the gate of the
-- history: who adds calls shares it, who must see all of them or delete some for good holds it alone.
CREATE TABLE usage_rollup (
    upto bigint NOT NULL
);
INSERT INTO usage_rollup (upto) SELECT coalesce(max(id), 0) FROM usage_call;

-- The roll-up walks the calls in their order, and so does who deletes the oldest.
DROP INDEX usage_call_at;
CREATE INDEX usage_call_id ON usage_call (id);

-- +goose Down
DROP INDEX usage_call_id;
CREATE INDEX usage_call_at ON usage_call USING brin (at);
DROP TABLE usage_rollup;
