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

-- When somebody had a given-up message tried again: its patience counts from there.
ALTER TABLE outbox ADD COLUMN retried_at BIGINT;
CREATE INDEX outbox_dead ON outbox (seq) WHERE state = 'dead';
