-- +goose Up

-- An identity is who a provider of sign-in says that somebody is. Its subject stays when the e-mail address there changes.
CREATE TABLE identity (
    issuer       text NOT NULL,
    subject      text NOT NULL,
    account_id   bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    email        text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_account_id ON identity (account_id);

-- A session belongs to somebody who has signed in; there are none before. Only the hash of its cookie is kept.
CREATE TABLE session (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    token_hash   bytea NOT NULL UNIQUE,
    browser      text NOT NULL,
    data         bytea NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX session_account_id ON session (account_id);
CREATE INDEX session_last_seen_at ON session (last_seen_at);

-- +goose Down
DROP TABLE session, identity;
