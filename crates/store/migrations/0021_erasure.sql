-- Days after the last change of a folio until it is erased, by how it ended; never when absent. Pending folios count from
-- their creation.
ALTER TABLE companies ADD COLUMN erase_signed_days BIGINT;
ALTER TABLE companies ADD COLUMN erase_rejected_days BIGINT;
ALTER TABLE companies ADD COLUMN erase_cancelled_days BIGINT;
ALTER TABLE companies ADD COLUMN erase_pending_days BIGINT;

-- When the folio was erased. The row stays, and so do its history's hashes: they prove that there was a folio.
ALTER TABLE folios ADD COLUMN erased_at BIGINT;
-- Whether the folio is under legal hold: then it is not erased.
ALTER TABLE folios ADD COLUMN held BIGINT NOT NULL DEFAULT 0;
-- Finished folios that can be erased, by how long they have been so.
CREATE INDEX folios_erasable ON folios (company, state, updated_at)
    WHERE erased_at IS NULL AND held = 0 AND state <> 'pending';

-- Whether the document was erased. Its row stays with its hashes and no longer names the blob.
ALTER TABLE documents ADD COLUMN erased BIGINT NOT NULL DEFAULT 0;

-- Whether the folio was erased: neither what is sent nor what is answered is kept any more.
ALTER TABLE webhook_deliveries ADD COLUMN erased BIGINT NOT NULL DEFAULT 0;
CREATE INDEX webhook_deliveries_folio ON webhook_deliveries (folio) WHERE folio IS NOT NULL;

-- When the next batch of folios may be erased: the instances share the work and its pace. When the last folio was erased,
-- and until when what was erased is gone from the free space of the database's files, too. One row.
CREATE TABLE erasure_work (
    one BIGINT NOT NULL PRIMARY KEY,
    next_at BIGINT NOT NULL,
    erased_at BIGINT NOT NULL,
    compacted_at BIGINT NOT NULL
);
INSERT INTO erasure_work (one, next_at, erased_at, compacted_at) VALUES (1, 0, 0, 0);
