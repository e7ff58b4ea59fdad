-- The kinds of events that an endpoint gets, separated by blanks; none if it gets all of them.
ALTER TABLE webhook_endpoints ADD COLUMN kinds TEXT;

-- The beginning of the response's body, where there was one.
ALTER TABLE webhook_attempts ADD COLUMN response TEXT;

-- Deliveries by the time at which they were planned, and those that were given up: many are sent again together.
CREATE INDEX webhook_deliveries_planned ON webhook_deliveries (endpoint, created_at, seq);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (endpoint, created_at, seq) WHERE state = 'dead';
