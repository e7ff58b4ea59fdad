-- Bulk signatures, signers' sessions and codes, what signatures append, and the installation's own authority.

CREATE TABLE bulks (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    signer_name TEXT NOT NULL CHECK (length(signer_name) <= 200),
    document_type TEXT NOT NULL CHECK (length(document_type) <= 16),
    document_number TEXT NOT NULL CHECK (length(document_number) <= 32),
    email TEXT NOT NULL CHECK (length(email) <= 254),
    mobile TEXT NOT NULL CHECK (length(mobile) <= 16),
    return_url TEXT NOT NULL CHECK (length(return_url) <= 2048),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- As those of signers.
    session_generation BIGINT NOT NULL DEFAULT 0,
    contact_changed BIGINT NOT NULL DEFAULT 0 CHECK (contact_changed IN (0, 1)),
    UNIQUE (company, seq)
);

CREATE TABLE bulk_folios (
    company BIGINT NOT NULL,
    bulk BIGINT NOT NULL,
    position BIGINT NOT NULL CHECK (position >= 0),
    folio BIGINT NOT NULL,
    -- The place of the bulk's signer among the folio's: the number of a person's document may be corrected.
    signer BIGINT NOT NULL,
    PRIMARY KEY (bulk, position),
    FOREIGN KEY (company, bulk) REFERENCES bulks (company, seq),
    FOREIGN KEY (company, folio) REFERENCES folios (company, seq),
    FOREIGN KEY (folio, signer) REFERENCES signers (folio, position)
) {clustered};
CREATE INDEX bulk_folios_folio ON bulk_folios (folio);

-- A signer's session, from its first form or document on: opening a link writes nothing.
CREATE TABLE signer_sessions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    -- A signer of a folio, or a bulk signature.
    holder BYTEA NOT NULL,
    -- Where its first document or form came from, for the limit of visits that are recorded.
    network BYTEA,
    begun_at BIGINT NOT NULL,
    -- When a code was typed in it: from then on it has proved the contact.
    proven_at BIGINT,
    -- When the signer signed out.
    ended_at BIGINT
) {queue};
CREATE INDEX signer_sessions_holder ON signer_sessions (holder, begun_at);
CREATE INDEX signer_sessions_begun ON signer_sessions (begun_at);

-- Events of a visit that are in the history already: each kind once a session.
CREATE TABLE recorded_visits (
    session BYTEA NOT NULL CHECK (length(session) = 16),
    what TEXT NOT NULL,
    PRIMARY KEY (session, what)
) {clustered} {queue};

-- The pages of documents that a session was shown, each once; page 0 stands for the file, downloaded.
CREATE TABLE shown_pages (
    session BYTEA NOT NULL CHECK (length(session) = 16),
    document BYTEA NOT NULL CHECK (length(document) = 16),
    page BIGINT NOT NULL CHECK (page >= 0),
    PRIMARY KEY (session, document, page)
) {clustered} {queue};

-- What a session had been shown of each document when its signer accepted the text of that name.
CREATE TABLE accepted_documents (
    session BYTEA NOT NULL CHECK (length(session) = 16),
    document BYTEA NOT NULL CHECK (length(document) = 16),
    template TEXT NOT NULL,
    shown BIGINT NOT NULL CHECK (shown >= 0),
    downloaded BIGINT NOT NULL CHECK (downloaded IN (0, 1)),
    PRIMARY KEY (session, document)
) {clustered} {queue};

-- The last code of a session by each channel, as a keyed hash; wrong tries count here.
CREATE TABLE codes (
    session BYTEA NOT NULL CHECK (length(session) = 16),
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms')),
    holder BYTEA NOT NULL,
    -- The name of the code in the history.
    code_id BYTEA NOT NULL CHECK (length(code_id) = 16),
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    sent_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries BIGINT NOT NULL CHECK (tries >= 0),
    PRIMARY KEY (session, channel)
) {clustered} {queue};
CREATE INDEX codes_holder ON codes (holder);

-- When codes were sent, for as long as limits look at it; the recipient as a keyed hash.
CREATE TABLE code_sends (
    seq {sequence},
    holder BYTEA NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms')),
    recipient BYTEA NOT NULL CHECK (length(recipient) = 32),
    at BIGINT NOT NULL
) {queue};
CREATE INDEX code_sends_holder ON code_sends (holder, at);
CREATE INDEX code_sends_recipient ON code_sends (recipient, at);
CREATE INDEX code_sends_at ON code_sends (at);

-- What the next increment of a document is made from.
CREATE TABLE signing_states (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL,
    increments BIGINT NOT NULL DEFAULT 0 CHECK (increments >= 0),
    prepared BYTEA NOT NULL,
    -- Whether the sheet of a document is drawn and lies under number 0 of its increments: it becomes part of the document
    -- with the first signature, and what the next increment is made from is the state after it.
    sheet BIGINT NOT NULL DEFAULT 0 CHECK (sheet IN (0, 1)),
    -- What the sheet was made from, until the first signature: a signer's name that is corrected needs another sheet.
    before_sheet BYTEA,
    PRIMARY KEY (folio, position),
    FOREIGN KEY (folio, position) REFERENCES documents (folio, position)
) {clustered} {queue};

-- What acts appended to documents, in order, until it is moved to the document storage.
CREATE TABLE increments (
    folio BIGINT NOT NULL,
    position BIGINT NOT NULL,
    number BIGINT NOT NULL CHECK (number >= 0),
    bytes BYTEA NOT NULL,
    PRIMARY KEY (folio, position, number),
    FOREIGN KEY (folio, position) REFERENCES documents (folio, position)
) {queue};

-- Signed folios whose documents are to be extended for the long term, now or before a timestamp ends.
CREATE TABLE extensions (
    folio BIGINT NOT NULL PRIMARY KEY REFERENCES folios (seq),
    due_at BIGINT NOT NULL,
    -- When due_at was written. Where this time is still to come, the clock went back, and the row does not wait. Only while
    -- the extension is overdue or was put off: a folio that was extended waits for years.
    due_set_at BIGINT,
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16),
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error TEXT
) {queue};
CREATE INDEX extensions_due ON extensions (due_at);
CREATE INDEX extensions_due_set ON extensions (due_set_at) WHERE due_set_at IS NOT NULL;

-- Finished folios whose increments are to be moved to the document storage. The columns are those of extensions, and when
-- the move was planned.
CREATE TABLE increment_moves (
    folio BIGINT NOT NULL PRIMARY KEY REFERENCES folios (seq),
    planned_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    due_set_at BIGINT NOT NULL,
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16),
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error TEXT
) {queue};
CREATE INDEX increment_moves_due ON increment_moves (due_at);

-- Certificates and sealed keys of the installation's own authority.
CREATE TABLE authority (
    role TEXT NOT NULL PRIMARY KEY,
    certificate BYTEA NOT NULL,
    sealed_key BYTEA,
    created_at BIGINT NOT NULL
);

-- Certificates that the operator revoked, for the authority's lists. An empty issuer stands for every issuer: of a
-- signer's certificate that is named by its serial number alone the issuer is not known.
CREATE TABLE revocations (
    serial BYTEA NOT NULL,
    -- SHA-256 of the issuer's certificate.
    issuer BYTEA NOT NULL CHECK (length(issuer) IN (0, 32)),
    -- The code of RFC 5280, section 5.3.1.
    reason BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (serial, issuer)
);

-- Keys that outlive a master key, sealed under the present one: links that were sent before must open.
CREATE TABLE kept_keys (
    name TEXT NOT NULL PRIMARY KEY,
    sealed BYTEA NOT NULL
);
