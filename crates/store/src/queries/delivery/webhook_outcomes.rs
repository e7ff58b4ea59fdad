//! Outcomes of webhook deliveries: each attempt is recorded once, and old ones are deleted.

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::rows::{DeliveryRow, WebhookEndpointRow};
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::Timestamp;
use std::collections::{BTreeMap, HashSet};

/// The new state of a delivery after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookOutcome {
    /// It arrived.
    Sent,
    /// It is to be tried again, not before.
    Postponed(Timestamp),
    /// It was given up.
    Dead,
    /// It was not tried.
    Returned,
}

/// An attempt, and the new state of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledWebhook {
    /// The delivery's row number.
    pub seq: DeliveryRow,
    /// Which attempt it was.
    pub attempt: i64,
    /// The endpoint's row number.
    pub endpoint: WebhookEndpointRow,
    /// When.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: i64,
    /// The response's status.
    pub status: Option<i64>,
    /// Why it counts as a failure.
    pub error: Option<String>,
    /// The beginning of the response's body.
    pub response: Option<String>,
    /// The body that was sent.
    pub body: Option<String>,
    /// The new state of the delivery.
    pub webhook_outcome: WebhookOutcome,
    /// Why the endpoint is disabled, if it is.
    pub disable: Option<String>,
}

impl SettledWebhook {
    /// Whether it was tried at all.
    fn made(&self) -> bool {
        self.webhook_outcome != WebhookOutcome::Returned
    }
}

impl Tx<'_> {
    /// Records attempts. A sent delivery is settled in any case, every other result only while the lease is
    /// the caller's. Recording an attempt twice counts once: a worker repeats the call when it lost the
    /// result of a commit.
    pub fn settle_webhooks(&mut self, settled: &[SettledWebhook]) -> Result<(), Error> {
        let erased = self.lock_erased(settled)?;
        let without_texts = |one: &SettledWebhook| SettledWebhook {
            error: one.error.as_ref().map(|_| String::new()),
            response: None,
            body: None,
            ..one.clone()
        };
        let settled: Vec<SettledWebhook> = settled
            .iter()
            .map(|one| {
                if erased.contains(&one.seq) {
                    without_texts(one)
                } else {
                    one.clone()
                }
            })
            .collect();
        let settled = settled.as_slice();
        let new = self.log_attempts(settled)?;
        let (mut rows, mut endpoints) = (Rows::new(), Rows::new());
        let mut endpoint_results: BTreeMap<WebhookEndpointRow, (Timestamp, bool, Option<&String>)> =
            BTreeMap::new();
        for one in settled {
            if one.made() && !new.contains(&(one.seq, one.attempt)) {
                continue;
            }
            let (state, due, ended, back) = match one.webhook_outcome {
                WebhookOutcome::Sent => ("sent", None, Some(one.at), false),
                WebhookOutcome::Postponed(until) => ("waiting", Some(until), None, false),
                WebhookOutcome::Dead => ("dead", None, Some(one.at), false),
                WebhookOutcome::Returned => ("waiting", None, None, true),
            };
            rows.push([
                one.seq.into(),
                one.attempt.into(),
                state.into(),
                due.into(),
                ended.into(),
                back.into(),
                one.body.as_ref().into(),
                due.map(|_| one.at).into(),
            ]);
            if back {
                continue;
            }
            // Of several attempts at one address, the last decides whether the address fails; any may disable it.
            let endpoint_result = endpoint_results
                .entry(one.endpoint)
                .or_insert((one.at, false, None));
            *endpoint_result = (
                one.at,
                one.webhook_outcome == WebhookOutcome::Sent,
                one.disable.as_ref().or(endpoint_result.2),
            );
        }
        for (endpoint, (at, sent, disable)) in &endpoint_results {
            endpoints.push([
                (*endpoint).into(),
                (*at).into(),
                (*sent).into(),
                (*disable).into(),
            ]);
        }
        let sql = "UPDATE webhook_deliveries SET state = c.column3, due_at = COALESCE(c.column4, due_at),
                       ended_at = c.column5, leased_until = NULL, leased_by = NULL,
                       attempts_before = attempts_before + c.column6, due_set_at = COALESCE(c.column8, due_set_at),
                       body = COALESCE(body, c.column7)
                   FROM (VALUES {rows}) AS c
                   WHERE webhook_deliveries.seq = c.column1 AND webhook_deliveries.state = 'waiting'
                       AND (c.column3 = 'sent' OR webhook_deliveries.attempts = c.column2)
                       AND (c.column6 = 0 OR webhook_deliveries.leased_until IS NOT NULL)";
        self.run_rows(sql, &[Int, Int, Text, Int, Int, Int, Text, Int], &rows)?;
        let sql = "UPDATE webhook_endpoints SET
                       failing_since = CASE WHEN c.column3 = 1 THEN NULL ELSE COALESCE(failing_since, c.column2) END,
                       disabled_at = CASE WHEN c.column4 IS NULL THEN disabled_at ELSE COALESCE(disabled_at, c.column2) END,
                       note = COALESCE(c.column4, note)
                   FROM (VALUES {rows}) AS c WHERE webhook_endpoints.seq = c.column1";
        self.run_rows(sql, &[Int, Int, Int, Text], &endpoints)
    }

    /// Locks the deliveries against an erasure of their folios; returns those whose folio was erased.
    fn lock_erased(&mut self, settled: &[SettledWebhook]) -> Result<HashSet<DeliveryRow>, Error> {
        let sql = "SELECT seq, erased FROM webhook_deliveries WHERE seq IN ({list}) ORDER BY seq{lock}";
        let seqs = settled.iter().map(|one| Param::from(one.seq));
        let found = self.query_in(sql, &[], seqs, |row| {
            Ok((row.get::<DeliveryRow>("seq")?, row.get::<bool>("erased")?))
        })?;
        Ok(found
            .into_iter()
            .filter_map(|(seq, erased)| erased.then_some(seq))
            .collect())
    }

    /// Inserts the attempts of deliveries that still exist; returns those that were new.
    fn log_attempts(&mut self, settled: &[SettledWebhook]) -> Result<HashSet<(DeliveryRow, i64)>, Error> {
        let made: Vec<&SettledWebhook> = settled.iter().filter(|one| one.made()).collect();
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
                one.response.as_ref().into(),
            ]);
        }
        let rows = self
            .dialect()
            .rows(&[Int, Int, Int, Int, Int, Text, Text], made.len(), 1);
        let sql = format!(
            "INSERT INTO webhook_attempts (delivery, number, at, millis, status, error, response)
             SELECT c.column1, c.column2, c.column3, c.column4, c.column5, c.column6, c.column7 FROM (VALUES {rows}) AS c
             WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.seq = c.column1)
             ON CONFLICT (delivery, number) DO NOTHING RETURNING delivery, number"
        );
        let new = self.query(&sql, &params, |row| {
            Ok((row.get::<DeliveryRow>("delivery")?, row.get::<i64>("number")?))
        })?;
        Ok(new.into_iter().collect())
    }

    /// Deletes deliveries that ended before that time, or have waited since then for a disabled endpoint,
    /// unless they are leased by the database's clock; up to `max` of each. Returns how many.
    pub fn delete_old_deliveries(
        &mut self,
        before: Timestamp,
        clock: Timestamp,
        max: usize,
    ) -> Result<usize, Error> {
        // A row that another transaction takes or settles is skipped.
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "SELECT seq FROM (
                 SELECT seq FROM webhook_deliveries WHERE ended_at < $1 ORDER BY ended_at LIMIT $2{skip}) AS ended
             UNION ALL SELECT seq FROM (
                 SELECT seq FROM webhook_deliveries
                 WHERE state = 'waiting' AND due_at < $1 AND (leased_until IS NULL OR leased_until <= $3)
                 ORDER BY due_at LIMIT $2{skip}) AS waiting"
        );
        let params = [before.into(), sql_int(max)?.into(), clock.into()];
        let old: Vec<DeliveryRow> = self.query(&sql, &params, only_column)?;
        for (table, column) in [("webhook_attempts", "delivery"), ("webhook_deliveries", "seq")] {
            let sql = format!("DELETE FROM {table} WHERE {column} IN ({{list}}) RETURNING {column}");
            let seqs = old.iter().map(|seq| Param::from(*seq));
            self.query_in(&sql, &[], seqs, |_| Ok(()))?;
        }
        Ok(old.len())
    }
}
