-- Whether the sheet of a document is drawn and lies under number 0 of its increments: it becomes part of the document
-- with the first signature, and what the next increment is made from is the state after it.
ALTER TABLE signing_states ADD COLUMN sheet BIGINT NOT NULL DEFAULT 0;

-- The company as its people see it: what it looks like, and what it wants of folios.
ALTER TABLE companies ADD COLUMN logo BYTEA;
ALTER TABLE companies ADD COLUMN logo_kind TEXT;
-- The logo's SHA-256, which its address carries.
ALTER TABLE companies ADD COLUMN logo_digest BYTEA;
CREATE INDEX companies_logo ON companies (logo_digest);
ALTER TABLE companies ADD COLUMN colour TEXT;
-- A zone of its own, where it differs from the installation's.
ALTER TABLE companies ADD COLUMN timezone TEXT;
ALTER TABLE companies ADD COLUMN approval BIGINT NOT NULL DEFAULT 0;
-- Days in which a new folio can be signed; without end when absent.
ALTER TABLE companies ADD COLUMN folio_days BIGINT;
-- Days after which a finished folio is dropped; never when absent.
ALTER TABLE companies ADD COLUMN retention_days BIGINT;

-- People who sign in to the panel. An address belongs to one person of one company.
CREATE TABLE users (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE,
    company BIGINT NOT NULL REFERENCES companies (seq),
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- As argon2 writes it; absent until the person has chosen one.
    password TEXT,
    -- The second factor's secret, sealed, and the last time step that was used up.
    totp_secret BYTEA,
    totp_step BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    disabled_at BIGINT,
    last_sign_in_at BIGINT
);
CREATE INDEX users_company ON users (company);

CREATE TABLE recovery_codes (
    person BIGINT NOT NULL REFERENCES users (seq),
    digest BYTEA NOT NULL,
    used_at BIGINT,
    PRIMARY KEY (person, digest)
) {clustered};

-- Sessions of the panel, by the hash of their token.
CREATE TABLE panel_sessions (
    digest BYTEA NOT NULL PRIMARY KEY,
    id BYTEA NOT NULL UNIQUE,
    person BIGINT NOT NULL REFERENCES users (seq),
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    address TEXT,
    agent TEXT NOT NULL
);
CREATE INDEX panel_sessions_person ON panel_sessions (person);
CREATE INDEX panel_sessions_used ON panel_sessions (used_at);

-- Wrong passwords and codes, counted by account and network, and by account alone: both as keyed hashes.
CREATE TABLE sign_in_failures (
    scope BYTEA NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);
CREATE INDEX sign_in_failures_last ON sign_in_failures (last_at);

-- Links by which a person chooses a password: the first one, or a new one.
CREATE TABLE password_links (
    digest BYTEA NOT NULL PRIMARY KEY,
    person BIGINT NOT NULL REFERENCES users (seq),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX password_links_expires ON password_links (expires_at);

-- Emails to panel users about their accounts. They belong to no folio.
CREATE TABLE account_emails (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    template TEXT NOT NULL,
    recipient TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What the letter carries in secret, sealed; wiped when it has left or is given up.
    secret BYTEA,
    state TEXT NOT NULL DEFAULT 'waiting',
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    leased_until BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0,
    last_error TEXT
);
CREATE INDEX account_emails_due ON account_emails (due_at) WHERE state = 'waiting';

-- What administrators and supervisors did to the company's own things.
CREATE TABLE audit (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    address TEXT,
    what TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_company ON audit (company, seq);

-- Lists of folios: newest first in each state. The date in the index saves reading rows of other days.
CREATE INDEX folios_listed ON folios (company, state, seq, created_at);

-- Finished folios, by how long they have been so: what retention drops.
CREATE INDEX folios_finished ON folios (company, updated_at) WHERE dropped = 0 AND state <> 'pending';

-- The change log: changes of folios that the projector has not yet put into statistics, search index and webhook events.
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
);

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
    word TEXT {bytewise} NOT NULL,
    folio BIGINT NOT NULL,
    PRIMARY KEY (company, word, folio)
) {clustered};

CREATE TABLE webhook_endpoints (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE,
    company BIGINT NOT NULL REFERENCES companies (seq),
    address TEXT NOT NULL,
    label TEXT NOT NULL,
    -- Sealed: signatures need it, people see it once. Wiped when the endpoint is removed.
    secret BYTEA,
    -- The one before it, good for a while longer.
    previous_secret BYTEA,
    previous_until BIGINT,
    created_at BIGINT NOT NULL,
    -- The first failure after the last success.
    failing_since BIGINT,
    disabled_at BIGINT,
    -- Why the service disabled it, where it did.
    note TEXT,
    removed_at BIGINT
);
CREATE INDEX webhook_endpoints_company ON webhook_endpoints (company);

CREATE TABLE webhook_deliveries (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE,
    company BIGINT NOT NULL REFERENCES companies (seq),
    endpoint BIGINT NOT NULL REFERENCES webhook_endpoints (seq),
    kind TEXT NOT NULL,
    -- The folio it tells of and the event of its history; none in a trial.
    folio BIGINT REFERENCES folios (seq),
    event BIGINT,
    happened_at BIGINT NOT NULL,
    -- What is sent, the same at every attempt: written down with the first.
    body TEXT,
    state TEXT NOT NULL DEFAULT 'waiting',
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    leased_until BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0,
    -- Attempts before somebody had it sent again.
    attempts_before BIGINT NOT NULL DEFAULT 0,
    ended_at BIGINT
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint, seq);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE webhook_attempts (
    delivery BIGINT NOT NULL REFERENCES webhook_deliveries (seq),
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    millis BIGINT NOT NULL,
    status BIGINT,
    error TEXT,
    PRIMARY KEY (delivery, number)
) {clustered};

-- While there is a row, the sweeper removes no blob: a backup is being taken.
CREATE TABLE blob_holds (
    id BYTEA NOT NULL PRIMARY KEY,
    until BIGINT NOT NULL
);

-- Keys that outlive a master key, sealed under the present one: links that were sent before must open.
CREATE TABLE kept_keys (
    name TEXT NOT NULL PRIMARY KEY,
    sealed BYTEA NOT NULL
);

-- Folios that came before are counted and found like the others.
INSERT INTO folio_changes (company, folio, kind, was, became, history_from, history_to, at)
SELECT company, seq, 'created', NULL, state, 0, history_length, created_at FROM folios;

-- There are only as many codes as signers of the last minutes: an index on when they end was written with each of them,
-- and looked at once an hour.
DROP INDEX codes_expires;
