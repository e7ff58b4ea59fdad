//! Reminders to the signers of pending folios: when each folio is looked at, and how far it has come.

use crate::dialect::ColumnType::Int;
use crate::error::Error;
use crate::queries::due_times::DueTimes;
use crate::queries::panel::company_settings::ReminderDays;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::{CompanyId, FolioId, Message, SignerIndex, Timestamp};
use std::collections::{HashMap, HashSet};

/// Folios of one company that are due to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReminders {
    /// Whose they are.
    pub company: CompanyId,
    /// Which.
    pub folios: Vec<FolioId>,
}

/// The reminders of a folio so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reminded {
    /// How many, without the one before the folio expires.
    pub sent: i64,
    /// When the last one was queued, of either kind; or when it was found that the clock had gone back.
    pub last: Option<Timestamp>,
}

/// What becomes of a folio that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReminderPlan {
    /// Which.
    pub folio: FolioRow,
    /// The reminders that are queued now.
    pub messages: Vec<Message>,
    /// The reminders from now on, with these.
    pub reminded: Reminded,
    /// When it is looked at again, if at all.
    pub next: Option<Timestamp>,
}

impl Tx<'_> {
    /// Has these new folios looked at now, of those companies that remind signers.
    pub fn plan_reminders(&mut self, folios: &[FolioRow], now: Timestamp) -> Result<u64, Error> {
        if folios.is_empty() {
            return Ok(0);
        }
        let sql = "INSERT INTO reminders (folio, company, due_at, due_set_at)
                   SELECT f.seq, f.company, $1, $1 FROM folios f JOIN companies c ON c.seq = f.company
                   WHERE COALESCE(c.reminder_first_days, c.reminder_before_days) IS NOT NULL
                       AND f.state = 'pending' AND f.send_email = 1 AND f.seq IN ({list})
                   ON CONFLICT (folio) DO NOTHING RETURNING folio";
        let planned = self.query_in(sql, &[now.into()], numbers(folios), |_| Ok(()))?;
        Ok(planned.len() as u64)
    }

    /// Has all pending folios of the company looked at, from that time on: by then every transaction that read the
    /// schedule from before is over.
    pub fn replan_reminders(&mut self, company: CompanyId, from: Timestamp) -> Result<(), Error> {
        let sql = "INSERT INTO reminder_replans (company, after_folio, due_at) VALUES ($1, 0, $2)
                   ON CONFLICT (company) DO UPDATE SET after_folio = 0, due_at = excluded.due_at";
        self.execute(sql, &[company.0.into(), from.into()]).map(drop)
    }

    /// Whether a company's folios wait to be planned anew. Times farther ahead than `horizon` are of a clock that was wrong.
    pub fn has_reminder_replan(&mut self, now: Timestamp, horizon: Timestamp) -> Result<bool, Error> {
        let sql = "SELECT company FROM reminder_replans WHERE due_at <= $1 OR due_at > $2 LIMIT 1";
        let found = self.query_one(sql, &[now.into(), horizon.into()], |_| Ok(()))?;
        Ok(found.is_some())
    }

    /// Has the next pending folios of a company looked at whose schedule changed, `max` at the most. Returns how many there
    /// were.
    pub fn replan_some_reminders(
        &mut self,
        now: Timestamp,
        horizon: Timestamp,
        max: usize,
    ) -> Result<usize, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "SELECT company, after_folio FROM reminder_replans WHERE due_at <= $1 OR due_at > $2
             ORDER BY company LIMIT 1{skip}"
        );
        let found = self.query_one(&sql, &[now.into(), horizon.into()], |row| {
            Ok((row.get::<i64>("company")?, row.get::<FolioRow>("after_folio")?))
        })?;
        let Some((company, after)) = found else {
            return Ok(0);
        };
        let sql = "SELECT seq FROM folios WHERE company = $1 AND state = 'pending' AND seq > $2 ORDER BY seq LIMIT $3";
        let params = [company.into(), after.into(), sql_int(max)?.into()];
        let folios: Vec<FolioRow> = self.query(sql, &params, only_column)?;
        let Some(last) = folios.last() else {
            let sql = "DELETE FROM reminder_replans WHERE company = $1";
            self.execute(sql, &[company.into()])?;
            return Ok(0);
        };
        self.keep_from_erasure(&folios)?;
        let sql = "INSERT INTO reminders (folio, company, due_at, due_set_at)
                   SELECT seq, company, $1, $1 FROM folios
                   WHERE state = 'pending' AND send_email = 1 AND seq IN ({list})
                   ON CONFLICT (folio) DO UPDATE SET due_at = excluded.due_at, due_set_at = excluded.due_set_at
                   RETURNING folio";
        self.query_in(sql, &[now.into()], numbers(&folios), |_| Ok(()))?;
        let sql = "UPDATE reminder_replans SET after_folio = $1 WHERE company = $2";
        self.execute(sql, &[(*last).into(), company.into()])?;
        Ok(folios.len())
    }

    /// Folios that are due, `max` at the most, of the company with the one that is due first.
    pub fn due_reminders(
        &mut self,
        due: impl Into<DueTimes>,
        max: usize,
    ) -> Result<Option<DueReminders>, Error> {
        let DueTimes { from, now } = due.into();
        let sql = "SELECT r.company, f.id FROM reminders r JOIN folios f ON f.seq = r.folio
                   WHERE r.due_at <= $1 AND r.due_at >= $2 ORDER BY r.due_at, r.company LIMIT $3";
        let params = [now.into(), from.into(), sql_int(max)?.into()];
        let found = self.query(sql, &params, |row| {
            Ok((CompanyId(row.get("company")?), row.get::<FolioId>("id")?))
        })?;
        let Some((company, _)) = found.first().copied() else {
            return Ok(None);
        };
        let own = found.into_iter().filter(|(whose, _)| *whose == company);
        Ok(Some(DueReminders {
            company,
            folios: own.map(|(_, id)| id).collect(),
        }))
    }

    /// When the company reminds signers, and the zone of its own.
    pub fn reminder_days(
        &mut self,
        company: CompanyId,
    ) -> Result<Option<(ReminderDays, Option<String>)>, Error> {
        let sql =
            "SELECT reminder_first_days, reminder_every_days, reminder_max, reminder_before_days, timezone
                   FROM companies WHERE seq = $1";
        self.query_one(sql, &[company.0.into()], |row| {
            Ok((ReminderDays::from_row(row)?, row.get("timezone")?))
        })
    }

    /// The reminders so far of those of these locked folios that are due.
    pub fn reminded_folios(
        &mut self,
        folios: &[FolioRow],
        now: Timestamp,
    ) -> Result<HashMap<FolioRow, Reminded>, Error> {
        let sql = "SELECT folio, sent, reminded_at FROM reminders WHERE due_at <= $1 AND folio IN ({list})";
        let found = self.query_in(sql, &[now.into()], numbers(folios), |row| {
            let reminded = Reminded {
                sent: row.get("sent")?,
                last: row.get("reminded_at")?,
            };
            Ok((row.get("folio")?, reminded))
        })?;
        Ok(found.into_iter().collect())
    }

    /// The signers of these folios of whose email address it is known that no email arrives there, or that none is wanted. A code
    /// that was given up only came too late, and what arrived after a failure shows that the address works. A message about
    /// several folios, as the code of a bulk signature, counts for each of them.
    pub fn unreachable_signers(
        &mut self,
        folios: &[FolioRow],
    ) -> Result<HashSet<(FolioRow, SignerIndex)>, Error> {
        let sql = "SELECT DISTINCT m.folio, m.signer
                   FROM (SELECT seq AS message, folio, signer FROM outbox WHERE folio IN ({list})
                       UNION ALL SELECT message, folio, signer FROM outbox_folios WHERE folio IN ({list})) AS m
                       JOIN outbox o ON o.seq = m.message
                       JOIN signers s ON s.folio = m.folio AND s.position = m.signer
                   WHERE o.channel = 'email' AND o.recipient = s.email
                       AND (o.returned IS NOT NULL OR o.state = 'dead' AND o.template <> 'code'
                           AND NOT EXISTS (SELECT 1 FROM outbox later WHERE later.folio = m.folio AND later.signer = m.signer
                               AND later.recipient = o.recipient AND later.state = 'sent' AND later.seq > o.seq)
                           AND NOT EXISTS (SELECT 1 FROM outbox_folios x JOIN outbox later ON later.seq = x.message
                               WHERE x.folio = m.folio AND x.signer = m.signer
                                   AND later.recipient = o.recipient AND later.state = 'sent' AND later.seq > o.seq))";
        let found = self.query_in(sql, &[], numbers(folios), |row| {
            Ok((row.get("folio")?, row.get("signer")?))
        })?;
        Ok(found.into_iter().collect())
    }

    /// Queues the reminders of folios of the company, and notes how far each has come.
    pub fn settle_reminders(
        &mut self,
        company: CompanyId,
        plans: &[ReminderPlan],
        now: Timestamp,
    ) -> Result<(), Error> {
        if plans.is_empty() {
            return Ok(());
        }
        let messages: Vec<_> = plans
            .iter()
            .map(|plan| (plan.folio, plan.messages.as_slice()))
            .collect();
        self.insert_messages(company, now, &messages)?;
        let mut rows = Rows::new();
        rows.push([company.0.into()]);
        for plan in plans {
            rows.push([
                plan.folio.into(),
                plan.next.into(),
                now.into(),
                plan.reminded.sent.into(),
                plan.reminded.last.into(),
            ]);
        }
        let sql = "UPDATE reminders SET due_at = c.column2, due_set_at = c.column3, sent = c.column4,
                       reminded_at = c.column5
                   FROM (VALUES {rows}) AS c WHERE reminders.company = $1 AND reminders.folio = c.column1";
        self.execute_rows(sql, &[Int, Int, Int, Int, Int], 1, &rows)
            .map(drop)
    }

    /// Forgets folios that can no longer be signed. The projector and the worker may do so at the same moment: in one order.
    pub fn end_reminders(&mut self, folios: &[FolioRow]) -> Result<(), Error> {
        let lock = self.dialect().for_update();
        let sql = format!(
            "DELETE FROM reminders WHERE folio IN (
                 SELECT folio FROM reminders WHERE folio IN ({{list}}) ORDER BY folio{lock})"
        );
        self.each_in(&sql, &[], numbers(folios), |_| Ok(()))
    }

    /// When the signers of a folio of the company are reminded next, and how often they were.
    pub fn next_reminder(
        &mut self,
        company: CompanyId,
        folio: FolioRow,
    ) -> Result<Option<(Timestamp, i64)>, Error> {
        let sql =
            "SELECT due_at, sent FROM reminders WHERE company = $1 AND folio = $2 AND due_at IS NOT NULL";
        self.query_one(sql, &[company.0.into(), folio.into()], |row| {
            Ok((row.get("due_at")?, row.get("sent")?))
        })
    }

    /// How many folios are due to be looked at. For the operator: of all companies.
    pub fn overdue_reminders(&mut self, now: Timestamp) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM reminders WHERE due_at <= $1";
        let overdue = self.query_one(sql, &[now.into()], only_column)?;
        overdue.ok_or(Error::Corrupt("answer"))
    }
}

fn numbers(folios: &[FolioRow]) -> impl ExactSizeIterator<Item = Param<'static>> + '_ {
    folios.iter().map(|folio| Param::from(*folio))
}
