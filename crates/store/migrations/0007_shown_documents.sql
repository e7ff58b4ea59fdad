-- What is shown of the folio's documents, as it was when they came: it never changes, and whoever reads the folio has it
-- with the row. Folios of before have none, and their documents are asked for.
ALTER TABLE folios ADD COLUMN shown_documents BYTEA;
