-- The pages of documents that a session was shown, each once; page 0 stands for the file, downloaded.
CREATE TABLE shown_pages (
    session BYTEA NOT NULL,
    document BYTEA NOT NULL,
    page BIGINT NOT NULL,
    PRIMARY KEY (session, document, page)
) {clustered};

-- What a session had been shown of each document when its signer accepted the text of that name.
CREATE TABLE accepted_documents (
    session BYTEA NOT NULL,
    document BYTEA NOT NULL,
    template TEXT NOT NULL,
    shown BIGINT NOT NULL,
    downloaded BIGINT NOT NULL,
    PRIMARY KEY (session, document)
) {clustered};

-- Whether signers must have each document shown to its end before they get a code.
ALTER TABLE companies ADD COLUMN read_to_end BIGINT NOT NULL DEFAULT 0;
