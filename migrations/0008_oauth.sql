-- +goose Up

-- A client is a program that asks people to let it read for them. None has a secret.
CREATE TABLE oauth_client (
    id            text PRIMARY KEY, -- of a document, its address
    origin        text NOT NULL CHECK (origin IN ('document', 'registration', 'operator')),
    name          text NOT NULL,
    redirect_uris text[] NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    fresh_until   timestamptz NOT NULL DEFAULT 'infinity', -- of a document: from then on it is fetched again
    last_used_at  timestamptz -- NULL: nobody ever let it in; up to a day late
);
CREATE INDEX oauth_client_unused ON oauth_client (created_at) WHERE last_used_at IS NULL;
CREATE INDEX oauth_client_last_used_at ON oauth_client (last_used_at);

-- A request waits for somebody's decision and is deleted by it. The session is that of the first who saw it.
CREATE TABLE oauth_request (
    hash           bytea PRIMARY KEY,
    client_id      text NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
    redirect_uri   text NOT NULL,
    state          text NOT NULL,
    code_challenge text NOT NULL,
    resource       text NOT NULL,
    session_id     bigint REFERENCES session (id) ON DELETE CASCADE,
    created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX oauth_request_client_id ON oauth_request (client_id);
CREATE INDEX oauth_request_session_id ON oauth_request (session_id);
CREATE INDEX oauth_request_created_at ON oauth_request (created_at);

-- A grant is what somebody allows a client.
CREATE TABLE oauth_grant (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    client_id    text NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
    scopes       text[] NOT NULL,
    granted_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz, -- NULL: never; up to a minute late
    UNIQUE (account_id, client_id)
);
CREATE INDEX oauth_grant_client_id ON oauth_grant (client_id);

-- A code begins a chain of tokens, which end when its row is deleted.
CREATE TABLE oauth_code (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash           bytea NOT NULL UNIQUE,
    grant_id       bigint NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
    redirect_uri   text NOT NULL,
    code_challenge text NOT NULL,
    resource       text NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    used_at        timestamptz
);
CREATE INDEX oauth_code_grant_id ON oauth_code (grant_id);
CREATE INDEX oauth_code_created_at ON oauth_code (created_at);

CREATE TABLE oauth_access_token (
    hash       bytea PRIMARY KEY,
    code_id    bigint NOT NULL REFERENCES oauth_code (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX oauth_access_token_code_id ON oauth_access_token (code_id);
CREATE INDEX oauth_access_token_expires_at ON oauth_access_token (expires_at);

-- A refresh token that was used stays until it expires, so that using it again is noticed.
CREATE TABLE oauth_refresh_token (
    hash       bytea PRIMARY KEY,
    code_id    bigint NOT NULL REFERENCES oauth_code (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX oauth_refresh_token_code_id ON oauth_refresh_token (code_id);
CREATE INDEX oauth_refresh_token_expires_at ON oauth_refresh_token (expires_at);

-- +goose Down
DROP TABLE oauth_refresh_token, oauth_access_token, oauth_code, oauth_grant, oauth_request, oauth_client;
