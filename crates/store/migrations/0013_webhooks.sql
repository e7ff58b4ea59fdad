-- The kinds of events that an endpoint gets, separated by blanks; none if it gets all of them.
ALTER TABLE webhook_endpoints ADD COLUMN kinds TEXT;
