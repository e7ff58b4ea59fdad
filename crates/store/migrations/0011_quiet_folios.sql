-- Whether the service writes about the folio by itself.
ALTER TABLE folios ADD COLUMN send_email BIGINT NOT NULL DEFAULT 1;

-- Where the signer returns to, if a resend gave another address than the folio's.
ALTER TABLE signers ADD COLUMN return_url TEXT;
