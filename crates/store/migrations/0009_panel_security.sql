-- Whether every user of the company needs a second factor to work in the panel.
ALTER TABLE companies ADD COLUMN second_factor_required BIGINT NOT NULL DEFAULT 0;

-- How many times the act was done: repeated sign-ins, and tries that failed, share a row.
ALTER TABLE audit ADD COLUMN times BIGINT NOT NULL DEFAULT 1;
-- The audit is read newest first: all of it, or a person's acts, or those of a kind.
DROP INDEX audit_company;
CREATE INDEX audit_at ON audit (company, at, seq);
CREATE INDEX audit_who ON audit (company, who, at, seq);
CREATE INDEX audit_what ON audit (company, what, at, seq);

-- People who were invited and have not chosen a password yet. They have no account yet: another company may have invited
-- the same address, or have an account with it.
CREATE TABLE invitations (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE,
    company BIGINT NOT NULL REFERENCES companies (seq),
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- When it was last sent, the hash of the link that was sent then, and until when that works.
    sent_at BIGINT NOT NULL,
    digest BYTEA NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL,
    UNIQUE (company, email)
);
CREATE INDEX invitations_email ON invitations (email, sent_at);
CREATE INDEX invitations_sent ON invitations (sent_at);
