-- +goose Up

-- What mass registration and mass requests are held against: the SHA-256 of the network that a client or a request came from.
-- NULL: unknown, or no longer needed because somebody authorized the client.
ALTER TABLE oauth_client
    ADD COLUMN network bytea,
    ADD COLUMN retry_at timestamptz; -- of a document whose site was down: until then the stored copy is used
ALTER TABLE oauth_request ADD COLUMN network bytea;

-- +goose Down
ALTER TABLE oauth_request DROP COLUMN network;
ALTER TABLE oauth_client DROP COLUMN retry_at, DROP COLUMN network;
