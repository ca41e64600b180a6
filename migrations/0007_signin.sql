-- +goose Up

-- A link that was mailed. Only the hash of its token is kept; it is deleted when it is used.
CREATE TABLE magic_link (
    token_hash bytea PRIMARY KEY,
    email      text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX magic_link_email ON magic_link (lower(email));

-- Somebody went to a provider and has not come back. The row is deleted when they do.
CREATE TABLE signin_attempt (
    state_hash   bytea PRIMARY KEY,
    browser_hash bytea NOT NULL,
    provider     text NOT NULL,
    verifier     text NOT NULL,
    nonce        text NOT NULL,
    next         text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX signin_attempt_created_at ON signin_attempt (created_at);

-- How many links were asked for an address, or from one, since a moment. A crash empties the table.
CREATE UNLOGGED TABLE signin_quota (
    subject bytea PRIMARY KEY, -- a hash
    since   timestamptz NOT NULL,
    links   integer NOT NULL
);

-- +goose Down
DROP TABLE signin_quota, signin_attempt, magic_link;
