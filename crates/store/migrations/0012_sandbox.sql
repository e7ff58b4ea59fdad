-- How far a sandbox's clock was moved forward. One row, or none.
CREATE TABLE sandbox_clock (
    one BIGINT NOT NULL PRIMARY KEY,
    offset_micros BIGINT NOT NULL
);

-- Addresses and numbers that take no messages in a sandbox.
CREATE TABLE sandbox_bounces (
    recipient TEXT NOT NULL PRIMARY KEY
);
