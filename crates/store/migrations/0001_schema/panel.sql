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
    last_sign_in_at BIGINT,
    -- As whom the company's identity provider knows the person: since the first sign-in by it.
    issuer TEXT CHECK (length(issuer) <= 2048),
    subject TEXT CHECK (length(subject) <= 255),
    -- The language of the panel and of emails, where the person has chosen one.
    language TEXT CHECK (language IN ('es', 'en', 'pt')),
    CHECK ((issuer IS NULL) = (subject IS NULL)),
    UNIQUE (company, issuer, subject),
    UNIQUE (company, seq)
);

-- The identity provider (OpenID Connect) by which a company's people sign in.
CREATE TABLE identity_providers (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL UNIQUE REFERENCES companies (seq),
    issuer TEXT NOT NULL CHECK (length(issuer) <= 2048),
    client_id TEXT NOT NULL CHECK (length(client_id) <= 255),
    -- Sealed; absent where the provider knows us without one.
    client_secret BYTEA,
    scopes TEXT NOT NULL CHECK (length(scopes) <= 500),
    -- The claim with a person's groups, and the groups of each role, one to a line. Without any, roles are given in the panel.
    groups_claim TEXT NOT NULL CHECK (length(groups_claim) <= 200),
    reader_groups TEXT NOT NULL,
    supervisor_groups TEXT NOT NULL,
    administrator_groups TEXT NOT NULL,
    -- Domains of the addresses that may be linked, separated by spaces; any when empty.
    email_domains TEXT NOT NULL,
    -- Whether an address counts as verified although the provider says nothing about that.
    trusts_email BIGINT NOT NULL CHECK (trusts_email IN (0, 1)),
    -- Whether people of a mapped group who were not invited get an account.
    creates_users BIGINT NOT NULL CHECK (creates_users IN (0, 1)),
    -- Whether readers and supervisors sign in by it alone.
    required BIGINT NOT NULL CHECK (required IN (0, 1)),
    -- When an administrator signed in by it as it is set, and since when it counts for everybody.
    tried_at BIGINT,
    enabled_at BIGINT
);

-- Sign-ins by an identity provider that were completed, by the hash of their state: none is completed twice.
CREATE TABLE used_sign_ins (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    at BIGINT NOT NULL
) {queue};
CREATE INDEX used_sign_ins_at ON used_sign_ins (at);

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
    agent TEXT NOT NULL CHECK (length(agent) <= 200),
    -- Whether the company's identity provider asked for a second factor when the session began.
    second_factor BIGINT NOT NULL DEFAULT 0 CHECK (second_factor IN (0, 1))
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

-- Forms of new folios that were not sent yet, of the user who fills them in. They hold personal data, and are deleted when
-- the folio is made, when they are discarded, or after some days.
CREATE TABLE folio_drafts (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    company BIGINT NOT NULL,
    person BIGINT NOT NULL,
    -- The fields, as JSON; empty once the folio is made.
    form TEXT NOT NULL CHECK (length(form) <= 1000000),
    -- The template of which many folios are to be made; then the fields are those of their people.
    template BYTEA CHECK (length(template) = 16),
    saved_at BIGINT NOT NULL,
    -- The folio that was made of it: the same form sent again leads there.
    folio BYTEA CHECK (length(folio) = 16),
    FOREIGN KEY (company, person) REFERENCES users (company, seq)
) {queue};
CREATE INDEX folio_drafts_company ON folio_drafts (company, id);
CREATE INDEX folio_drafts_person ON folio_drafts (person, saved_at);
CREATE INDEX folio_drafts_saved ON folio_drafts (saved_at);
CREATE INDEX folio_drafts_made ON folio_drafts (saved_at) WHERE folio IS NOT NULL;

-- The documents of drafts, as they were sent. A row whose draft is gone has no name, and stays until the sweeper has removed
-- the blob: so it is known why no other row names it.
CREATE TABLE draft_documents (
    seq {sequence},
    draft BYTEA NOT NULL CHECK (length(draft) = 16),
    name TEXT NOT NULL CHECK (length(name) <= 200),
    sha256 BYTEA NOT NULL CHECK (length(sha256) = 32),
    size BIGINT NOT NULL CHECK (size >= 0),
    released_at BIGINT
) {queue};
CREATE INDEX draft_documents_draft ON draft_documents (draft);
CREATE INDEX draft_documents_sha256 ON draft_documents (sha256);
CREATE INDEX draft_documents_released ON draft_documents (released_at) WHERE released_at IS NOT NULL;

-- Forms that a company keeps to make folios of again, with roles in place of people.
CREATE TABLE folio_templates (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    name TEXT NOT NULL CHECK (length(name) <= 60),
    -- The fields, as JSON.
    form TEXT NOT NULL CHECK (length(form) <= 20000),
    saved_at BIGINT NOT NULL,
    UNIQUE (company, name)
);

-- The documents of templates, as they were sent. When the template is deleted they become documents of a draft that is gone.
CREATE TABLE template_documents (
    seq {sequence},
    template BYTEA NOT NULL REFERENCES folio_templates (id),
    name TEXT NOT NULL CHECK (length(name) <= 200),
    sha256 BYTEA NOT NULL CHECK (length(sha256) = 32),
    size BIGINT NOT NULL CHECK (size >= 0)
);
CREATE INDEX template_documents_template ON template_documents (template);
CREATE INDEX template_documents_sha256 ON template_documents (sha256);

-- Searches of folios that users keep under a name: the query of an address.
CREATE TABLE saved_searches (
    seq {sequence},
    company BIGINT NOT NULL,
    person BIGINT NOT NULL,
    name TEXT NOT NULL CHECK (length(name) <= 60),
    query TEXT NOT NULL CHECK (length(query) <= 4000),
    UNIQUE (person, name),
    FOREIGN KEY (company, person) REFERENCES users (company, seq)
);

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
