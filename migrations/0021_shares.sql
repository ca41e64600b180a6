-- +goose Up

-- An event about a company is the number of a load and the company: its body is written when it is sent, by the rules of that moment, so
-- that nothing published waits here which may have to be hidden meanwhile. Bodies that were written before are deleted with their events.
DELETE FROM webhook_delivery WHERE event = 'empresa.mudou';
ALTER TABLE webhook_delivery
    ADD COLUMN seq bigint, -- of the load, in the journal; NULL: the body is that of the row
    ADD COLUMN root bigint,
    ALTER COLUMN body SET DEFAULT '',
    ADD CONSTRAINT webhook_delivery_body CHECK (event <> 'empresa.mudou' OR body = '' AND seq IS NOT NULL AND root IS NOT NULL);

-- Webhooks take turns, and those whose server hangs do so among themselves.
ALTER TABLE webhook
    ADD COLUMN prompt boolean NOT NULL DEFAULT false, -- the last message was taken at once
    ADD COLUMN turn_at timestamptz NOT NULL DEFAULT now(), -- when it was sent to last
    ADD COLUMN network text NOT NULL DEFAULT ''; -- that was connected to then: an address of IPv4, the /48 of IPv6; '': none yet
DROP INDEX webhook_delivery_due;
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, next_try_at, id) WHERE next_try_at IS NOT NULL;

-- A digest is what it tells of, and is written when it is sent, as events are. Mails that somebody waits for go first, and no domain of
-- recipients holds up the others.
DELETE FROM mail_outbox WHERE unsubscribe <> '';
ALTER TABLE mail_outbox
    DROP COLUMN html,
    DROP COLUMN unsubscribe, -- and with it mail_outbox_due
    ADD COLUMN draft text NOT NULL DEFAULT '', -- what the mail is written from; '': it is that of the row
    ADD COLUMN domain text NOT NULL DEFAULT '', -- of the recipient, as it was registered
    ALTER COLUMN subject SET DEFAULT '',
    ALTER COLUMN body SET DEFAULT '',
    ADD CONSTRAINT mail_outbox_text CHECK ((draft = '') = (subject <> ''));
CREATE INDEX mail_outbox_due ON mail_outbox ((draft <> ''), (tries > 0), next_try_at, id);

-- +goose Down
ALTER TABLE mail_outbox
    DROP CONSTRAINT mail_outbox_text,
    DROP COLUMN draft, -- and with it mail_outbox_due
    DROP COLUMN domain,
    ALTER COLUMN subject DROP DEFAULT,
    ALTER COLUMN body DROP DEFAULT,
    ADD COLUMN html text NOT NULL DEFAULT '',
    ADD COLUMN unsubscribe text NOT NULL DEFAULT '';
CREATE INDEX mail_outbox_due ON mail_outbox ((unsubscribe <> ''), next_try_at, id);
DROP INDEX webhook_delivery_due;
CREATE INDEX webhook_delivery_due ON webhook_delivery (tries, next_try_at, id) WHERE next_try_at IS NOT NULL;
ALTER TABLE webhook DROP COLUMN prompt, DROP COLUMN turn_at, DROP COLUMN network;
DELETE FROM webhook_delivery WHERE seq IS NOT NULL;
ALTER TABLE webhook_delivery DROP CONSTRAINT webhook_delivery_body, DROP COLUMN seq, DROP COLUMN root, ALTER COLUMN body DROP DEFAULT;
