CREATE TABLE companies (
    seq {sequence},
    name TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id BYTEA NOT NULL PRIMARY KEY,
    company BIGINT NOT NULL REFERENCES companies (seq),
    label TEXT NOT NULL,
    -- The first eight bytes of the hash find the key; the whole hash, compared in constant time, admits it.
    lookup BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX api_keys_lookup ON api_keys (lookup);

CREATE TABLE folios (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE,
    company BIGINT NOT NULL REFERENCES companies (seq),
    name TEXT NOT NULL,
    message TEXT NOT NULL,
    observation TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    state TEXT NOT NULL,
    dropped BIGINT NOT NULL DEFAULT 0,
    signature_type TEXT NOT NULL,
    return_url TEXT NOT NULL,
    expires_at BIGINT,
    history_length BIGINT NOT NULL,
    history_hash BYTEA NOT NULL
);

CREATE TABLE documents (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL,
    id BYTEA NOT NULL UNIQUE,
    name TEXT NOT NULL,
    sha256 BYTEA NOT NULL,
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (folio, position)
) {clustered};
CREATE INDEX documents_sha256 ON documents (sha256);

CREATE TABLE signers (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    position BIGINT NOT NULL,
    name TEXT NOT NULL,
    document_type TEXT NOT NULL,
    document_number TEXT NOT NULL,
    email TEXT NOT NULL,
    mobile TEXT NOT NULL,
    state TEXT NOT NULL,
    signed_from TEXT,
    updated_at BIGINT,
    PRIMARY KEY (folio, position)
) {clustered};

-- Rows are in the order of their insertion, not by folio: the recorder writes events of many folios in one batch.
CREATE TABLE events (
    folio BIGINT NOT NULL REFERENCES folios (seq),
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (folio, number)
);

CREATE TABLE outbox (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    folio BIGINT NOT NULL REFERENCES folios (seq),
    signer BIGINT NOT NULL,
    channel TEXT NOT NULL,
    template TEXT NOT NULL,
    recipient TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    leased_until BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0,
    last_error TEXT
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';

CREATE TABLE resends (
    seq {sequence},
    folio BIGINT NOT NULL REFERENCES folios (seq),
    signer BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX resends_signer ON resends (folio, signer, at);

CREATE TABLE bulks (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE,
    company BIGINT NOT NULL REFERENCES companies (seq),
    signer_name TEXT NOT NULL,
    document_type TEXT NOT NULL,
    document_number TEXT NOT NULL,
    email TEXT NOT NULL,
    mobile TEXT NOT NULL,
    return_url TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE TABLE bulk_folios (
    bulk BIGINT NOT NULL REFERENCES bulks (seq),
    position BIGINT NOT NULL,
    folio BIGINT NOT NULL REFERENCES folios (seq),
    PRIMARY KEY (bulk, position)
) {clustered};

CREATE TABLE idempotency_keys (
    company BIGINT NOT NULL REFERENCES companies (seq),
    idempotency_key TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    status BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (company, idempotency_key)
) {clustered};
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
