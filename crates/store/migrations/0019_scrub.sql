-- How far the scrubber is in its round through all documents. One row.
CREATE TABLE scrub (
    one BIGINT NOT NULL PRIMARY KEY,
    folio BIGINT NOT NULL,
    position BIGINT NOT NULL,
    checked BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    leased_until BIGINT NOT NULL
);
INSERT INTO scrub (one, folio, position, checked, documents, started_at, leased_until) VALUES (1, 0, -1, 0, 0, 0, 0);

-- Documents that the scrubber found damaged and could not mend. A document that is whole again loses its row.
CREATE TABLE damaged_documents (
    folio BIGINT NOT NULL,
    position BIGINT NOT NULL,
    reason TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (folio, position)
);
