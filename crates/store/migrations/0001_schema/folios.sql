-- Folios with their documents, signers and histories, and what is derived from them.

CREATE TABLE folios (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    name TEXT NOT NULL CHECK (length(name) <= 100),
    -- The name as lists are sorted by it: without accents and capitals.
    name_key TEXT {bytewise} NOT NULL CHECK (length(name_key) <= 100),
    message TEXT NOT NULL CHECK (length(message) <= 500),
    observation TEXT CHECK (length(observation) <= 500),
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    state TEXT NOT NULL
        CHECK (state IN ('pending', 'signed', 'rejected_by_signer', 'approved', 'disapproved', 'cancelled')),
    dropped BIGINT NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1)),
    signature_type TEXT NOT NULL CHECK (signature_type IN ('email_code', 'sms_code')),
    return_url TEXT NOT NULL CHECK (length(return_url) <= 2048),
    -- Whether the service writes about the folio by itself.
    send_email BIGINT NOT NULL DEFAULT 1 CHECK (send_email IN (0, 1)),
    expires_at BIGINT,
    -- The language of its sheet, and of its messages to a signer who chose no other.
    language TEXT NOT NULL DEFAULT 'es' CHECK (language IN ('es', 'en', 'pt')),
    -- The law that its sheet names, where its company had named one of its own.
    legal_basis TEXT CHECK (length(legal_basis) <= 200),
    history_length BIGINT NOT NULL CHECK (history_length >= 0),
    history_hash BYTEA NOT NULL CHECK (length(history_hash) = 32),
    -- When the folio was erased. The row stays, and so do its history's hashes: they prove that there was a folio.
    erased_at BIGINT,
    -- Whether the folio is under legal hold: then it is not erased.
    held BIGINT NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    -- The panel user who made the folio; none where a system did.
    creator BIGINT,
    -- What rows of a company refer to: no row of one company can name another's folio.
    UNIQUE (company, seq)
);
-- Lists of folios: newest first in each state. The date in the index saves reading rows of other days.
CREATE INDEX folios_listed ON folios (company, state, seq, created_at);
-- The same by name.
CREATE INDEX folios_named ON folios (company, state, name_key, seq);
-- The same of folios that were dropped, and of those that a panel user made.
CREATE INDEX folios_dropped ON folios (company, state, seq) WHERE dropped = 1;
CREATE INDEX folios_made ON folios (company, creator, state, seq) WHERE creator IS NOT NULL;
-- Pending folios, by when they end.
CREATE INDEX folios_expiring ON folios (company, expires_at, seq) WHERE state = 'pending' AND expires_at IS NOT NULL;
-- Pending folios that can be erased, by how long they have been there.
CREATE INDEX folios_pending ON folios (company, created_at) WHERE state = 'pending' AND held = 0;
-- Finished folios, by how long they have been so: what retention drops.
CREATE INDEX folios_finished ON folios (company, updated_at) WHERE dropped = 0 AND state <> 'pending';
-- Finished folios that can be erased, by how long they have been so.
CREATE INDEX folios_erasable ON folios (company, state, updated_at)
    WHERE erased_at IS NULL AND held = 0 AND state <> 'pending';

-- The folios that a stored response names: erased, they are found in it without reading every response of the company.
CREATE TABLE idempotency_folios (
    company BIGINT NOT NULL,
    idempotency_key TEXT NOT NULL,
    folio BIGINT NOT NULL,
    PRIMARY KEY (company, idempotency_key, folio),
    FOREIGN KEY (company, idempotency_key) REFERENCES idempotency_keys (company, idempotency_key) ON DELETE CASCADE,
    FOREIGN KEY (company, folio) REFERENCES folios (company, seq)
) {clustered} {queue};
CREATE INDEX idempotency_folios_folio ON idempotency_folios (company, folio);

CREATE TABLE documents (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL CHECK (position >= 0),
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    name TEXT NOT NULL CHECK (length(name) <= 200),
    sha256 BYTEA NOT NULL CHECK (length(sha256) = 32),
    size BIGINT NOT NULL CHECK (size >= 0),
    created_at BIGINT NOT NULL,
    -- How many pages the document had when it came.
    pages BIGINT NOT NULL CHECK (pages >= 0),
    -- The document with its increments, once there are any.
    current_sha256 BYTEA CHECK (length(current_sha256) = 32),
    current_size BIGINT CHECK (current_size >= 0),
    changed_at BIGINT,
    -- Whether the document was erased. Its row stays with its hashes and no longer names the blob.
    erased BIGINT NOT NULL DEFAULT 0 CHECK (erased IN (0, 1)),
    -- What was sent, if the document is a repaired copy of it: a download returns it until an act appends something.
    sent_sha256 BYTEA CHECK (length(sent_sha256) = 32),
    sent_size BIGINT CHECK (sent_size >= 0),
    -- The blob with its increments up to that number, once they were moved to the document storage.
    appended_sha256 BYTEA CHECK (length(appended_sha256) = 32),
    appended_size BIGINT CHECK (appended_size > 0),
    appended_number BIGINT CHECK (appended_number > 0),
    -- The blob that was named there before: no row names it any more, and the sweeper knows why.
    replaced_sha256 BYTEA CHECK (length(replaced_sha256) = 32),
    PRIMARY KEY (folio, position)
) {clustered};
CREATE INDEX documents_sha256 ON documents (sha256);
CREATE INDEX documents_sent_sha256 ON documents (sent_sha256) WHERE sent_sha256 IS NOT NULL;
CREATE INDEX documents_appended_sha256 ON documents (appended_sha256) WHERE appended_sha256 IS NOT NULL;
CREATE INDEX documents_replaced_sha256 ON documents (replaced_sha256) WHERE replaced_sha256 IS NOT NULL;

CREATE TABLE signers (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL CHECK (position >= 0),
    name TEXT NOT NULL CHECK (length(name) <= 200),
    document_type TEXT NOT NULL CHECK (length(document_type) <= 16),
    document_number TEXT NOT NULL CHECK (length(document_number) <= 32),
    email TEXT NOT NULL CHECK (length(email) <= 254),
    mobile TEXT NOT NULL CHECK (length(mobile) <= 16),
    state TEXT NOT NULL CHECK (state IN ('pending', 'signed', 'rejected')),
    signed_from TEXT,
    updated_at BIGINT,
    -- Sessions of an earlier generation are over: a corrected contact and every act begin a new one.
    session_generation BIGINT NOT NULL DEFAULT 0,
    -- Whether the contact was changed after the link was sent: then the link alone shows nothing any more.
    contact_changed BIGINT NOT NULL DEFAULT 0 CHECK (contact_changed IN (0, 1)),
    -- Whether a code was typed that came to the email address as it is now.
    email_proven BIGINT NOT NULL DEFAULT 0 CHECK (email_proven IN (0, 1)),
    -- Where the signer returns to, if a resend gave another address than the folio's.
    return_url TEXT CHECK (length(return_url) <= 2048),
    -- The language that the signer chose last, if any.
    language TEXT CHECK (language IN ('es', 'en', 'pt')),
    PRIMARY KEY (folio, position)
) {clustered};

-- Rows are in the order of their insertion, not by folio: the recorder writes events of many folios in one batch.
CREATE TABLE events (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    number BIGINT NOT NULL CHECK (number > 0),
    body TEXT NOT NULL,
    -- The personal values whose digests are in the body.
    personal TEXT NOT NULL DEFAULT '[]',
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    -- A MAC of the hash. The key is not in the database.
    mac BYTEA CHECK (length(mac) = 32),
    PRIMARY KEY (folio, number)
);

-- The change log: changes of folios that the projector has not yet put into statistics, search index and webhook events.
-- What stands here and in the tables after it is derived from folios, and refers to them without a foreign key: a check
-- for each word of the index would cost more than the row.
CREATE TABLE folio_changes (
    seq {sequence},
    company BIGINT NOT NULL,
    folio BIGINT NOT NULL,
    kind TEXT NOT NULL,
    was TEXT,
    became TEXT,
    -- The folio's history before and after.
    history_from BIGINT NOT NULL,
    history_to BIGINT NOT NULL,
    at BIGINT NOT NULL
) {queue};

-- Sums by day (YYYYMMDD; 0 for all days together); and the lowest and highest numbers of the folios of an hour (hours
-- since 1970).
CREATE TABLE daily_stats (
    company BIGINT NOT NULL REFERENCES companies (seq),
    figure TEXT NOT NULL,
    day BIGINT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (company, figure, day)
) {clustered};

-- Words by which folios are found.
CREATE TABLE search_index (
    company BIGINT NOT NULL,
    -- Compared byte by byte, so that those with the same beginning stand together.
    word TEXT {bytewise} NOT NULL CHECK (length(word) <= 32),
    folio BIGINT NOT NULL,
    PRIMARY KEY (company, word, folio)
) {clustered};
