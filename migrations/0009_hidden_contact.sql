-- +goose Up

-- Establishments whose street, telephones and e-mail are not shown, on request. It names them by their number and not by a
-- load, so that it holds for every load, before and after. Each look-up of a company reads it.
CREATE TABLE hidden_contact (
    root          bigint NOT NULL,
    establishment integer NOT NULL,
    reason        text NOT NULL,
    hidden_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (root, establishment)
);

-- Requests that nobody has answered. One that was answered is deleted.
CREATE TABLE hiding_request (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    root          bigint NOT NULL,
    establishment integer NOT NULL,
    email         text NOT NULL,
    reason        text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX hiding_request_once ON hiding_request (root, establishment, lower(email));

-- +goose Down
DROP TABLE hiding_request, hidden_contact;
