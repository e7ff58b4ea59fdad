-- Beside an event, the personal values whose digests its text has, and a code over its hash by a key that is not here.
ALTER TABLE events ADD COLUMN personal TEXT NOT NULL DEFAULT '[]';
ALTER TABLE events ADD COLUMN mac BYTEA;
