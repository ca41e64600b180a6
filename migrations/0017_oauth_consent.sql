-- +goose Up

-- A consent is a request that somebody signed in opened: before that it is nowhere but in its own id. It belongs to the session that
-- opened it first, and stays, decided, until the id expires, so that nobody decides twice. Hence SET NULL, and no reference to the
-- client: the row outlives all of them. oauth_request is left to the servers of the release before and goes with the next one.
CREATE TABLE oauth_consent (
    hash       bytea PRIMARY KEY, -- of the id
    session_id bigint REFERENCES session (id) ON DELETE SET NULL, -- NULL: it has ended, and nobody may decide any more
    account_id bigint REFERENCES account (id) ON DELETE SET NULL,
    client_id  text NOT NULL,
    decided    boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL -- when the id does
);
CREATE INDEX oauth_consent_session_id ON oauth_consent (session_id);
CREATE INDEX oauth_consent_account_id ON oauth_consent (account_id);
CREATE INDEX oauth_consent_client_id ON oauth_consent (client_id);
CREATE INDEX oauth_consent_expires_at ON oauth_consent (expires_at);

-- +goose Down
DROP TABLE oauth_consent;
