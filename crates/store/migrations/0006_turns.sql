-- What waits, address by address: one that is disabled is passed over in one step, however much waits for it.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint, due_at, seq) WHERE state = 'waiting';

-- What is on its way, company by company: none has more than its share.
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (company, leased_until) WHERE leased_until IS NOT NULL;

-- Codes that wait, by themselves: they are taken before all the letters that are due.
CREATE INDEX outbox_codes ON outbox (due_at) WHERE state = 'waiting' AND template = 'code';
