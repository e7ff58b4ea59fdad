//! Webhook deliveries: planned by the projector, taken on a lease by the webhook worker, settled.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::due_times::DueTimes;
use crate::queries::leases::{Lease, held};
use crate::rows::{DeliveryRow, FolioRow, WebhookEndpointRow};
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::{CompanyId, DeliveryId, Folio, Random, Timestamp, WantedKinds, WebhookKind};
use std::collections::HashMap;

/// An event of a folio that webhooks receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookEvent {
    /// Whose folio it is.
    pub company: CompanyId,
    /// The folio's number in the database.
    pub folio: FolioRow,
    /// What happened.
    pub kind: WebhookKind,
    /// The event of the folio's history.
    pub event: i64,
    /// When.
    pub at: Timestamp,
}

/// A delivery that was taken to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct LeasedWebhook {
    /// Its number.
    pub seq: DeliveryRow,
    /// Its identifier, the same at every attempt.
    pub id: DeliveryId,
    /// Which attempt this is, from 1. A failure is stored only if no later attempt has begun.
    pub attempt: i64,
    /// Attempts that do not count: released leases, and those before a manual resend.
    pub attempts_before: i64,
    /// The number of the address.
    pub endpoint: WebhookEndpointRow,
    /// Where to.
    pub address: String,
    /// The sealed secret, and the one before it while it is good.
    pub secrets: Vec<Vec<u8>>,
    /// Since when the address fails.
    pub failing_since: Option<Timestamp>,
    /// What happened.
    pub kind: String,
    /// The folio it is about, as it is now; `None` in a test event.
    pub folio: Option<Box<Folio>>,
    /// The event of the folio's history.
    pub event: Option<i64>,
    /// When it happened.
    pub happened_at: Timestamp,
    /// The body, once it is fixed.
    pub body: Option<String>,
}

impl std::fmt::Debug for LeasedWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("LeasedWebhook")
            .field("seq", &self.seq.0)
            .field("attempt", &self.attempt)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Endpoints to which something is sent. Of each, the first due delivery is looked up: the cost grows with the endpoints, not
/// with the deliveries that wait for disabled ones, nor with those that were settled and that an old snapshot keeps.
const ENABLED_ENDPOINTS: &str = "webhook_endpoints w WHERE w.disabled_at IS NULL AND w.removed_at IS NULL";

/// A delivery `d` that is due and not leased. What leases are judged by begins at $4; nothing became due before $7.
fn due_delivery() -> String {
    format!(
        "d.state = 'waiting' AND d.due_at <= $1 AND d.due_at >= $7 AND NOT {}",
        held("d", 4)
    )
}

impl Tx<'_> {
    /// Plans deliveries of events to the companies' endpoints, each of the kinds that the endpoint wants. One
    /// statement if no endpoint is enabled or wants any of them, otherwise two.
    pub fn plan_webhooks(
        &mut self,
        events: &[WebhookEvent],
        now: Timestamp,
        random: &mut dyn Random,
    ) -> Result<usize, Error> {
        let mut companies: Vec<CompanyId> = events.iter().map(|one| one.company).collect();
        companies.sort_unstable();
        companies.dedup();
        let sql = "SELECT company, seq, kinds FROM webhook_endpoints
                   WHERE company IN ({list}) AND disabled_at IS NULL AND removed_at IS NULL ORDER BY seq";
        let companies = companies.iter().map(|company| Param::from(company.0));
        let found = self.query_in(sql, &[], companies, |row| {
            Ok((
                CompanyId(row.get("company")?),
                (row.get("seq")?, row.get("kinds")?),
            ))
        })?;
        let mut listening: HashMap<CompanyId, Vec<(WebhookEndpointRow, WantedKinds)>> = HashMap::new();
        for (company, endpoint) in found {
            listening.entry(company).or_default().push(endpoint);
        }
        let planned: Vec<(DeliveryId, &WebhookEvent, WebhookEndpointRow)> = events
            .iter()
            .flat_map(|one| {
                let endpoints = listening.get(&one.company).map_or(&[][..], Vec::as_slice);
                let wanting = endpoints.iter().filter(move |(_, kinds)| kinds.wants(one.kind));
                wanting.map(move |(endpoint, _)| (one, *endpoint))
            })
            .map(|(one, endpoint)| (DeliveryId::random(random), one, endpoint))
            .collect();
        if planned.is_empty() {
            return Ok(0);
        }
        let mut rows = Rows::new();
        for (id, one, endpoint) in &planned {
            rows.push([
                id.into(),
                one.company.0.into(),
                (*endpoint).into(),
                one.kind.word().into(),
                one.folio.into(),
                one.event.into(),
                one.at.into(),
                now.into(),
                now.into(),
            ]);
        }
        self.run_rows(
            "INSERT INTO webhook_deliveries (id, company, endpoint, kind, folio, event, happened_at, created_at,
                 due_at) VALUES",
            &[Bytes, Int, Int, Text, Int, Int, Int, Int, Int],
            &rows,
        )?;
        Ok(planned.len())
    }

    /// Whether a delivery to an enabled endpoint is due.
    pub fn has_due_webhooks(&mut self, due: impl Into<DueTimes>) -> Result<bool, Error> {
        let DueTimes { from, now } = due.into();
        // Mostly there is none at all, and no endpoint is looked at.
        let any = "SELECT seq FROM webhook_deliveries
                   WHERE state = 'waiting' AND due_at <= $1 AND due_at >= $2 ORDER BY due_at LIMIT 1";
        if self
            .query_one(any, &[now.into(), from.into()], |_| Ok(()))?
            .is_none()
        {
            return Ok(false);
        }
        let sql = format!(
            "SELECT w.seq FROM {ENABLED_ENDPOINTS} AND (
                 SELECT d.due_at FROM webhook_deliveries d
                 WHERE d.endpoint = w.seq AND d.state = 'waiting' AND d.due_at <= $1 AND d.due_at >= $2
                 ORDER BY d.due_at LIMIT 1) IS NOT NULL LIMIT 1"
        );
        Ok(self
            .query_one(&sql, &[now.into(), from.into()], |_| Ok(()))?
            .is_some())
    }

    /// The number of deliveries of all companies that wait for enabled endpoints, and of endpoints that the service has
    /// disabled.
    pub fn webhooks_backlog(&mut self) -> Result<(i64, i64), Error> {
        // Without the sign SQLite would read all deliveries to these endpoints, those that were settled as well.
        let sql = "SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting' AND +endpoint IN (
                           SELECT seq FROM webhook_endpoints WHERE disabled_at IS NULL AND removed_at IS NULL))
                           AS waiting,
                       (SELECT COUNT(*) FROM webhook_endpoints WHERE note IS NOT NULL AND removed_at IS NULL)
                           AS disabled";
        let backlog = self.query_one(sql, &[], |row| Ok((row.get("waiting")?, row.get("disabled")?)))?;
        backlog.ok_or(Error::Corrupt("answer"))
    }

    /// Takes up to `limit` due deliveries on a lease: a few per endpoint, and none to those that are `busy`. A
    /// company has at most `share` leased deliveries, over all instances.
    pub fn take_webhooks(
        &mut self,
        due: impl Into<DueTimes>,
        lease: &Lease,
        limit: usize,
        share: usize,
        busy: &[WebhookEndpointRow],
    ) -> Result<Vec<LeasedWebhook>, Error> {
        let times = due.into();
        // Deliveries per endpoint: the other endpoints, also of the same company, get their part.
        let each = (share / 4).max(1);
        let mut taken = Vec::new();
        let mut on_their_way: HashMap<CompanyId, usize> = HashMap::new();
        for (endpoint, company, leased) in self.due_endpoints(times, lease, share, busy)? {
            if taken.len() >= limit {
                break;
            }
            let of_company = on_their_way.entry(company).or_insert(leased);
            let room = each
                .min(limit.saturating_sub(taken.len()))
                .min(share.saturating_sub(*of_company));
            if room > 0 {
                let seqs = self.lease_endpoint(endpoint, times, lease, room)?;
                *of_company += seqs.len();
                taken.extend(seqs);
            }
        }
        self.leased_webhooks(&taken, times.now)
    }

    /// The endpoints with due deliveries, longest waiting first, of companies below their share: each with
    /// its company and the number of that company's leased deliveries.
    fn due_endpoints(
        &mut self,
        times: DueTimes,
        lease: &Lease,
        share: usize,
        busy: &[WebhookEndpointRow],
    ) -> Result<Vec<(WebhookEndpointRow, CompanyId, usize)>, Error> {
        /// Endpoints that are read, to find some of several companies.
        const MAX_ENDPOINTS_SCANNED: i64 = 64;
        let (due, leased) = (due_delivery(), held("l", 4));
        let sql = format!(
            "SELECT t.seq, t.company, t.leased FROM (
                 SELECT w.seq, w.company,
                     (SELECT COUNT(*) FROM webhook_deliveries l
                      WHERE l.company = w.company AND {leased}) AS leased,
                     (SELECT d.due_at FROM webhook_deliveries d WHERE d.endpoint = w.seq AND {due}
                      ORDER BY d.due_at LIMIT 1) AS oldest
                 FROM {ENABLED_ENDPOINTS} AND w.seq NOT IN ({{list}})) AS t
             WHERE t.oldest IS NOT NULL AND t.leased < $2 ORDER BY t.oldest, t.seq LIMIT $3"
        );
        // No endpoint has the number 0: the list is never empty.
        let busy: Vec<Param<'_>> = busy
            .iter()
            .chain(&[WebhookEndpointRow::ZERO])
            .map(|seq| Param::from(*seq))
            .collect();
        let [clock, by, dead_before] = lease.clock_params();
        let scanned = MAX_ENDPOINTS_SCANNED.into();
        let fixed = [
            times.now.into(),
            sql_int(share)?.into(),
            scanned,
            clock,
            by,
            dead_before,
            times.from.into(),
        ];
        self.query_in(&sql, &fixed, busy.into_iter(), |row| {
            Ok((
                row.get("seq")?,
                CompanyId(row.get("company")?),
                row.get("leased")?,
            ))
        })
    }

    /// Leases due deliveries of an endpoint, oldest first.
    fn lease_endpoint(
        &mut self,
        endpoint: WebhookEndpointRow,
        times: DueTimes,
        lease: &Lease,
        max: usize,
    ) -> Result<Vec<DeliveryRow>, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let due = due_delivery();
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT d.seq FROM webhook_deliveries d WHERE d.endpoint = $3 AND {due}
                 ORDER BY d.due_at, d.seq LIMIT $8{skip})
             UPDATE webhook_deliveries SET leased_until = $2, leased_by = $5, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq"
        );
        let [clock, by, dead_before] = lease.clock_params();
        let (until, max) = (lease.until.into(), sql_int(max)?.into());
        let (now, from) = (times.now.into(), times.from.into());
        let params = [now, until, endpoint.into(), clock, by, dead_before, from, max];
        self.query(&sql, &params, only_column)
    }

    fn leased_webhooks(&mut self, seqs: &[DeliveryRow], now: Timestamp) -> Result<Vec<LeasedWebhook>, Error> {
        let sql = "SELECT d.seq, d.id, d.attempts, d.attempts_before, e.seq AS endpoint, e.address,
                       e.secret, CASE WHEN e.previous_until > $1 THEN e.previous_secret END AS previous_secret,
                       e.failing_since, d.kind, d.folio, d.event, d.happened_at, d.body
                   FROM webhook_deliveries d JOIN webhook_endpoints e ON e.seq = d.endpoint
                   WHERE d.seq IN ({list}) ORDER BY d.seq";
        let seqs = seqs.iter().map(|seq| Param::from(*seq));
        let taken = self.query_in(sql, &[now.into()], seqs, |row| {
            let secrets: [Option<Vec<u8>>; 2] = [row.get("secret")?, row.get("previous_secret")?];
            let leased = LeasedWebhook {
                seq: row.get("seq")?,
                id: row.get("id")?,
                attempt: row.get("attempts")?,
                attempts_before: row.get("attempts_before")?,
                endpoint: row.get("endpoint")?,
                address: row.get("address")?,
                secrets: secrets.into_iter().flatten().collect(),
                failing_since: row.get("failing_since")?,
                kind: row.get("kind")?,
                folio: None,
                event: row.get("event")?,
                happened_at: row.get("happened_at")?,
                body: row.get("body")?,
            };
            Ok((leased, row.get::<Option<FolioRow>>("folio")?))
        })?;
        let seqs: Vec<FolioRow> = taken.iter().filter_map(|(_, folio)| *folio).collect();
        let folios = self.folios_by_row(&seqs)?;
        let with_folio = |(mut leased, folio): (LeasedWebhook, Option<FolioRow>)| {
            let folio = folio.and_then(|seq| folios.iter().find(|stored| stored.seq == seq));
            leased.folio = folio.map(|stored| Box::new(stored.folio.clone()));
            leased
        };
        Ok(taken.into_iter().map(with_folio).collect())
    }
}
