-- +goose Up

-- Mails that have not been sent. One that was sent is deleted.
CREATE TABLE mail_outbox (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recipient   text NOT NULL,
    subject     text NOT NULL,
    body        text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL, -- it is not worth sending later
    next_try_at timestamptz NOT NULL DEFAULT now(),
    tries       integer NOT NULL DEFAULT 0
);
CREATE INDEX mail_outbox_next_try_at ON mail_outbox (next_try_at);
CREATE INDEX mail_outbox_recipient ON mail_outbox (lower(recipient));

-- +goose Down
DROP TABLE mail_outbox;
