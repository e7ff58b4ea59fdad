-- Instances that run. One whose heartbeat ended is dead, and what it leased is free. These times and those of leases are the
-- database's, never those of an instance.
CREATE TABLE instances (
    id BYTEA NOT NULL PRIMARY KEY,
    alive_until BIGINT NOT NULL
) {clustered};

ALTER TABLE outbox ADD COLUMN leased_by BYTEA;
ALTER TABLE account_emails ADD COLUMN leased_by BYTEA;
ALTER TABLE webhook_deliveries ADD COLUMN leased_by BYTEA;
ALTER TABLE extensions ADD COLUMN leased_by BYTEA;

-- When due_at was written, if that was later than the row. Where this time is still to come, the clock went back, and the
-- row does not wait.
ALTER TABLE outbox ADD COLUMN due_set_at BIGINT;
ALTER TABLE account_emails ADD COLUMN due_set_at BIGINT;
ALTER TABLE webhook_deliveries ADD COLUMN due_set_at BIGINT;
-- Of an extension only while it is overdue or was put off: a folio that was extended waits for years.
ALTER TABLE extensions ADD COLUMN due_set_at BIGINT;
CREATE INDEX extensions_due_set ON extensions (due_set_at) WHERE due_set_at IS NOT NULL;
