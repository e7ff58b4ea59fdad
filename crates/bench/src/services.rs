//! A `PostgreSQL` and an S3 service, as installations of several instances share them; and what these spend meanwhile.

use crate::cpu;
use crate::servers::Backend;
use parts::{Error, Postgres, Result, S3};
use std::cell::Cell;

/// The servers. The database syncs its log on every commit.
#[derive(Debug)]
pub(crate) struct Services {
    pub(crate) postgres: Postgres,
    s3: S3,
}

impl Services {
    pub(crate) fn start() -> Result<Self> {
        Ok(Self {
            postgres: Postgres::start_durable()?,
            s3: S3::start()?,
        })
    }

    /// A database and a place in the bucket that nothing else uses.
    pub(crate) fn backend(&self, name: &str) -> Result<Backend> {
        let database = self.postgres.create_database(name)?;
        let mut backend = vec![
            ("FIRMEZA_DATABASE_URL", database),
            ("FIRMEZA_BLOBS_URL", format!("s3://{}/{name}", self.s3.bucket())),
            // The storage may be as busy as the machine.
            ("AWS_TIMEOUT", "60 seconds".to_owned()),
            ("AWS_CONNECT_TIMEOUT", "60 seconds".to_owned()),
        ];
        backend.extend(self.s3.env());
        Ok(backend)
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
