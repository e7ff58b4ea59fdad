//! Webhook endpoints of companies, and their deliveries.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::rows::{DeliveryRow, WebhookEndpointRow};
use crate::tx::Tx;
use crate::value::{Column, FromColumn, Param, Row, only_column, sql_int};
use domain::{CompanyId, DeliveryId, FolioId, Timestamp, WantedKinds, WebhookId, WebhookKind};

/// A webhook endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRow {
    /// Its number.
    pub seq: WebhookEndpointRow,
    /// Its identifier.
    pub id: WebhookId,
    /// Where it is.
    pub address: String,
    /// Its purpose.
    pub label: String,
    /// The kinds of events that it gets.
    pub kinds: WantedKinds,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when it fails, without a success in between.
    pub failing_since: Option<Timestamp>,
    /// Since when nothing is sent there.
    pub disabled_at: Option<Timestamp>,
    /// Why the service disabled it.
    pub note: Option<String>,
    /// Until when messages are also signed with the secret before.
    pub previous_until: Option<Timestamp>,
}

/// A webhook endpoint to add.
#[derive(Debug, Clone, Copy)]
pub struct NewWebhook<'a> {
    /// Its identifier.
    pub id: WebhookId,
    /// Where it is.
    pub address: &'a str,
    /// Its purpose.
    pub label: &'a str,
    /// The kinds of events that it gets.
    pub kinds: &'a WantedKinds,
    /// The sealed secret.
    pub secret: &'a [u8],
    /// When.
    pub at: Timestamp,
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It waits to be sent, for the first time or again.
    Waiting,
    /// It arrived.
    Sent,
    /// It was given up.
    Dead,
}

/// A delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// Its number.
    pub seq: DeliveryRow,
    /// Its identifier.
    pub id: DeliveryId,
    /// Of what kind it is.
    pub kind: String,
    /// The folio it is about; `None` in a test event.
    pub folio: Option<FolioId>,
    /// Its state.
    pub state: DeliveryState,
    /// When it was planned.
    pub created_at: Timestamp,
    /// When it is tried next, while it waits.
    pub due_at: Timestamp,
    /// How often it was taken to be sent.
    pub attempts: i64,
}

/// A delivery with what is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct DeliveryDetails {
    /// The delivery.
    pub delivery: WebhookDelivery,
    /// Its endpoint.
    pub webhook: WebhookId,
    /// When the event happened.
    pub happened_at: Timestamp,
    /// The body, once it is fixed.
    pub body: Option<String>,
}

impl std::fmt::Debug for DeliveryDetails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The body has personal data: this may be logged.
        f.debug_struct("DeliveryDetails")
            .field("delivery", &self.delivery)
            .finish_non_exhaustive()
    }
}

/// Which deliveries of an endpoint are sent again together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// Those that were given up.
    Dead,
    /// Those that were planned after this place in the order of planning: all of a later time, and those of the
    /// same time with a higher number.
    After(Timestamp, DeliveryRow),
}

/// What is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// How many deliveries.
    pub queued: usize,
    /// The place of the last of them in the order of planning.
    pub last: Option<(Timestamp, DeliveryRow)>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRow {
    /// The delivery.
    pub delivery: DeliveryRow,
    /// Which attempt it was, from 1.
    pub number: i64,
    /// When.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: i64,
    /// The answer's status, where there was one.
    pub status: Option<i64>,
    /// Why it counts as a failure.
    pub error: Option<String>,
    /// The beginning of the response's body.
    pub response: Option<String>,
}

const WEBHOOKS: &str = "SELECT seq, id, address, label, kinds, created_at, failing_since, disabled_at, note,
                            previous_until
                        FROM webhook_endpoints WHERE company = $1 AND removed_at IS NULL";

impl Tx<'_> {
    /// Adds an address, unless the company has that many already.
    pub fn add_webhook(
        &mut self,
        company: CompanyId,
        new: &NewWebhook<'_>,
        max: usize,
    ) -> Result<bool, Error> {
        let row = self
            .dialect()
            .rows(&[Bytes, Int, Text, Text, Text, Bytes, Int], 1, 1);
        let sql = format!(
            "INSERT INTO webhook_endpoints (id, company, address, label, kinds, secret, created_at)
             SELECT * FROM (VALUES {row}) AS new WHERE (
                 SELECT COUNT(*) FROM webhook_endpoints WHERE company = $2 AND removed_at IS NULL) < $8"
        );
        let kinds = kinds_column(new.kinds);
        let params = [
            (&new.id).into(),
            company.0.into(),
            new.address.into(),
            new.label.into(),
            kinds.as_ref().into(),
            new.secret.into(),
            new.at.into(),
            sql_int(max)?.into(),
        ];
        Ok(self.execute(&sql, &params)? == 1)
    }

    /// The company's addresses, in the order in which they were added.
    pub fn webhooks(&mut self, company: CompanyId) -> Result<Vec<WebhookRow>, Error> {
        self.query(&format!("{WEBHOOKS} ORDER BY seq"), &[company.0.into()], webhook)
    }

    /// One of the company's addresses.
    pub fn webhook(&mut self, company: CompanyId, id: WebhookId) -> Result<Option<WebhookRow>, Error> {
        let sql = format!("{WEBHOOKS} AND id = $2");
        self.query_one(&sql, &[company.0.into(), (&id).into()], webhook)
    }

    /// Chooses the kinds of events that an endpoint gets; what is planned already is still sent. Whether there
    /// is such an endpoint.
    pub fn set_webhook_kinds(
        &mut self,
        company: CompanyId,
        id: WebhookId,
        kinds: &WantedKinds,
    ) -> Result<bool, Error> {
        let sql = "UPDATE webhook_endpoints SET kinds = $3
                   WHERE company = $1 AND id = $2 AND removed_at IS NULL";
        let kinds = kinds_column(kinds);
        let changed = self.execute(sql, &[company.0.into(), (&id).into(), kinds.as_ref().into()])?;
        Ok(changed == 1)
    }

    /// Has nothing sent to an address any more. Returns whether there is such an address.
    pub fn disable_webhook(
        &mut self,
        company: CompanyId,
        id: WebhookId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let sql = "UPDATE webhook_endpoints SET disabled_at = COALESCE(disabled_at, $3)
                   WHERE company = $1 AND id = $2 AND removed_at IS NULL";
        let changed = self.execute(sql, &[company.0.into(), (&id).into(), at.into()])?;
        Ok(changed == 1)
    }

    /// Enables an endpoint, and clears its failures; its waiting deliveries are sent from now on.
    pub fn enable_webhook(&mut self, company: CompanyId, id: WebhookId) -> Result<bool, Error> {
        let sql = "UPDATE webhook_endpoints SET disabled_at = NULL, note = NULL, failing_since = NULL
                   WHERE company = $1 AND id = $2 AND removed_at IS NULL";
        Ok(self.execute(sql, &[company.0.into(), (&id).into()])? == 1)
    }

    /// Removes an endpoint with its secrets; its waiting deliveries are given up.
    pub fn remove_webhook(
        &mut self,
        company: CompanyId,
        id: WebhookId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        // Deliveries before their endpoint, in the order of `settle_webhooks`: the other order could
        // deadlock.
        let sql = "UPDATE webhook_deliveries SET state = 'dead', ended_at = $3, leased_until = NULL, leased_by = NULL
                   WHERE state = 'waiting' AND endpoint IN (
                       SELECT seq FROM webhook_endpoints WHERE company = $1 AND id = $2 AND removed_at IS NULL)";
        let params = [company.0.into(), (&id).into(), at.into()];
        self.execute(sql, &params)?;
        let sql = "UPDATE webhook_endpoints SET removed_at = $3, secret = NULL, previous_secret = NULL
                   WHERE company = $1 AND id = $2 AND removed_at IS NULL";
        Ok(self.execute(sql, &params)? == 1)
    }

    /// Gives an address another secret; the one it has stays good until that time.
    pub fn rotate_webhook(
        &mut self,
        company: CompanyId,
        id: WebhookId,
        secret: &[u8],
        previous_until: Timestamp,
    ) -> Result<bool, Error> {
        let sql = "UPDATE webhook_endpoints SET previous_secret = secret, previous_until = $4, secret = $3
                   WHERE company = $1 AND id = $2 AND removed_at IS NULL";
        let params = [
            company.0.into(),
            (&id).into(),
            secret.into(),
            previous_until.into(),
        ];
        Ok(self.execute(sql, &params)? == 1)
    }

    /// The deliveries of an endpoint before a row number, newest first.
    pub fn deliveries_to(
        &mut self,
        company: CompanyId,
        id: WebhookId,
        before: DeliveryRow,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, Error> {
        let sql = "SELECT d.seq, d.id, d.kind, f.id AS folio, d.state, d.created_at, d.due_at, d.attempts
                   FROM webhook_deliveries d JOIN webhook_endpoints e ON e.seq = d.endpoint
                       LEFT JOIN folios f ON f.seq = d.folio
                   WHERE e.company = $1 AND e.id = $2 AND d.seq < $3 ORDER BY d.seq DESC LIMIT $4";
        let params = [
            company.0.into(),
            (&id).into(),
            before.into(),
            sql_int(limit)?.into(),
        ];
        self.query(sql, &params, delivery)
    }

    /// A delivery to one of the company's endpoints, with its body.
    pub fn delivery_details(
        &mut self,
        company: CompanyId,
        id: DeliveryId,
    ) -> Result<Option<DeliveryDetails>, Error> {
        let sql = "SELECT d.seq, d.id, d.kind, f.id AS folio, d.state, d.created_at, d.due_at, d.attempts,
                       e.id AS webhook, d.happened_at, d.body
                   FROM webhook_deliveries d JOIN webhook_endpoints e ON e.seq = d.endpoint
                       LEFT JOIN folios f ON f.seq = d.folio
                   WHERE d.company = $1 AND d.id = $2 AND e.removed_at IS NULL";
        self.query_one(sql, &[company.0.into(), (&id).into()], |row| {
            Ok(DeliveryDetails {
                delivery: delivery(row)?,
                webhook: row.get("webhook")?,
                happened_at: row.get("happened_at")?,
                body: row.get("body")?,
            })
        })
    }

    /// How these messages of the company were last tried, in order, at most so often each.
    pub fn attempts_at(
        &mut self,
        company: CompanyId,
        deliveries: &[DeliveryRow],
        max: usize,
    ) -> Result<Vec<AttemptRow>, Error> {
        let sql = "SELECT a.delivery, a.number, a.at, a.millis, a.status, a.error, a.response
                   FROM webhook_attempts a JOIN webhook_deliveries d ON d.seq = a.delivery
                   WHERE d.company = $1 AND a.number > d.attempts - $2 AND a.delivery IN ({list})
                   ORDER BY a.delivery, a.number";
        let deliveries = deliveries.iter().map(|seq| Param::from(*seq));
        self.query_in(
            sql,
            &[company.0.into(), sql_int(max)?.into()],
            deliveries,
            |row| {
                Ok(AttemptRow {
                    delivery: row.get("delivery")?,
                    number: row.get("number")?,
                    at: row.get("at")?,
                    millis: row.get("millis")?,
                    status: row.get("status")?,
                    error: row.get("error")?,
                    response: row.get("response")?,
                })
            },
        )
    }

    /// Makes a delivery due now; one that was sent or given up gets all its attempts again. Returns its
    /// endpoint, or none if there is no such delivery or its endpoint is disabled.
    pub fn resend_delivery(
        &mut self,
        company: CompanyId,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<WebhookId>, Error> {
        let sql = "SELECT e.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.seq = d.endpoint
                   WHERE d.company = $1 AND d.id = $2 AND e.removed_at IS NULL AND e.disabled_at IS NULL";
        let Some(webhook) = self.query_one(sql, &[company.0.into(), (&id).into()], only_column)? else {
            return Ok(None);
        };
        let sql =
            "UPDATE webhook_deliveries SET state = 'waiting', due_at = $3, due_set_at = $3, ended_at = NULL,
                       attempts_before = CASE WHEN state = 'waiting' THEN attempts_before ELSE attempts END
                   WHERE company = $1 AND id = $2";
        self.execute(sql, &[company.0.into(), (&id).into(), now.into()])?;
        Ok(Some(webhook))
    }

    /// Makes up to `max` deliveries of an endpoint due now, in the order of planning, like
    /// [`Self::resend_delivery`]; leaves out those that are due already. None if there is no such endpoint or it
    /// is disabled. Two statements.
    pub fn replay_deliveries(
        &mut self,
        company: CompanyId,
        id: WebhookId,
        which: Replay,
        max: usize,
        now: Timestamp,
    ) -> Result<Option<Replayed>, Error> {
        let sql = "SELECT seq FROM webhook_endpoints
                   WHERE company = $1 AND id = $2 AND removed_at IS NULL AND disabled_at IS NULL";
        let endpoint = self.query_one(sql, &[company.0.into(), (&id).into()], only_column)?;
        let Some(endpoint): Option<WebhookEndpointRow> = endpoint else {
            return Ok(None);
        };
        let (state, (time, seq)) = match which {
            Replay::Dead => ("d.state = 'dead'", (Timestamp::from_micros(0), DeliveryRow::ZERO)),
            Replay::After(time, seq) => ("(d.state <> 'waiting' OR d.due_at > $1)", (time, seq)),
        };
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "WITH chosen AS MATERIALIZED (
                 SELECT d.seq FROM webhook_deliveries d
                 WHERE d.endpoint = $2 AND {state} AND (d.created_at, d.seq) > ($3, $4)
                 ORDER BY d.created_at, d.seq LIMIT $5{skip})
             UPDATE webhook_deliveries SET state = 'waiting', due_at = $1, due_set_at = $1, ended_at = NULL,
                 attempts_before = CASE WHEN state = 'waiting' THEN attempts_before ELSE attempts END
             WHERE seq IN (SELECT seq FROM chosen) RETURNING created_at, seq"
        );
        let params = [
            now.into(),
            endpoint.into(),
            time.into(),
            seq.into(),
            sql_int(max)?.into(),
        ];
        let queued: Vec<(Timestamp, DeliveryRow)> =
            self.query(&sql, &params, |row| Ok((row.get("created_at")?, row.get("seq")?)))?;
        Ok(Some(Replayed {
            queued: queued.len(),
            last: queued.into_iter().max(),
        }))
    }

    /// Plans a test delivery; returns whether there is such an endpoint.
    pub fn queue_test_delivery(
        &mut self,
        company: CompanyId,
        webhook: WebhookId,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let row = self.dialect().rows(&[Bytes, Int], 1, 3);
        let sql = format!(
            "INSERT INTO webhook_deliveries (id, company, endpoint, kind, happened_at, created_at, due_at)
             SELECT new.column1, e.company, e.seq, 'webhook.test', new.column2, new.column2, new.column2
             FROM webhook_endpoints e, (VALUES {row}) AS new
             WHERE e.company = $1 AND e.id = $2 AND e.removed_at IS NULL AND e.disabled_at IS NULL"
        );
        let params = [company.0.into(), (&webhook).into(), (&id).into(), now.into()];
        Ok(self.execute(&sql, &params)? == 1)
    }
}

fn webhook(row: &Row<'_>) -> Result<WebhookRow, Error> {
    Ok(WebhookRow {
        seq: row.get("seq")?,
        id: row.get("id")?,
        address: row.get("address")?,
        label: row.get("label")?,
        kinds: row.get("kinds")?,
        created_at: row.get("created_at")?,
        failing_since: row.get("failing_since")?,
        disabled_at: row.get("disabled_at")?,
        note: row.get("note")?,
        previous_until: row.get("previous_until")?,
    })
}

fn delivery(row: &Row<'_>) -> Result<WebhookDelivery, Error> {
    let state = match row.get::<String>("state")?.as_str() {
        "waiting" => DeliveryState::Waiting,
        "sent" => DeliveryState::Sent,
        "dead" => DeliveryState::Dead,
        _ => return Err(Error::Corrupt("state")),
    };
    Ok(WebhookDelivery {
        seq: row.get("seq")?,
        id: row.get("id")?,
        kind: row.get("kind")?,
        folio: row.get("folio")?,
        state,
        created_at: row.get("created_at")?,
        due_at: row.get("due_at")?,
        attempts: row.get("attempts")?,
    })
}

/// Kinds as their column has them.
fn kinds_column(kinds: &WantedKinds) -> Option<String> {
    match kinds {
        WantedKinds::All => None,
        WantedKinds::Only(kinds) => {
            let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
            Some(words.join(" "))
        }
    }
}

impl FromColumn for WantedKinds {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        let Some(text) = Option::<String>::from_column(column)? else {
            return Ok(Self::All);
        };
        let kinds: Result<Vec<WebhookKind>, _> = text.split(' ').map(str::parse).collect();
        kinds.map(Self::Only).map_err(|_| Error::Corrupt("kinds"))
    }
}
