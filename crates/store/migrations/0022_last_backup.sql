-- When the last backup of this database was finished, and how many documents it lacks. One row, once there is a backup.
CREATE TABLE last_backup (
    one BIGINT NOT NULL PRIMARY KEY,
    finished_at BIGINT NOT NULL,
    missing_documents BIGINT NOT NULL
);
