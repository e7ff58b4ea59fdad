-- What belongs to the installation, and to this database and its storage alone.

-- Which installation this is. The storage of its documents carries the same number, and the sweeper removes nothing from
-- a storage that carries another.
CREATE TABLE installation (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    id BYTEA NOT NULL CHECK (length(id) = 16)
);

-- Instances that run. One whose heartbeat ended is dead, and what it leased is free. These times and those of leases are the
-- database's, never those of an instance.
CREATE TABLE instances (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    alive_until BIGINT NOT NULL
) {clustered} {queue};

-- Blobs that no document names and that are about to be removed. A create that brings the same bytes takes the
-- mark away, or waits where the removal is under way or just over: the row decides between the two.
CREATE TABLE orphaned_blobs (
    sha256 BYTEA NOT NULL PRIMARY KEY CHECK (length(sha256) = 32),
    orphaned_at BIGINT NOT NULL,
    removing BIGINT NOT NULL DEFAULT 0,
    removed_at BIGINT
) {queue};
CREATE INDEX orphaned_blobs_marked ON orphaned_blobs (orphaned_at) WHERE removed_at IS NULL;
CREATE INDEX orphaned_blobs_removed ON orphaned_blobs (removed_at) WHERE removed_at IS NOT NULL;

-- While there is a row, the sweeper removes no blob: a backup is being taken.
CREATE TABLE blob_holds (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    until BIGINT NOT NULL
) {queue};

-- Which instance sweeps the storage of documents. When the last sweep ended, by the database's clock, and whether it refused to
-- remove anything.
CREATE TABLE sweep (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    ended_at BIGINT,
    refused BIGINT NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)),
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16)
) {queue};
INSERT INTO sweep (one) VALUES (1);

-- How far the scrubber is in its round through all documents.
CREATE TABLE scrub (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    folio BIGINT NOT NULL,
    position BIGINT NOT NULL,
    checked BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16)
) {queue};
INSERT INTO scrub (one, folio, position, checked, documents, started_at) VALUES (1, 0, -1, 0, 0, 0);

-- Documents that the scrubber found damaged and could not mend, of folios or, with the folio 0, of templates. A document that is
-- whole again loses its row.
CREATE TABLE damaged_documents (
    folio BIGINT NOT NULL,
    position BIGINT NOT NULL,
    reason TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (folio, position)
);

-- When the next batch of folios may be erased, and whose the last was: the instances share the work and its pace, and companies
-- take turns. When the last folio was erased, and until when what was erased is gone from the free space of the database's files, too.
CREATE TABLE erasure_work (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    next_at BIGINT NOT NULL,
    last_company BIGINT NOT NULL,
    erased_at BIGINT NOT NULL,
    compacted_at BIGINT NOT NULL
) {queue};
INSERT INTO erasure_work (one, next_at, last_company, erased_at, compacted_at) VALUES (1, 0, 0, 0, 0);

-- When the last backup of this database was finished, and how many documents it lacks. No row before the first.
CREATE TABLE last_backup (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    finished_at BIGINT NOT NULL,
    missing_documents BIGINT NOT NULL CHECK (missing_documents >= 0)
);

-- What a sandbox without a mail server or an SMS gateway would have sent, as the person would have received it.
CREATE TABLE mailbox (
    seq {sequence},
    message_id TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms')),
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    html TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- How far a sandbox's clock was moved forward. No row if it was not.
CREATE TABLE sandbox_clock (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    offset_micros BIGINT NOT NULL
);

-- Addresses and numbers that take no messages in a sandbox.
CREATE TABLE sandbox_bounces (
    recipient TEXT NOT NULL PRIMARY KEY
);
