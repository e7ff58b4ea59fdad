-- The panel: its users, their sessions, and what they did.

-- People who sign in. An address belongs to one person of one company.
CREATE TABLE users (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    email TEXT NOT NULL UNIQUE CHECK (length(email) <= 254),
    name TEXT NOT NULL CHECK (length(name) <= 200),
    role TEXT NOT NULL CHECK (role IN ('reader', 'supervisor', 'administrator')),
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
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    used_at BIGINT,
    PRIMARY KEY (person, digest)
) {clustered};

-- Sessions, by the hash of their token.
CREATE TABLE panel_sessions (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    person BIGINT NOT NULL REFERENCES users (seq),
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    address TEXT,
    agent TEXT NOT NULL CHECK (length(agent) <= 200)
) {queue};
CREATE INDEX panel_sessions_person ON panel_sessions (person);
CREATE INDEX panel_sessions_used ON panel_sessions (used_at);

-- Wrong passwords and codes, counted by account and network, and by account alone: both as keyed hashes.
CREATE TABLE sign_in_failures (
    scope BYTEA NOT NULL PRIMARY KEY CHECK (length(scope) = 32),
    failures BIGINT NOT NULL CHECK (failures >= 0),
    last_at BIGINT NOT NULL
) {queue};
CREATE INDEX sign_in_failures_last ON sign_in_failures (last_at);

-- Links by which a person chooses a password: the first one, or a new one.
CREATE TABLE password_links (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    person BIGINT NOT NULL REFERENCES users (seq),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX password_links_expires ON password_links (expires_at);

-- People who were invited and have not chosen a password yet. They have no account yet: another company may have invited
-- the same address, or have an account with it.
CREATE TABLE invitations (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    email TEXT NOT NULL CHECK (length(email) <= 254),
    name TEXT NOT NULL CHECK (length(name) <= 200),
    role TEXT NOT NULL CHECK (role IN ('reader', 'supervisor', 'administrator')),
    -- When it was last sent, the hash of the link that was sent then, and until when that works.
    sent_at BIGINT NOT NULL,
    digest BYTEA NOT NULL UNIQUE CHECK (length(digest) = 32),
    expires_at BIGINT NOT NULL,
    UNIQUE (company, email)
);
CREATE INDEX invitations_email ON invitations (email, sent_at);
CREATE INDEX invitations_sent ON invitations (sent_at);

-- What users did to the company's own things.
CREATE TABLE audit (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    address TEXT,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    -- How many times the act was done: repeated sign-ins, and tries that failed, share a row.
    times BIGINT NOT NULL DEFAULT 1 CHECK (times > 0)
);
-- The audit is read newest first: all of it, or a person's acts, or those of a kind.
CREATE INDEX audit_at ON audit (company, at, seq);
CREATE INDEX audit_who ON audit (company, who, at, seq);
CREATE INDEX audit_what ON audit (company, what, at, seq);
