-- Whom signers may ask, as the company's administrators set it; empty where there is nothing to show.
ALTER TABLE companies ADD COLUMN contact_name TEXT NOT NULL DEFAULT '';
ALTER TABLE companies ADD COLUMN contact_email TEXT NOT NULL DEFAULT '';
ALTER TABLE companies ADD COLUMN contact_phone TEXT NOT NULL DEFAULT '';
-- Whether a signer who has signed is returned to the return address without pressing anything.
ALTER TABLE companies ADD COLUMN auto_return BIGINT NOT NULL DEFAULT 0;
