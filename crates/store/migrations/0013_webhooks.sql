-- The kinds of events that an endpoint gets, separated by blanks; none if it gets all of them.
ALTER TABLE webhook_endpoints ADD COLUMN kinds TEXT;

-- The beginning of the response's body, where there was one.
ALTER TABLE webhook_attempts ADD COLUMN response TEXT;
