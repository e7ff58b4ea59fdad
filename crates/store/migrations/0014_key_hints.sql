-- The beginning and the end of a key, for people to recognise it by. Keys that exist have none: only their hash is known.
ALTER TABLE api_keys ADD COLUMN hint TEXT;
