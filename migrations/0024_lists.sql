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

-- The lists by which an account divides the companies that it follows. A list is there while it has a company.
CREATE TABLE follow_list (
    account_id bigint NOT NULL,
    name       text NOT NULL CHECK (name <> '' AND char_length(name) <= 60),
    kind       text NOT NULL DEFAULT 'empresa' CHECK (kind = 'empresa'),
    value      text NOT NULL,
    PRIMARY KEY (account_id, name, value),
    FOREIGN KEY (account_id, kind, value) REFERENCES follow (account_id, kind, value) ON DELETE CASCADE
);
CREATE INDEX follow_list_of ON follow_list (account_id, kind, value);

-- +goose Down
DROP TABLE follow_list;
DROP TABLE kept;
