-- When the last backup of this database was finished, and how many documents it lacks. One row, once there is a backup.
CREATE TABLE last_backup (
    one BIGINT NOT NULL PRIMARY KEY,
    finished_at BIGINT NOT NULL,
    missing_documents BIGINT NOT NULL
);

-- The newest migration that a program must know at least to work with the schema from this one on: an instance of an older
-- version that still runs asks for it. Absent before this migration.
ALTER TABLE migrations ADD COLUMN needs_program BIGINT;
