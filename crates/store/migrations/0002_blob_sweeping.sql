-- Blobs that no document names and that are about to be removed. A create that brings the same bytes takes the
-- mark away, or waits where the removal is under way or just over: the row decides between the two.
CREATE TABLE orphaned_blobs (
    sha256 BYTEA NOT NULL PRIMARY KEY,
    orphaned_at BIGINT NOT NULL,
    removing BIGINT NOT NULL DEFAULT 0,
    removed_at BIGINT
);
