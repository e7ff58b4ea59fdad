-- Waiting deliveries by endpoint: the worker skips a disabled endpoint in one step.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint, due_at, seq) WHERE state = 'waiting';

-- Leased deliveries by company: no company gets more than its share of the worker.
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (company, leased_until) WHERE leased_until IS NOT NULL;

-- Waiting codes: the outbox worker takes them before other messages.
CREATE INDEX outbox_codes ON outbox (due_at) WHERE state = 'waiting' AND template = 'code';
