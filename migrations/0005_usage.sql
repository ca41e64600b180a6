-- +goose Up

-- The calls of each account in its latest minute. A crash empties the table, which costs one minute of counting; without
-- a log a call is let in without waiting for the disk. Free room in each page lets rows be replaced in place. There is no
-- foreign key: a call that meets the deletion of its account must not fail the calls counted with it.
CREATE UNLOGGED TABLE admission (
    account_id bigint PRIMARY KEY,
    minute     timestamptz NOT NULL,
    calls      integer NOT NULL
) WITH (fillfactor = 50);

-- The history of calls. It has no foreign keys, which would look up two rows for each call: who writes holds the account,
-- and who deletes the account deletes its history.
CREATE TABLE usage_call (
    account_id bigint NOT NULL,
    id         bigint GENERATED ALWAYS AS IDENTITY,
    key_id     bigint NOT NULL, -- 0: a call without a key
    at         timestamptz NOT NULL,
    version    text NOT NULL,
    endpoint   text NOT NULL,
    status     smallint NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX usage_call_at ON usage_call USING brin (at);

-- Totals of UTC days; calls that the limit blocked are counted here alone.
CREATE TABLE usage_day (
    account_id bigint NOT NULL,
    day        date NOT NULL,
    key_id     bigint NOT NULL,
    calls      bigint NOT NULL,
    blocked    bigint NOT NULL,
    PRIMARY KEY (account_id, day, key_id)
);
CREATE INDEX usage_day_day ON usage_day (day);

-- +goose Down
DROP TABLE usage_day, usage_call, admission;
