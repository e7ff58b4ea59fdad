-- Beside an event: the personal values whose digests are in its text, and a MAC of its hash. The key is not in the database.
ALTER TABLE events ADD COLUMN personal TEXT NOT NULL DEFAULT '[]';
ALTER TABLE events ADD COLUMN mac BYTEA;
