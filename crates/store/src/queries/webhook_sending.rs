//! What webhooks are to be told: planned by the clerk, taken on a lease by whoever sends it, settled.

use super::folios::number;
use crate::dialect::Kind::{Bytes, Int, Text};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Param, Rows};
use domain::{CompanyId, DeliveryId, Folio, Random, Timestamp};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Something that happened to a folio and is to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Whose folio it is.
    pub company: CompanyId,
    /// The folio's number in the database.
    pub folio: i64,
    /// What happened, as it is told.
    pub kind: &'static str,
    /// The event of the folio's history.
    pub event: i64,
    /// When.
    pub at: Timestamp,
}

/// A message taken to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookParcel {
    /// Its number.
    pub seq: i64,
    /// What it is called by, the same at every attempt.
    pub id: DeliveryId,
    /// Which attempt this is, from 1; tells it from those of others.
    pub attempt: i64,
    /// How many of them do not count: given back, or before somebody had it sent again.
    pub attempts_before: i64,
    /// The number of the address.
    pub endpoint: i64,
    /// Where to.
    pub address: String,
    /// The sealed secret, and the one before it while it is good.
    pub secrets: Vec<Vec<u8>>,
    /// Since when the address fails.
    pub failing_since: Option<Timestamp>,
    /// What happened.
    pub kind: String,
    /// The folio it tells of, as it is now; none in a trial.
    pub folio: Option<Box<Folio>>,
    /// The event of the folio's history.
    pub event: Option<i64>,
    /// When it happened.
    pub happened_at: Timestamp,
    /// What is sent, once that is settled.
    pub body: Option<String>,
}

impl std::fmt::Debug for WebhookParcel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may stand in a log.
        f.debug_struct("WebhookParcel")
            .field("seq", &self.seq)
            .field("attempt", &self.attempt)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// What follows from an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aftermath {
    /// It arrived.
    Sent,
    /// It is to be tried again, not before.
    PutOff(Timestamp),
    /// It is given up.
    Dead,
    /// It was not tried.
    GivenBack,
}

/// An attempt, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempted {
    /// The message's number.
    pub seq: i64,
    /// Which attempt it was.
    pub attempt: i64,
    /// The number of the address.
    pub endpoint: i64,
    /// When.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: i64,
    /// The answer's status.
    pub status: Option<i64>,
    /// Why it counts as a failure.
    pub error: Option<String>,
    /// What was sent.
    pub body: Option<String>,
    /// What follows.
    pub aftermath: Aftermath,
    /// Why nothing is to be sent there any more.
    pub disable: Option<String>,
}

impl Attempted {
    /// Whether it was tried at all.
    fn made(&self) -> bool {
        self.aftermath != Aftermath::GivenBack
    }
}

/// The addresses that anything waits for, found by a step from one to the next: what it costs grows with them, not with
/// what waits for those that are disabled.
const WAITED_FOR: &str = "WITH RECURSIVE waited_for (endpoint) AS (
        SELECT CAST(0 AS BIGINT)
        UNION ALL SELECT (
            SELECT MIN(d.endpoint) FROM webhook_deliveries d
            WHERE d.state = 'waiting' AND d.endpoint > waited_for.endpoint)
        FROM waited_for WHERE waited_for.endpoint IS NOT NULL)";

/// Those of them that are told. (`CROSS`: `SQLite` begins with the first.)
const TOLD: &str = "waited_for CROSS JOIN webhook_endpoints e
        WHERE e.seq = waited_for.endpoint AND e.disabled_at IS NULL AND e.removed_at IS NULL";

/// What may be taken now.
const DUE: &str =
    "d.state = 'waiting' AND d.due_at <= $1 AND (d.leased_until IS NULL OR d.leased_until <= $1)";

impl Tx<'_> {
    /// Plans what the companies' addresses are to be told. One statement where nobody listens; two otherwise.
    pub fn plan_webhooks(
        &mut self,
        told: &[Told],
        now: Timestamp,
        random: &mut dyn Random,
    ) -> Result<usize, Error> {
        let mut companies: Vec<i64> = told.iter().map(|one| one.company.0).collect();
        companies.sort_unstable();
        companies.dedup();
        let sql = "SELECT company, seq FROM webhook_endpoints
                   WHERE company IN ({list}) AND disabled_at IS NULL AND removed_at IS NULL ORDER BY seq";
        let companies = companies.iter().map(|company| Param::from(*company));
        let found = self.query_in(sql, &[], companies, |row| {
            Ok((row.get::<i64>(0)?, row.get::<i64>(1)?))
        })?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut listening: HashMap<i64, Vec<i64>> = HashMap::new();
        for (company, endpoint) in found {
            listening.entry(company).or_default().push(endpoint);
        }
        let planned: Vec<(DeliveryId, &Told, i64)> = told
            .iter()
            .flat_map(|one| {
                let endpoints = listening.get(&one.company.0).map_or(&[][..], Vec::as_slice);
                endpoints.iter().map(move |endpoint| (one, *endpoint))
            })
            .map(|(one, endpoint)| (DeliveryId::random(random), one, endpoint))
            .collect();
        let mut rows = Rows::new();
        for (id, one, endpoint) in &planned {
            rows.push([
                id.into(),
                one.company.0.into(),
                (*endpoint).into(),
                one.kind.into(),
                one.folio.into(),
                one.event.into(),
                one.at.into(),
                now.into(),
                now.into(),
            ]);
        }
        self.insert_rows(
            "INSERT INTO webhook_deliveries (id, company, endpoint, kind, folio, event, happened_at, created_at,
                 due_at) VALUES",
            &[Bytes, Int, Int, Text, Int, Int, Int, Int, Int],
            &rows,
        )?;
        Ok(planned.len())
    }

    /// Whether anything is due: what there is to know where nobody listens.
    pub fn webhooks_wait(&mut self, now: Timestamp) -> Result<bool, Error> {
        let sql = format!(
            "{WAITED_FOR} SELECT e.seq FROM {TOLD} AND EXISTS (
                 SELECT 1 FROM webhook_deliveries d
                 WHERE d.endpoint = e.seq AND d.state = 'waiting' AND d.due_at <= $1) LIMIT 1"
        );
        Ok(self.query_one(&sql, &[now.into()], |_| Ok(()))?.is_some())
    }

    /// How much waits to be told over all companies, and how many addresses the service has disabled.
    pub fn webhooks_backlog(&mut self) -> Result<(i64, i64), Error> {
        let sql = "SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting'),
                       (SELECT COUNT(*) FROM webhook_endpoints WHERE note IS NOT NULL AND removed_at IS NULL)";
        let backlog = self.query_one(sql, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
        backlog.ok_or(Error::Corrupt("answer"))
    }

    /// Takes what is due, at most `limit`, a few to an address and none to those that are `busy`. A company gets nothing
    /// while its `share`, over all instances, is on the way. Nobody else gets these before `until`.
    pub fn take_webhooks(
        &mut self,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
        share: usize,
        busy: &[i64],
    ) -> Result<Vec<WebhookParcel>, Error> {
        // Messages to one address at once: the others, also of its company, have their turn as well.
        let each = (share / 4).max(1);
        let mut taken = Vec::new();
        let mut on_their_way: HashMap<i64, usize> = HashMap::new();
        for (endpoint, company, leased) in self.due_endpoints(now, share, busy)? {
            if taken.len() >= limit {
                break;
            }
            let of_company = on_their_way.entry(company).or_insert(leased);
            let room = each
                .min(limit.saturating_sub(taken.len()))
                .min(share.saturating_sub(*of_company));
            if room > 0 {
                let seqs = self.lease_webhooks(endpoint, now, until, room)?;
                *of_company += seqs.len();
                taken.extend(seqs);
            }
        }
        self.webhook_parcels(&taken, now)
    }

    /// The addresses that something is due for, those that have waited longest first, of companies that have not got
    /// their share: each with its company and what that has on the way.
    fn due_endpoints(
        &mut self,
        now: Timestamp,
        share: usize,
        busy: &[i64],
    ) -> Result<Vec<(i64, i64, usize)>, Error> {
        /// Addresses looked at, to find some of several companies.
        const LOOKED_AT: i64 = 64;
        let sql = format!(
            "{WAITED_FOR} SELECT t.seq, t.company, t.leased FROM (
                 SELECT e.seq, e.company,
                     (SELECT COUNT(*) FROM webhook_deliveries l
                      WHERE l.company = e.company AND l.leased_until > $1) AS leased,
                     (SELECT d.due_at FROM webhook_deliveries d WHERE d.endpoint = e.seq AND {DUE}
                      ORDER BY d.due_at LIMIT 1) AS oldest
                 FROM {TOLD} AND e.seq NOT IN ({{list}})) AS t
             WHERE t.oldest IS NOT NULL AND t.leased < $2 ORDER BY t.oldest, t.seq LIMIT $3"
        );
        // An address that does not exist stands for none.
        let busy: Vec<Param<'_>> = busy.iter().chain(&[0]).map(|seq| Param::from(*seq)).collect();
        let fixed = [now.into(), number(share)?.into(), LOOKED_AT.into()];
        self.query_in(&sql, &fixed, busy.into_iter(), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
    }

    /// Takes what is due for an address, oldest first.
    fn lease_webhooks(
        &mut self,
        endpoint: i64,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<i64>, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT d.seq FROM webhook_deliveries d WHERE d.endpoint = $3 AND {DUE}
                 ORDER BY d.due_at, d.seq LIMIT $4{skip})
             UPDATE webhook_deliveries SET leased_until = $2, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq"
        );
        let params = [now.into(), until.into(), endpoint.into(), number(most)?.into()];
        self.query(&sql, &params, |row| row.get(0))
    }

    fn webhook_parcels(&mut self, seqs: &[i64], now: Timestamp) -> Result<Vec<WebhookParcel>, Error> {
        let sql = "SELECT d.seq, d.id, d.attempts, d.attempts_before, e.seq, e.address, e.secret,
                       CASE WHEN e.previous_until > $1 THEN e.previous_secret END, e.failing_since, d.kind,
                       d.folio, d.event, d.happened_at, d.body
                   FROM webhook_deliveries d JOIN webhook_endpoints e ON e.seq = d.endpoint
                   WHERE d.seq IN ({list}) ORDER BY d.seq";
        let seqs = seqs.iter().map(|seq| Param::from(*seq));
        let taken = self.query_in(sql, &[now.into()], seqs, |row| {
            let secrets: [Option<Vec<u8>>; 2] = [row.get(6)?, row.get(7)?];
            let parcel = WebhookParcel {
                seq: row.get(0)?,
                id: row.get(1)?,
                attempt: row.get(2)?,
                attempts_before: row.get(3)?,
                endpoint: row.get(4)?,
                address: row.get(5)?,
                secrets: secrets.into_iter().flatten().collect(),
                failing_since: row.get(8)?,
                kind: row.get(9)?,
                folio: None,
                event: row.get(11)?,
                happened_at: row.get(12)?,
                body: row.get(13)?,
            };
            Ok((parcel, row.get::<Option<i64>>(10)?))
        })?;
        let seqs: Vec<i64> = taken.iter().filter_map(|(_, folio)| *folio).collect();
        let folios = self.folios_numbered(&seqs)?;
        let with_folio = |(mut parcel, folio): (WebhookParcel, Option<i64>)| {
            let folio = folio.and_then(|seq| folios.iter().find(|stored| stored.seq == seq));
            parcel.folio = folio.map(|stored| Box::new(stored.folio.clone()));
            parcel
        };
        Ok(taken.into_iter().map(with_folio).collect())
    }

    /// Writes down what came of attempts. What has arrived has arrived, whoever holds it by now; anything else counts
    /// only while nobody else has taken it. An attempt counts once, however often it is written down: whoever lost the
    /// answer to a commit does so again.
    pub fn settle_webhooks(&mut self, attempted: &[Attempted]) -> Result<(), Error> {
        let new = self.log_attempts(attempted)?;
        let (mut rows, mut endpoints) = (Rows::new(), Rows::new());
        let mut outcomes: BTreeMap<i64, (Timestamp, bool, Option<&String>)> = BTreeMap::new();
        for one in attempted {
            if one.made() && !new.contains(&(one.seq, one.attempt)) {
                continue;
            }
            let (state, due, ended, back) = match one.aftermath {
                Aftermath::Sent => ("sent", None, Some(one.at), false),
                Aftermath::PutOff(until) => ("waiting", Some(until), None, false),
                Aftermath::Dead => ("dead", None, Some(one.at), false),
                Aftermath::GivenBack => ("waiting", None, None, true),
            };
            rows.push([
                one.seq.into(),
                one.attempt.into(),
                state.into(),
                due.into(),
                ended.into(),
                back.into(),
                one.body.as_ref().into(),
            ]);
            if back {
                continue;
            }
            // Of several attempts at one address the last tells how it is, and any may have it disabled.
            let outcome = outcomes.entry(one.endpoint).or_insert((one.at, false, None));
            *outcome = (
                one.at,
                one.aftermath == Aftermath::Sent,
                one.disable.as_ref().or(outcome.2),
            );
        }
        for (endpoint, (at, sent, disable)) in &outcomes {
            endpoints.push([
                (*endpoint).into(),
                (*at).into(),
                (*sent).into(),
                (*disable).into(),
            ]);
        }
        let sql = "UPDATE webhook_deliveries SET state = c.column3, due_at = COALESCE(c.column4, due_at),
                       ended_at = c.column5, leased_until = NULL, attempts_before = attempts_before + c.column6,
                       body = COALESCE(body, c.column7)
                   FROM (VALUES {rows}) AS c
                   WHERE webhook_deliveries.seq = c.column1 AND webhook_deliveries.state = 'waiting'
                       AND (c.column3 = 'sent' OR webhook_deliveries.attempts = c.column2)
                       AND (c.column6 = 0 OR webhook_deliveries.leased_until IS NOT NULL)";
        self.update_rows(sql, &[Int, Int, Text, Int, Int, Int, Text], &rows)?;
        let sql = "UPDATE webhook_endpoints SET
                       failing_since = CASE WHEN c.column3 = 1 THEN NULL ELSE COALESCE(failing_since, c.column2) END,
                       disabled_at = CASE WHEN c.column4 IS NULL THEN disabled_at ELSE COALESCE(disabled_at, c.column2) END,
                       note = COALESCE(c.column4, note)
                   FROM (VALUES {rows}) AS c WHERE webhook_endpoints.seq = c.column1";
        self.update_rows(sql, &[Int, Int, Int, Text], &endpoints)
    }

    /// Keeps the attempts that were made at messages which are still there; those of them that were not kept before.
    fn log_attempts(&mut self, attempted: &[Attempted]) -> Result<HashSet<(i64, i64)>, Error> {
        let made: Vec<&Attempted> = attempted.iter().filter(|one| one.made()).collect();
        if made.is_empty() {
            return Ok(HashSet::new());
        }
        let mut params = Rows::new();
        for one in &made {
            params.push([
                one.seq.into(),
                one.attempt.into(),
                one.at.into(),
                one.millis.into(),
                one.status.into(),
                one.error.as_ref().into(),
            ]);
        }
        let rows = self
            .dialect()
            .rows(&[Int, Int, Int, Int, Int, Text], made.len(), 1);
        let sql = format!(
            "INSERT INTO webhook_attempts (delivery, number, at, millis, status, error)
             SELECT c.column1, c.column2, c.column3, c.column4, c.column5, c.column6 FROM (VALUES {rows}) AS c
             WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.seq = c.column1)
             ON CONFLICT (delivery, number) DO NOTHING RETURNING delivery, number"
        );
        let new = self.query(&sql, &params, |row| Ok((row.get::<i64>(0)?, row.get::<i64>(1)?)))?;
        Ok(new.into_iter().collect())
    }

    /// Forgets what ended before that time, or has waited since for an address that is disabled, unless it is on its
    /// way by now; at most so many of each. How many.
    pub fn forget_webhooks(
        &mut self,
        before: Timestamp,
        now: Timestamp,
        most: usize,
    ) -> Result<usize, Error> {
        // What somebody takes or settles at this very moment is not old.
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "SELECT seq FROM (
                 SELECT seq FROM webhook_deliveries WHERE ended_at < $1 ORDER BY ended_at LIMIT $2{skip}) AS ended
             UNION ALL SELECT seq FROM (
                 SELECT seq FROM webhook_deliveries
                 WHERE state = 'waiting' AND due_at < $1 AND (leased_until IS NULL OR leased_until <= $3)
                 ORDER BY due_at LIMIT $2{skip}) AS waiting"
        );
        let params = [before.into(), number(most)?.into(), now.into()];
        let old: Vec<i64> = self.query(&sql, &params, |row| row.get(0))?;
        for (table, column) in [("webhook_attempts", "delivery"), ("webhook_deliveries", "seq")] {
            let sql = format!("DELETE FROM {table} WHERE {column} IN ({{list}}) RETURNING {column}");
            let seqs = old.iter().map(|seq| Param::from(*seq));
            self.query_in(&sql, &[], seqs, |_| Ok(()))?;
        }
        Ok(old.len())
    }
}
