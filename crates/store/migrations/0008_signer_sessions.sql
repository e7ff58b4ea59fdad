-- A signer's session, from its first form or document on: opening a link writes nothing.
CREATE TABLE signer_sessions (
    id BYTEA NOT NULL PRIMARY KEY,
    -- A signer of a folio, or a bulk signature.
    holder BYTEA NOT NULL,
    -- Where its first document or form came from, for the limit of visits that are recorded.
    network BYTEA,
    begun_at BIGINT NOT NULL,
    -- When a code was typed in it: from then on it has proved the contact.
    proven_at BIGINT,
    -- When the signer signed out.
    ended_at BIGINT
);
CREATE INDEX signer_sessions_holder ON signer_sessions (holder, begun_at);
CREATE INDEX signer_sessions_begun ON signer_sessions (begun_at);

-- Events of a visit that are in the history already: each kind once a session.
CREATE TABLE recorded_visits (
    session BYTEA NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (session, what)
) {clustered};

-- The last code of a session by each channel, as a keyed hash; wrong tries count here.
DROP TABLE codes;
CREATE TABLE codes (
    session BYTEA NOT NULL,
    channel TEXT NOT NULL,
    holder BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    sent_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    PRIMARY KEY (session, channel)
) {clustered};
CREATE INDEX codes_holder ON codes (holder);

-- When codes were sent, for as long as limits look at it; the recipient as a keyed hash.
CREATE TABLE code_sends (
    seq {sequence},
    holder BYTEA NOT NULL,
    channel TEXT NOT NULL,
    recipient BYTEA NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX code_sends_holder ON code_sends (holder, at);
CREATE INDEX code_sends_recipient ON code_sends (recipient, at);
CREATE INDEX code_sends_at ON code_sends (at);

-- Wrong codes are counted with their code, wrong numbers like wrong passwords.
DROP TABLE guesses;

-- The session that asked for the code which a message carries.
ALTER TABLE outbox ADD COLUMN session BYTEA;

-- Whether the contact was changed after the link was sent: then the link alone shows nothing any more.
ALTER TABLE signers ADD COLUMN contact_changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE bulks ADD COLUMN contact_changed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX bulk_folios_folio ON bulk_folios (folio);
