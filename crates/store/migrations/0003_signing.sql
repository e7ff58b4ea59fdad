-- Sessions of an earlier generation are over: a corrected contact and every act begin a new one.
ALTER TABLE signers ADD COLUMN session_generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE bulks ADD COLUMN session_generation BIGINT NOT NULL DEFAULT 0;

-- How many pages the document had when it came; none for documents that came before they were counted.
ALTER TABLE documents ADD COLUMN pages BIGINT NOT NULL DEFAULT 0;

-- The document with its increments, once there are any.
ALTER TABLE documents ADD COLUMN current_sha256 BYTEA;
ALTER TABLE documents ADD COLUMN current_size BIGINT;
ALTER TABLE documents ADD COLUMN changed_at BIGINT;

-- What the next increment of a document is made from.
CREATE TABLE signing_states (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL,
    increments BIGINT NOT NULL DEFAULT 0,
    prepared BYTEA NOT NULL,
    PRIMARY KEY (folio, position)
) {clustered};

-- What acts appended to documents, in order.
CREATE TABLE increments (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL,
    number BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (folio, position, number)
);

-- The live one-time code of a signing party (a signer of a folio, or a bulk signature), as a keyed hash.
CREATE TABLE codes (
    holder BYTEA NOT NULL,
    channel TEXT NOT NULL,
    digest BYTEA NOT NULL,
    sent_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    PRIMARY KEY (holder, channel)
) {clustered};
CREATE INDEX codes_expires ON codes (expires_at);

-- Wrong guesses of a signing party, and until when it is locked.
CREATE TABLE guesses (
    holder BYTEA NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    locked_until BIGINT
);
CREATE INDEX guesses_last ON guesses (last_at);

-- A message's secret, sealed: the code it carries. It is deleted when the message was sent or given up.
ALTER TABLE outbox ADD COLUMN secret BYTEA;
ALTER TABLE outbox ADD COLUMN bulk BIGINT REFERENCES bulks (seq);
ALTER TABLE outbox ADD COLUMN sent_at BIGINT;
CREATE INDEX outbox_folio ON outbox (folio);
CREATE INDEX outbox_recipient ON outbox (recipient, seq) WHERE state = 'waiting';

-- Certificates and sealed keys of the installation's own authority.
CREATE TABLE authority (
    role TEXT NOT NULL PRIMARY KEY,
    certificate BYTEA NOT NULL,
    sealed_key BYTEA,
    created_at BIGINT NOT NULL
);

-- Signed folios whose documents are to be extended for the long term, now or before a timestamp ends.
CREATE TABLE extensions (
    folio BIGINT NOT NULL PRIMARY KEY REFERENCES folios (seq),
    due_at BIGINT NOT NULL,
    leased_until BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0,
    last_error TEXT
);
CREATE INDEX extensions_due ON extensions (due_at);

-- Origins that may show the company's signing pages inside their own, separated by spaces.
ALTER TABLE companies ADD COLUMN embedding_origins TEXT NOT NULL DEFAULT '';
