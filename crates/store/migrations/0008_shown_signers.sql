-- What is shown of the folio's signers since it last changed, and when that was: whoever reads the folio has it with the
-- row. Where there is nothing, or the folio was changed since by a version that knows nothing of it, they are asked for.
ALTER TABLE folios ADD COLUMN shown_signers BYTEA;
