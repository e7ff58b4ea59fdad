-- Certificates that the operator revoked, for the authority's lists. An empty issuer stands for every issuer: of a
-- signer's certificate that is named by its serial number alone the issuer is not known.
CREATE TABLE revocations (
    serial BYTEA NOT NULL,
    -- SHA-256 of the issuer's certificate.
    issuer BYTEA NOT NULL,
    -- The code of RFC 5280, section 5.3.1.
    reason BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (serial, issuer)
);
