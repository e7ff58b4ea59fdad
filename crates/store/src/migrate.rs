//! Migrations: numbered changes of the schema, applied in order, once, by one instance at a time.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;

/// One change of the schema.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Its number, from 1.
    pub version: i64,
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub change: Change,
}

/// How a migration changes the schema.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// By statements in one transaction: tables that are new, columns without a value.
    AtOnce(&'static [&'static str]),
    /// By steps that end one by one, while instances of the version before write. A migration that is interrupted does all
    /// of them again: each finds what it has done before.
    Online(&'static [Step]),
}

/// A step of a migration that is applied while instances write.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// An index, which `PostgreSQL` builds without keeping writers out.
    Index {
        /// What it is called.
        name: &'static str,
        /// The table and its columns: what follows `ON`.
        on: &'static str,
    },
    /// A statement that is run, each time in a transaction of its own, until it changes no row. It changes a few hundred
    /// rows at the most, and finds those that it has not changed yet.
    Batches(&'static str),
}

/// The migrations of this program.
pub const MIGRATIONS: &[Migration] = &[Migration {
    version: 1,
    name: "schema",
    change: Change::AtOnce(&[
        include_str!("../migrations/0001_schema/companies.sql"),
        include_str!("../migrations/0001_schema/folios.sql"),
        include_str!("../migrations/0001_schema/signing.sql"),
        include_str!("../migrations/0001_schema/delivery.sql"),
        include_str!("../migrations/0001_schema/panel.sql"),
        include_str!("../migrations/0001_schema/operator.sql"),
    ]),
}];

/// The newest version this program knows.
pub const LATEST_VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Programs that know this migration work with the schema of this one: that of the version that was released last, so that
/// instances can be replaced one after the other. Before the first release no other does.
const OLDEST_PROGRAM: i64 = LATEST_VERSION;

const MIGRATIONS_TABLE: &str = "CREATE TABLE IF NOT EXISTS migrations (
    version BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The newest migration that a program must know at least to work with the schema from this one on: an instance of an
    -- older version that still runs asks for it.
    needs_program BIGINT
)";

/// Whether the database has every migration up to one. A database that has is not touched: the role may then be one that
/// must not change the schema.
pub(crate) fn is_applied(tx: &mut Tx<'_>, migrations: &[Migration], up_to: i64) -> Result<bool, Error> {
    Ok(!tx.columns("migrations")?.is_empty() && checked_version(tx, migrations)? >= up_to)
}

/// Applies the migrations that the database lacks, up to one. The caller sees to it that no other instance does, too.
pub(crate) fn run(tx: &mut Tx<'_>, migrations: &[Migration], up_to: i64) -> Result<(), Error> {
    apply(tx, migrations, up_to).map_err(|error| match error {
        Error::Forbidden(_) => Error::Settings(format!(
            "the database needs migration {up_to}, and the role in the database address may not change the schema: run \
             `firmeza migrate` with FIRMEZA_MIGRATE_DATABASE_URL, the address with a role that may"
        )),
        other => other,
    })
}

fn apply(tx: &mut Tx<'_>, migrations: &[Migration], up_to: i64) -> Result<(), Error> {
    tx.batch(MIGRATIONS_TABLE)?;
    let current = checked_version(tx, migrations)?;
    for migration in migrations
        .iter()
        .filter(|m| m.version > current && m.version <= up_to)
    {
        match migration.change {
            Change::AtOnce(texts) => in_transaction(tx, |tx| {
                for text in texts {
                    let text = tx.dialect().migration(text);
                    tx.batch(&text)?;
                }
                note(tx, migration)
            })?,
            Change::Online(steps) => {
                steps.iter().try_for_each(|step| step.run(tx))?;
                in_transaction(tx, |tx| note(tx, migration))?;
            }
        }
    }
    Ok(())
}

/// Runs part of a migration in a transaction. `SQLite` is in one already: it migrates before anything else is served.
fn in_transaction(tx: &mut Tx<'_>, part: impl FnOnce(&mut Tx<'_>) -> Result<(), Error>) -> Result<(), Error> {
    let (begin, commit) = tx.dialect().migration_transaction();
    tx.batch(begin)?;
    // Without a commit, closing the connection undoes everything.
    part(tx)?;
    tx.batch(commit)
}

fn note(tx: &mut Tx<'_>, migration: &Migration) -> Result<(), Error> {
    let needed = OLDEST_PROGRAM.min(migration.version);
    tx.execute(
        "INSERT INTO migrations (version, name, needs_program) VALUES ($1, $2, $3)",
        &[migration.version.into(), migration.name.into(), needed.into()],
    )
    .map(drop)
}

impl Step {
    fn run(self, tx: &mut Tx<'_>) -> Result<(), Error> {
        match self {
            Self::Index { name, on } => build_index(tx, name, on),
            Self::Batches(sql) => loop {
                let mut changed = 0;
                in_transaction(tx, |tx| {
                    changed = tx.execute(sql, &[])?;
                    Ok(())
                })?;
                if changed == 0 {
                    return Ok(());
                }
            },
        }
    }
}

/// Builds an index that is not there. `PostgreSQL` leaves an index without use behind where it was interrupted.
fn build_index(tx: &mut Tx<'_>, name: &str, on: &str) -> Result<(), Error> {
    if tx.dialect() == Dialect::Sqlite {
        return tx.batch(&format!("CREATE INDEX IF NOT EXISTS {name} ON {on}"));
    }
    let sql = "SELECT CAST(CAST(indisvalid AS INT) AS BIGINT) AS valid FROM pg_index WHERE indexrelid = to_regclass($1)";
    match tx.query_one(sql, &[name.into()], only_column::<bool>)? {
        Some(true) => return Ok(()),
        Some(false) => tx.batch(&format!("DROP INDEX CONCURRENTLY {name}"))?,
        None => {}
    }
    tx.batch(&format!("CREATE INDEX CONCURRENTLY {name} ON {on}"))
}

/// The newest migration that the database has, which must be one that this program knows.
fn checked_version(tx: &mut Tx<'_>, migrations: &[Migration]) -> Result<i64, Error> {
    if has_other_migrations(tx, migrations)? {
        return Err(Error::Settings(
            "This data directory was made by a version before the first release and cannot be opened by this one"
                .to_owned(),
        ));
    }
    let current = applied_version(tx)?;
    let known = migrations.last().map_or(0, |newest| newest.version);
    if current > known {
        return Err(Error::Settings(format!(
            "the database is at migration {current}, newer than this program's {known}: use a newer program"
        )));
    }
    Ok(current)
}

/// Whether one of the database's migrations is not the one that has this number now.
fn has_other_migrations(tx: &mut Tx<'_>, migrations: &[Migration]) -> Result<bool, Error> {
    let applied = tx.query("SELECT version, name FROM migrations", &[], |row| {
        Ok((row.get::<i64>("version")?, row.get::<String>("name")?))
    })?;
    let is_other = |(version, name): &(i64, String)| {
        migrations
            .iter()
            .any(|known| known.version == *version && known.name != name)
    };
    Ok(applied.iter().any(is_other))
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
