-- +goose Up

-- Which secret the MAC of a key or token was made with: a fingerprint that gives nothing away. NULL: it has none, as those made before.
ALTER TABLE api_key ADD COLUMN seal bytea;
ALTER TABLE oauth_refresh_token ADD COLUMN seal bytea;

-- Servers ask once a minute whether there are any of another secret than theirs.
CREATE INDEX api_key_seal ON api_key (seal) WHERE revoked_at IS NULL;
CREATE INDEX oauth_refresh_token_seal ON oauth_refresh_token (seal);

-- +goose Down
ALTER TABLE oauth_refresh_token DROP COLUMN seal;
ALTER TABLE api_key DROP COLUMN seal;
