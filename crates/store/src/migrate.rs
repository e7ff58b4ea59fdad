//! Migrations: numbered SQL texts, applied in order, once, under a lock.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;

/// One step of the schema.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Its number, from 1.
    pub version: i64,
    /// Its name.
    pub name: &'static str,
    sql: &'static str,
}

/// Earlier events have no digests and no codes: their authenticity cannot be checked.
const AUTHENTIC_EVENTS: i64 = 7;

const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        name: "first_schema",
        sql: include_str!("../migrations/0001_folios.sql"),
    },
    Migration {
        version: 2,
        name: "blob_sweeping",
        sql: include_str!("../migrations/0002_blob_sweeping.sql"),
    },
    Migration {
        version: 3,
        name: "signing",
        sql: include_str!("../migrations/0003_signing.sql"),
    },
    Migration {
        version: 4,
        name: "mailbox",
        sql: include_str!("../migrations/0004_mailbox.sql"),
    },
    Migration {
        version: 5,
        name: "panel",
        sql: include_str!("../migrations/0005_panel.sql"),
    },
    Migration {
        version: 6,
        name: "fair_leases",
        sql: include_str!("../migrations/0006_fair_leases.sql"),
    },
    Migration {
        version: AUTHENTIC_EVENTS,
        name: "authentic_events",
        sql: include_str!("../migrations/0007_authentic_events.sql"),
    },
    Migration {
        version: 8,
        name: "signer_sessions",
        sql: include_str!("../migrations/0008_signer_sessions.sql"),
    },
    Migration {
        version: 9,
        name: "panel_security",
        sql: include_str!("../migrations/0009_panel_security.sql"),
    },
    Migration {
        version: 10,
        name: "revocations",
        sql: include_str!("../migrations/0010_revocations.sql"),
    },
    Migration {
        version: 11,
        name: "quiet_folios",
        sql: include_str!("../migrations/0011_quiet_folios.sql"),
    },
    Migration {
        version: 12,
        name: "sandbox",
        sql: include_str!("../migrations/0012_sandbox.sql"),
    },
    Migration {
        version: 13,
        name: "key_permissions",
        sql: include_str!("../migrations/0013_key_permissions.sql"),
    },
    Migration {
        version: 14,
        name: "key_hints",
        sql: include_str!("../migrations/0014_key_hints.sql"),
    },
    Migration {
        version: 15,
        name: "api_requests",
        sql: include_str!("../migrations/0015_api_requests.sql"),
    },
    Migration {
        version: 16,
        name: "webhooks",
        sql: include_str!("../migrations/0016_webhooks.sql"),
    },
    Migration {
        version: 17,
        name: "installation",
        sql: include_str!("../migrations/0017_installation.sql"),
    },
    Migration {
        version: 18,
        name: "instances",
        sql: include_str!("../migrations/0018_instances.sql"),
    },
    Migration {
        version: 19,
        name: "scrub",
        sql: include_str!("../migrations/0019_scrub.sql"),
    },
    Migration {
        version: 20,
        name: "company_contact",
        sql: include_str!("../migrations/0020_company_contact.sql"),
    },
    Migration {
        version: 21,
        name: "erasure",
        sql: include_str!("../migrations/0021_erasure.sql"),
    },
    Migration {
        version: 22,
        name: "last_backup",
        sql: include_str!("../migrations/0022_last_backup.sql"),
    },
    Migration {
        version: 50,
        name: "reading",
        sql: include_str!("../migrations/0050_reading.sql"),
    },
];

/// The newest version this program knows.
pub const LATEST_VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Programs that know this migration work with the schema of this one: that of the version that was released last, so that
/// instances can be replaced one after the other. Before the first release no other does.
const OLDEST_PROGRAM: i64 = LATEST_VERSION;

/// From this migration on, the database says which programs it is for.
const NEEDS_PROGRAM: i64 = 22;

/// How long a migration waits for a lock on a table. Requests queue up behind it: better that it fails, and is tried again
/// when a long transaction has ended.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '5s'";

/// An arbitrary advisory lock, the same in every instance.
const MIGRATION_LOCK: i64 = 0x0046_6972_6d65_7a61;

/// Brings the database up to a migration. A database that is there already is not touched: the role may then be one
/// that must not change the schema.
pub(crate) fn run(tx: &mut Tx<'_>, dialect: Dialect, up_to: i64) -> Result<(), Error> {
    let known = !tx.columns("migrations")?.is_empty();
    if known && checked_version(tx)? >= up_to {
        return Ok(());
    }
    if dialect == Dialect::Postgres {
        tx.batch(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))?;
        tx.batch(LOCK_TIMEOUT)?;
    }
    apply(tx, dialect, up_to).map_err(|error| match error {
        Error::Forbidden(_) => Error::Settings(format!(
            "the database needs migration {up_to}, and the role in the database address may not change the schema: run \
             `firmeza migrate` with FIRMEZA_MIGRATE_DATABASE_URL, the address with a role that may"
        )),
        other => other,
    })
}

fn apply(tx: &mut Tx<'_>, dialect: Dialect, up_to: i64) -> Result<(), Error> {
    tx.batch("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)")?;
    let current = checked_version(tx)?;
    if current > 0 && current < AUTHENTIC_EVENTS && up_to >= AUTHENTIC_EVENTS && has_events(tx)? {
        return Err(before_first_release());
    }
    for migration in MIGRATIONS
        .iter()
        .filter(|m| m.version > current && m.version <= up_to)
    {
        tx.batch(&dialect.migration(migration.sql))?;
        tx.execute(
            "INSERT INTO migrations (version, name) VALUES ($1, $2)",
            &[migration.version.into(), migration.name.into()],
        )?;
        if migration.version >= NEEDS_PROGRAM {
            let needed = OLDEST_PROGRAM.min(migration.version);
            tx.execute(
                "UPDATE migrations SET needs_program = $1 WHERE version = $2",
                &[needed.into(), migration.version.into()],
            )?;
        }
    }
    Ok(())
}

/// The newest migration that the database has, which must be one that this program knows.
fn checked_version(tx: &mut Tx<'_>) -> Result<i64, Error> {
    if has_other_migrations(tx)? {
        return Err(before_first_release());
    }
    let current = applied_version(tx)?;
    if current > LATEST_VERSION {
        return Err(Error::Settings(format!(
            "the database is at migration {current}, newer than this program's {LATEST_VERSION}: use a newer program"
        )));
    }
    Ok(current)
}

fn before_first_release() -> Error {
    Error::Settings(
        "This data directory was made by a version before the first release and cannot be opened by this one"
            .to_owned(),
    )
}

/// Whether one of the database's migrations is not the one that has this number now.
fn has_other_migrations(tx: &mut Tx<'_>) -> Result<bool, Error> {
    let applied = tx.query("SELECT version, name FROM migrations", &[], |row| {
        Ok((row.get::<i64>("version")?, row.get::<String>("name")?))
    })?;
    let is_other = |(version, name): &(i64, String)| {
        MIGRATIONS
            .iter()
            .any(|known| known.version == *version && known.name != name)
    };
    Ok(applied.iter().any(is_other))
}

fn has_events(tx: &mut Tx<'_>) -> Result<bool, Error> {
    let first = tx.query_one("SELECT number FROM events LIMIT 1", &[], |_| Ok(()))?;
    Ok(first.is_some())
}

/// The newest migration that the database has.
pub fn applied_version(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let newest = tx.query_one(
        "SELECT MAX(version) FROM migrations",
        &[],
        only_column::<Option<i64>>,
    )?;
    Ok(newest.flatten().unwrap_or(0))
}

/// Whether this program may work with the database as it is now: a newer program may have changed it since the start.
pub fn is_schema_known(tx: &mut Tx<'_>) -> Result<bool, Error> {
    let sql = "SELECT MAX(COALESCE(needs_program, version)) FROM migrations";
    let needed = tx.query_one(sql, &[], only_column::<Option<i64>>)?;
    Ok(needed.flatten().unwrap_or(0) <= LATEST_VERSION)
}
