-- Customers of the installation, their API keys, and what was answered to these.

CREATE TABLE companies (
    seq {sequence},
    name TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    -- Origins that may show the company's signing pages inside their own, separated by spaces.
    embedding_origins TEXT NOT NULL DEFAULT '',
    -- What the company looks like. The logo's address carries its SHA-256.
    logo BYTEA CHECK (length(logo) <= 262144),
    logo_kind TEXT,
    logo_digest BYTEA CHECK (length(logo_digest) = 32),
    colour TEXT,
    -- A zone of its own, where it differs from the installation's.
    timezone TEXT,
    -- Whether a supervisor decides on signed folios.
    approval BIGINT NOT NULL DEFAULT 0 CHECK (approval IN (0, 1)),
    -- Days in which a new folio can be signed; without end when absent.
    folio_days BIGINT CHECK (folio_days > 0),
    -- Days after which a finished folio is dropped; never when absent.
    retention_days BIGINT CHECK (retention_days > 0),
    -- Whether every user of the company needs a second factor to work in the panel.
    second_factor_required BIGINT NOT NULL DEFAULT 0 CHECK (second_factor_required IN (0, 1)),
    -- Whom signers may ask, as the company's administrators set it; empty where there is nothing to show.
    contact_name TEXT NOT NULL DEFAULT '',
    contact_email TEXT NOT NULL DEFAULT '' CHECK (length(contact_email) <= 254),
    contact_phone TEXT NOT NULL DEFAULT '',
    -- Whether a signer who has signed is returned to the return address without pressing anything.
    auto_return BIGINT NOT NULL DEFAULT 0 CHECK (auto_return IN (0, 1)),
    -- Whether signers must have each document shown to its end before they get a code.
    read_to_end BIGINT NOT NULL DEFAULT 0 CHECK (read_to_end IN (0, 1)),
    -- Whether signers add a picture of their signature.
    signature_picture TEXT NOT NULL DEFAULT 'off' CHECK (signature_picture IN ('off', 'optional', 'required')),
    -- The language of its folios where their creators choose none.
    language TEXT NOT NULL DEFAULT 'es' CHECK (language IN ('es', 'en', 'pt')),
    -- Days after its creation in which a pending folio's signers are reminded for the first time, then again and again, and
    -- before it expires; none when absent. The one before the end is not among those that are counted.
    reminder_first_days BIGINT CHECK (reminder_first_days > 0),
    reminder_every_days BIGINT CHECK (reminder_every_days > 0),
    reminder_max BIGINT NOT NULL DEFAULT 3 CHECK (reminder_max > 0),
    reminder_before_days BIGINT CHECK (reminder_before_days > 0),
    -- The law that the sheets of its new folios name, where it is not the usual one.
    legal_basis TEXT CHECK (length(legal_basis) <= 200),
    -- Days after the last change of a folio until it is erased, by how it ended; never when absent. Pending folios count
    -- from their creation.
    erase_signed_days BIGINT CHECK (erase_signed_days > 0),
    erase_rejected_days BIGINT CHECK (erase_rejected_days > 0),
    erase_cancelled_days BIGINT CHECK (erase_cancelled_days > 0),
    erase_pending_days BIGINT CHECK (erase_pending_days > 0)
);
CREATE INDEX companies_logo ON companies (logo_digest);

CREATE TABLE api_keys (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    label TEXT NOT NULL CHECK (length(label) <= 100),
    -- The first eight bytes of the hash find the key; the whole hash, compared in constant time, admits it.
    lookup BIGINT NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    -- The beginning and the end of the key, for people to recognise it by.
    hint TEXT NOT NULL,
    -- What the key may be used for.
    permissions TEXT NOT NULL DEFAULT 'create,read,download,act,evidence',
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX api_keys_lookup ON api_keys (lookup);

CREATE TABLE idempotency_keys (
    company BIGINT NOT NULL REFERENCES companies (seq),
    idempotency_key TEXT NOT NULL CHECK (length(idempotency_key) <= 255),
    fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32),
    -- 0 until the response is stored.
    status BIGINT NOT NULL CHECK (status BETWEEN 0 AND 599),
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (company, idempotency_key)
) {clustered} {queue};
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Recent requests to the API, for a company's integrators: the newest ones, and none of more than a few days ago.
CREATE TABLE api_requests (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    api_key BYTEA NOT NULL CHECK (length(api_key) = 16),
    -- When it was answered.
    at BIGINT NOT NULL,
    operation TEXT NOT NULL,
    status BIGINT NOT NULL CHECK (status BETWEEN 100 AND 599),
    failed BIGINT NOT NULL CHECK (failed IN (0, 1)),
    -- What the client was told; empty for a success.
    message TEXT NOT NULL,
    request_id TEXT NOT NULL,
    micros BIGINT NOT NULL CHECK (micros >= 0),
    address TEXT NOT NULL
) {queue};
CREATE INDEX api_requests_company ON api_requests (company, failed, seq);
CREATE INDEX api_requests_at ON api_requests (at);
