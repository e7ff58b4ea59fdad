-- Which installation this is. The storage of its documents carries the same number, and the sweeper removes nothing from
-- a storage that carries another. One row.
CREATE TABLE installation (
    one BIGINT NOT NULL PRIMARY KEY,
    id BYTEA NOT NULL
);
