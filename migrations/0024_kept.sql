-- +goose Up

-- What somebody has brought, for a quarter of an hour: encrypted, under a key that only its address and RAZAO_SECRET make together. Unlogged:
-- it is in no WAL, replica or backup, and empty after a crash.
CREATE UNLOGGED TABLE kept (
    token_hash bytea PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    content    text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX kept_of_account ON kept (account_id, expires_at);

-- +goose Down
DROP TABLE kept;
