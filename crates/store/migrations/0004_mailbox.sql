-- What a sandbox without a mail server or an SMS gateway would have sent, as the person would have received it.
CREATE TABLE mailbox (
    seq {sequence},
    message_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    html TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- When the operator had a given-up message sent again: the time for retries counts from there.
ALTER TABLE outbox ADD COLUMN retried_at BIGINT;
CREATE INDEX outbox_dead ON outbox (seq) WHERE state = 'dead';
