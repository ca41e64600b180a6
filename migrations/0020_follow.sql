-- +goose Up

-- Accounts that follow something, and how they are told. The address of a feed is derived from its seed and the server's secret.
CREATE TABLE follower (
    account_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    mails      boolean NOT NULL DEFAULT true,
    feed_seed  text, -- NULL: no feed
    feed_hash  bytea UNIQUE -- of its token
);

-- What is followed: a company by its root, a partner by six digits and slug of the name, a search by its filters.
CREATE TABLE follow (
    account_id bigint NOT NULL REFERENCES follower (account_id) ON DELETE CASCADE,
    kind       text NOT NULL CHECK (kind IN ('empresa', 'socio', 'busca')),
    value      text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, kind, value)
);
CREATE INDEX follow_of_kind ON follow (kind, account_id) WHERE kind <> 'empresa';

-- Up to which number of the journal of loads (history_journal) an account has been told. It moves in the transaction that queues what
-- it is told. It is not in backups: another database counts its own journal.
CREATE TABLE follow_mark (
    account_id bigint PRIMARY KEY REFERENCES follower (account_id) ON DELETE CASCADE,
    seq        bigint NOT NULL -- the first that has not been told
);
CREATE INDEX follow_mark_seq ON follow_mark (seq);

-- What an account has been told: a company, and the load that changed it.
CREATE TABLE follow_told (
    account_id bigint NOT NULL REFERENCES follower (account_id) ON DELETE CASCADE,
    seq        bigint NOT NULL, -- of the load, in the journal
    root       bigint NOT NULL,
    told_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, seq, root)
);
CREATE INDEX follow_told_at ON follow_told (told_at);

-- Addresses that events are posted to. A webhook's secret is derived from its form and the server's secret, whose fingerprint is seal.
CREATE TABLE webhook (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id  bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    form        text NOT NULL,
    seal        bytea NOT NULL,
    url         text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    disabled    text, -- why; NULL: it is in use
    failures    integer NOT NULL DEFAULT 0, -- in a row
    retry_at    timestamptz NOT NULL DEFAULT now(), -- after a failure: nothing is sent before
    UNIQUE (account_id, form)
);

-- Events for webhooks. A delivery is due from next_try_at on; NULL: it was delivered or given up.
CREATE TABLE webhook_delivery (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    webhook_id   bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event        text NOT NULL,
    body         text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz NOT NULL DEFAULT now() + interval '76 hours', -- it is given up then
    next_try_at  timestamptz DEFAULT now(),
    tries        integer NOT NULL DEFAULT 0,
    tried_at     timestamptz,
    delivered_at timestamptz,
    answer       text NOT NULL DEFAULT '' -- of the last try: the status, or why there is none
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (tries, next_try_at, id) WHERE next_try_at IS NOT NULL;
CREATE INDEX webhook_delivery_of ON webhook_delivery (webhook_id, created_at DESC);
CREATE INDEX webhook_delivery_created_at ON webhook_delivery (created_at);

-- Digests go to many: they have a form for reading, and an address by which the reader unsubscribes (RFC 8058). Mails that somebody
-- waits for go first.
ALTER TABLE mail_outbox
    ADD COLUMN html text NOT NULL DEFAULT '',
    ADD COLUMN unsubscribe text NOT NULL DEFAULT '';
DROP INDEX mail_outbox_next_try_at;
CREATE INDEX mail_outbox_due ON mail_outbox ((unsubscribe <> ''), next_try_at, id);

-- +goose Down
DROP INDEX mail_outbox_due;
ALTER TABLE mail_outbox DROP COLUMN html, DROP COLUMN unsubscribe;
CREATE INDEX mail_outbox_next_try_at ON mail_outbox (next_try_at);
DROP TABLE webhook_delivery, webhook, follow_told, follow_mark, follow, follower;
