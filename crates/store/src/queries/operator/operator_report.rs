//! What the metrics say of the installation as a whole. For the operator: no company.

use crate::error::Error;
use crate::queries::delivery::outbox::OutboxAge;
use crate::queries::operator::scrub::ScrubReport;
use crate::queries::signing::increment_moves::WaitingMoves;
use crate::tx::Tx;
use crate::value::only_column;
use domain::Timestamp;
use std::time::Duration;

/// A message that was written so long ago and waits is late.
const LATE: Duration = Duration::from_mins(15);

/// The beginning of an extension's error that means: no timestamp authority answered.
pub const NO_TIMESTAMP_AUTHORITY_PREFIX: &str = "timestamp authority";

/// Everything that the metrics read from the database, in one transaction.
#[derive(Debug, Clone, Copy)]
pub struct OperatorReport {
    /// Messages that wait.
    pub outbox: OutboxAge,
    /// When the oldest email to a panel user was written that waits.
    pub oldest_account_email: Option<Timestamp>,
    /// Recipients of messages and emails that should have left.
    pub late_recipients: i64,
    /// Webhook events that wait for enabled webhooks, and webhooks that are disabled.
    pub webhooks: (i64, i64),
    /// What the scrubber found.
    pub scrub: ScrubReport,
    /// Whether the last sweep refused to remove anything.
    pub sweep_refused: bool,
    /// Folios whose extension is due or failed.
    pub extensions: OverdueExtensions,
    /// Folios whose increments are to be moved to the document storage.
    pub increment_moves: WaitingMoves,
    /// Folios whose reminders are due.
    pub reminders: i64,
    /// The last backup, if there was one.
    pub backup: Option<LastBackup>,
    /// The time by the database's clock.
    pub database_time: Timestamp,
}

/// How many folios wait to be extended, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverdueExtensions {
    /// They are due, and were not tried since.
    pub due: i64,
    /// No timestamp authority answered.
    pub timestamp_authority: i64,
    /// Anything else went wrong.
    pub other: i64,
}

/// A backup that was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastBackup {
    /// When.
    pub finished_at: Timestamp,
    /// Documents that the storage had lost or damaged, and that are not in the backup.
    pub missing_documents: i64,
}

impl Tx<'_> {
    /// The report.
    pub fn operator_report(&mut self, now: Timestamp) -> Result<OperatorReport, Error> {
        Ok(OperatorReport {
            outbox: self.outbox_age()?,
            oldest_account_email: self.oldest_account_email()?,
            late_recipients: self.late_recipients(now.before(LATE))?,
            webhooks: self.webhooks_backlog()?,
            scrub: self.scrub_report()?,
            sweep_refused: self.sweep_refused()?,
            extensions: self.overdue_extensions(now)?,
            increment_moves: self.waiting_moves()?,
            reminders: self.overdue_reminders(now)?,
            backup: self.last_backup()?,
            database_time: self.database_time()?,
        })
    }

    /// Signers and panel users with a message that waits and was written before that time. One address that takes no
    /// messages counts once, whatever waits for it.
    fn late_recipients(&mut self, before: Timestamp) -> Result<i64, Error> {
        let sql = "SELECT COUNT(DISTINCT recipient) AS late FROM (
                       SELECT recipient FROM outbox WHERE state = 'waiting' AND created_at <= $1
                       UNION ALL SELECT recipient FROM account_emails WHERE state = 'waiting' AND created_at <= $1)
                       AS m";
        let late = self.query_one(sql, &[before.into()], only_column)?;
        late.ok_or(Error::Corrupt("answer"))
    }

    /// Folios whose extension is due or was put off after a failure. A folio that waits for years has no `due_set_at`, and
    /// is not read.
    pub fn overdue_extensions(&mut self, now: Timestamp) -> Result<OverdueExtensions, Error> {
        let authority = format!("{NO_TIMESTAMP_AUTHORITY_PREFIX}%");
        // Two conditions with OR, and SQLite would read all.
        let sql = "SELECT (SELECT COUNT(*) FROM extensions WHERE due_at <= $1 AND last_error IS NULL) AS due,
                       COUNT(CASE WHEN last_error LIKE $2 THEN 1 END) AS timestamp_authority,
                       COUNT(CASE WHEN last_error NOT LIKE $2 THEN 1 END) AS other
                   FROM extensions WHERE due_set_at IS NOT NULL AND last_error IS NOT NULL";
        let overdue = self.query_one(sql, &[now.into(), authority.as_str().into()], |row| {
            Ok(OverdueExtensions {
                due: row.get("due")?,
                timestamp_authority: row.get("timestamp_authority")?,
                other: row.get("other")?,
            })
        })?;
        overdue.ok_or(Error::Corrupt("answer"))
    }

    /// The last backup that was finished.
    pub fn last_backup(&mut self) -> Result<Option<LastBackup>, Error> {
        let sql = "SELECT finished_at, missing_documents FROM last_backup";
        self.query_one(sql, &[], |row| {
            Ok(LastBackup {
                finished_at: row.get("finished_at")?,
                missing_documents: row.get("missing_documents")?,
            })
        })
    }

    /// Notes that a backup was finished.
    pub fn note_backup(&mut self, backup: LastBackup) -> Result<(), Error> {
        let sql = "INSERT INTO last_backup (one, finished_at, missing_documents) VALUES (1, $1, $2)
                   ON CONFLICT (one) DO UPDATE SET finished_at = excluded.finished_at,
                       missing_documents = excluded.missing_documents";
        let params = [backup.finished_at.into(), backup.missing_documents.into()];
        self.execute(sql, &params).map(drop)
    }

    /// The time by the database's clock.
    pub fn database_time(&mut self) -> Result<Timestamp, Error> {
        let sql = self.dialect().clock();
        let clock = self.query_one(sql, &[], only_column)?;
        clock.ok_or(Error::Corrupt("answer"))
    }
}
