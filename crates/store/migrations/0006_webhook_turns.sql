-- What waits, address by address: one that is disabled is passed over in one step, however much waits for it.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint, due_at, seq) WHERE state = 'waiting';
