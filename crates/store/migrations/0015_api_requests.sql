-- Recent requests to the API, for a company's integrators: the newest ones, and none of more than a few days ago.
CREATE TABLE api_requests (
    seq {sequence},
    company BIGINT NOT NULL REFERENCES companies (seq),
    api_key BYTEA NOT NULL,
    -- When it was answered.
    at BIGINT NOT NULL,
    operation TEXT NOT NULL,
    status BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    -- What the client was told; empty for a success.
    message TEXT NOT NULL,
    request_id TEXT NOT NULL,
    micros BIGINT NOT NULL,
    address TEXT NOT NULL
);
CREATE INDEX api_requests_company ON api_requests (company, failed, seq);
CREATE INDEX api_requests_at ON api_requests (at);
