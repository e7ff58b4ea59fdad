-- What was sent of a document that was repaired: a download returns it until an act appends something to the copy.
ALTER TABLE documents ADD COLUMN sent_sha256 BYTEA;
ALTER TABLE documents ADD COLUMN sent_size BIGINT;
CREATE INDEX documents_sent_sha256 ON documents (sent_sha256) WHERE sent_sha256 IS NOT NULL;
