//! A `PostgreSQL` and an S3 service, as installations of several instances share them; and what these spend meanwhile.

use crate::cpu;
use crate::replay::{self, Recording};
use crate::servers::Backend;
use parts::{Error, Postgres, Result, S3};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long the server may take to write down what it was asked.
const LOG_TIMEOUT: Duration = Duration::from_mins(1);
const LOG_PAUSE: Duration = Duration::from_millis(50);

/// The servers. The database syncs its log on every commit.
#[derive(Debug)]
pub(crate) struct Services {
    pub(crate) postgres: Postgres,
    s3: S3,
}

impl Services {
    pub(crate) fn start() -> Result<Self> {
        Ok(Self {
            postgres: Postgres::start_recording()?,
            s3: S3::start()?,
        })
    }

    /// The transactions with such a statement that a load runs in a database, so many of them; and a copy of the database
    /// as it was before.
    pub(crate) fn record(
        &self,
        database: &str,
        (with, count): (&str, usize),
        load: impl FnOnce() -> Result<()>,
    ) -> Result<Recording> {
        let copy = self
            .postgres
            .copy_database(database, &format!("{database}-copy"))?;
        self.postgres.record_statements(true)?;
        load()?;
        let begun = Instant::now();
        let transactions = loop {
            let mut all = replay::transactions(&self.postgres.statements()?, database)?;
            all.retain(|transaction| transaction.has(with));
            if all.len() >= count {
                all.truncate(count);
                break all;
            }
            if begun.elapsed() > LOG_TIMEOUT {
                let found = all.len();
                return Err(Error::new(format!(
                    "{found} of {count} transactions have `{with}`"
                )));
            }
            std::thread::sleep(LOG_PAUSE);
        };
        self.postgres.record_statements(false)?;
        Ok(Recording {
            database: copy,
            transactions,
        })
    }

    /// A database and a place in the bucket that nothing else uses.
    pub(crate) fn backend(&self, name: &str) -> Result<Backend> {
        let mut backend = self.storage(name);
        backend.push(("FIRMEZA_DATABASE_URL", self.postgres.create_database(name)?));
        Ok(backend)
    }

    /// The place in the bucket alone.
    pub(crate) fn storage(&self, name: &str) -> Backend {
        let mut backend = vec![
            ("FIRMEZA_BLOBS_URL", format!("s3://{}/{name}", self.s3.bucket())),
            // The storage may be as busy as the machine.
            ("AWS_TIMEOUT", "60 seconds".to_owned()),
            ("AWS_CONNECT_TIMEOUT", "60 seconds".to_owned()),
        ];
        backend.extend(self.s3.env());
        backend
    }

    /// Seconds of processor time that the database and the storage have spent.
    fn seconds(&self) -> Result<(f64, f64)> {
        let postgres = self
            .postgres
            .id()
            .ok_or_else(|| Error::new("no process of PostgreSQL"))?;
        let storage = self.s3.ids().into_iter().map(cpu::seconds_now);
        let storage: Vec<f64> = storage.collect::<Result<_>>()?;
        Ok((cpu::seconds_now(postgres)?, storage.iter().sum()))
    }
}

/// What the servers spend for a load of the program's.
#[derive(Debug)]
pub(crate) struct Meter<'s> {
    services: &'s Services,
    spent: Cell<(f64, f64)>,
    done: Cell<f64>,
}

impl<'s> Meter<'s> {
    pub(crate) fn new(services: &'s Services) -> Self {
        Self {
            services,
            spent: Cell::new((0.0, 0.0)),
            done: Cell::new(0.0),
        }
    }

    /// Counts what they spend during this load.
    pub(crate) fn count(&self, load: impl FnOnce() -> Result<f64>) -> Result<f64> {
        let before = self.services.seconds()?;
        let done = load()?;
        let after = self.services.seconds()?;
        let (database, storage) = self.spent.get();
        self.spent
            .set((database + after.0 - before.0, storage + after.1 - before.1));
        self.done.set(self.done.get() + done);
        Ok(done)
    }

    /// Milliseconds a unit of the load.
    pub(crate) fn words(&self) -> String {
        let (database, storage) = self.spent.get();
        let each = 1000.0 / self.done.get();
        format!(
            "PostgreSQL {:.2} ms of CPU, the S3 server {:.2}",
            database * each,
            storage * each
        )
    }
}
