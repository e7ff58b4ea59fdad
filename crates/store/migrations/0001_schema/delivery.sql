-- What is sent: messages to signers, emails to panel users, webhooks.

CREATE TABLE outbox (
    seq {sequence},
    company BIGINT NOT NULL,
    folio BIGINT NOT NULL,
    signer BIGINT NOT NULL,
    bulk BIGINT,
    -- The session that asked for the code which the message carries.
    session BYTEA CHECK (length(session) = 16),
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms')),
    template TEXT NOT NULL,
    recipient TEXT NOT NULL CHECK (length(recipient) <= 254),
    -- The name of the code that it carries.
    code_id BYTEA CHECK (length(code_id) = 16),
    -- The code that it carries, sealed. It is deleted when the message was sent or given up.
    secret BYTEA,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dead', 'superseded')),
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    -- When due_at was written, if that was later than the row. Where this time is still to come, the clock went back, and
    -- the row does not wait.
    due_set_at BIGINT,
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16),
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error TEXT,
    sent_at BIGINT,
    -- When the operator had a given-up message sent again: the time for retries counts from there.
    retried_at BIGINT,
    -- What a mail server or a provider reported of it after it had left.
    returned TEXT CHECK (returned IN ('bounced', 'complained')),
    FOREIGN KEY (company, folio) REFERENCES folios (company, seq),
    FOREIGN KEY (company, bulk) REFERENCES bulks (company, seq),
    FOREIGN KEY (folio, signer) REFERENCES signers (folio, position)
) {queue};
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';
-- Waiting codes: the outbox worker takes them before other messages.
CREATE INDEX outbox_codes ON outbox (due_at) WHERE state = 'waiting' AND template = 'code';
CREATE INDEX outbox_recipient ON outbox (recipient, seq) WHERE state = 'waiting';
CREATE INDEX outbox_dead ON outbox (seq) WHERE state = 'dead';
CREATE INDEX outbox_folio ON outbox (folio);
-- Folios with a message that was given up, or came back.
CREATE INDEX outbox_undelivered ON outbox (company, folio) WHERE state = 'dead' OR returned IS NOT NULL;

-- The other folios that a message is about, in their order: one message speaks of all folios of a bulk signature. What becomes of it
-- stands in the history of each.
CREATE TABLE outbox_folios (
    company BIGINT NOT NULL,
    message BIGINT NOT NULL REFERENCES outbox (seq) ON DELETE CASCADE,
    position BIGINT NOT NULL CHECK (position >= 0),
    folio BIGINT NOT NULL,
    signer BIGINT NOT NULL,
    PRIMARY KEY (message, position),
    FOREIGN KEY (company, folio) REFERENCES folios (company, seq),
    FOREIGN KEY (folio, signer) REFERENCES signers (folio, position)
) {clustered};
CREATE INDEX outbox_folios_folio ON outbox_folios (folio);

-- When messages were sent again to a signer, for the limit.
CREATE TABLE resends (
    seq {sequence},
    folio BIGINT NOT NULL,
    signer BIGINT NOT NULL,
    at BIGINT NOT NULL,
    FOREIGN KEY (folio, signer) REFERENCES signers (folio, position)
) {queue};
CREATE INDEX resends_signer ON resends (folio, signer, at);
CREATE INDEX resends_at ON resends (at);

-- Pending folios whose companies remind signers, and how far each has come.
CREATE TABLE reminders (
    folio BIGINT NOT NULL PRIMARY KEY,
    company BIGINT NOT NULL,
    -- When the folio is looked at; absent where no reminder follows under the company's schedule.
    due_at BIGINT,
    -- When due_at was written. Where this time is still to come, the clock went back, and the row does not wait.
    due_set_at BIGINT NOT NULL,
    -- Reminders so far, without the one before the folio expires; and when the last one was queued, of either kind. Or when it was
    -- found that the clock had gone back: days count from then.
    sent BIGINT NOT NULL DEFAULT 0 CHECK (sent >= 0),
    reminded_at BIGINT,
    FOREIGN KEY (company, folio) REFERENCES folios (company, seq)
) {queue};
CREATE INDEX reminders_due ON reminders (due_at, company) WHERE due_at IS NOT NULL;
CREATE INDEX reminders_due_set ON reminders (due_set_at) WHERE due_at IS NOT NULL;

-- Companies whose pending folios are planned anew, because their schedule changed: those after this one.
CREATE TABLE reminder_replans (
    company BIGINT NOT NULL PRIMARY KEY REFERENCES companies (seq),
    after_folio BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT NOT NULL
) {queue};

-- Emails to panel users about their accounts and about messages that came back.
CREATE TABLE account_emails (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    template TEXT NOT NULL,
    recipient TEXT NOT NULL CHECK (length(recipient) <= 254),
    name TEXT NOT NULL,
    -- The recipient's own; the company's where there is none.
    language TEXT CHECK (language IN ('es', 'en', 'pt')),
    -- What the email carries in secret, sealed; wiped when it has left or is given up.
    secret BYTEA,
    -- The message in the outbox that did not arrive or was complained of, where the email says so.
    message BIGINT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dead', 'superseded')),
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    due_set_at BIGINT,
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16),
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error TEXT
) {queue};
CREATE INDEX account_emails_message ON account_emails (message) WHERE message IS NOT NULL;
-- Emails about messages that came back: a person gets one a day about a contact.
CREATE INDEX account_emails_notices ON account_emails (recipient, created_at) WHERE message IS NOT NULL;
CREATE INDEX account_emails_due ON account_emails (due_at) WHERE state = 'waiting';
CREATE INDEX account_emails_settled ON account_emails (created_at) WHERE state <> 'waiting';

CREATE TABLE webhook_endpoints (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL REFERENCES companies (seq),
    address TEXT NOT NULL,
    label TEXT NOT NULL,
    -- The kinds of events that the endpoint gets, separated by blanks; none if it gets all of them.
    kinds TEXT,
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
    removed_at BIGINT,
    UNIQUE (company, seq)
);

CREATE TABLE webhook_deliveries (
    seq {sequence},
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    company BIGINT NOT NULL,
    endpoint BIGINT NOT NULL,
    kind TEXT NOT NULL,
    -- The folio it tells of and the event of its history; none in a trial.
    folio BIGINT,
    event BIGINT,
    happened_at BIGINT NOT NULL,
    -- What is sent, the same at every attempt: written down with the first.
    body TEXT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dead')),
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    due_set_at BIGINT,
    leased_until BIGINT,
    leased_by BYTEA CHECK (length(leased_by) = 16),
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Attempts before a person had it sent again.
    attempts_before BIGINT NOT NULL DEFAULT 0 CHECK (attempts_before >= 0),
    ended_at BIGINT,
    -- Whether the folio was erased: neither what is sent nor what is answered is kept any more.
    erased BIGINT NOT NULL DEFAULT 0 CHECK (erased IN (0, 1)),
    FOREIGN KEY (company, endpoint) REFERENCES webhook_endpoints (company, seq),
    FOREIGN KEY (company, folio) REFERENCES folios (company, seq)
) {queue};
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'waiting';
-- Waiting deliveries by endpoint: the worker skips a disabled endpoint in one step.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint, due_at, seq) WHERE state = 'waiting';
-- Leased deliveries by company: no company gets more than its share of the worker.
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (company, leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint, seq);
-- Deliveries by the time at which they were planned, and those that were given up: many are sent again together.
CREATE INDEX webhook_deliveries_planned ON webhook_deliveries (endpoint, created_at, seq);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (endpoint, created_at, seq) WHERE state = 'dead';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_folio ON webhook_deliveries (folio) WHERE folio IS NOT NULL;

CREATE TABLE webhook_attempts (
    delivery BIGINT NOT NULL REFERENCES webhook_deliveries (seq),
    number BIGINT NOT NULL CHECK (number > 0),
    at BIGINT NOT NULL,
    millis BIGINT NOT NULL CHECK (millis >= 0),
    status BIGINT,
    error TEXT,
    -- The beginning of the response's body, where there was one.
    response TEXT,
    PRIMARY KEY (delivery, number)
) {clustered} {queue};
