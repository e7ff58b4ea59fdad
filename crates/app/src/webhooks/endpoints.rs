//! A company's webhooks: their addresses, secrets, delivery log and test events.

use crate::panel::{AuditAct, PanelActor};
use crate::{App, Error, SystemRandom};
use data_encoding::BASE64;
use domain::{CompanyId, DeliveryId, Random, Timestamp, WantedKinds, WebhookId};
use std::collections::HashMap;
use std::time::Duration;
use store::{
    AttemptRow, DeliveryDetails, DeliveryRow, NewWebhook, Replay, Replayed, Tx, WebhookDelivery, WebhookRow,
};
use url::Url;

/// Addresses of one company.
pub const MAX_WEBHOOKS: usize = 10;
/// Deliveries that one replay sends again, at most.
pub const MAX_REPLAYED: usize = 1_000;
/// How long messages are signed with the secret before, too.
const SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// How long deliveries are kept.
const DELIVERY_RETENTION: Duration = Duration::from_hours(24 * 30);
/// Deliveries deleted in one transaction.
const DELETE_BATCH: usize = 500;

pub(crate) const PURPOSE: &str = "webhook";

/// The deliveries of a webhook, with every attempt.
#[derive(Debug, Clone)]
pub struct DeliveryLog {
    /// The deliveries, newest first.
    pub deliveries: Vec<WebhookDelivery>,
    /// The attempts at each, by its number.
    pub attempts: HashMap<DeliveryRow, Vec<AttemptRow>>,
}

/// A secret as a receiver needs it, shown once.
pub struct WebhookSecret(String);

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

impl WebhookSecret {
    /// The text to hand over.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Who manages a company's webhooks: one of its users, whose acts are audited, or the operator.
#[derive(Debug, Clone)]
pub struct WebhookManager {
    company: CompanyId,
    actor: Option<PanelActor>,
}

impl From<PanelActor> for WebhookManager {
    fn from(actor: PanelActor) -> Self {
        Self {
            company: actor.user.company,
            actor: Some(actor),
        }
    }
}

impl From<CompanyId> for WebhookManager {
    fn from(company: CompanyId) -> Self {
        Self { company, actor: None }
    }
}

impl WebhookManager {
    fn record_act(&self, tx: &mut Tx<'_>, act: AuditAct, detail: &str, now: Timestamp) -> Result<(), Error> {
        match &self.actor {
            Some(actor) => actor.record_act(tx, act, detail, now),
            None => Ok(()),
        }
    }
}

impl App {
    /// Adds a webhook; `None` if the company has as many as it may.
    pub async fn add_webhook(
        &self,
        manager: impl Into<WebhookManager>,
        address: Url,
        label: String,
        kinds: WantedKinds,
    ) -> Result<Option<(WebhookId, WebhookSecret)>, Error> {
        let (manager, now) = (manager.into(), self.clock.now());
        let (secret, sealed) = self.new_secret();
        let id = WebhookId::random(&mut SystemRandom);
        let added = self.store.write_retryable(move |tx| {
            let new = NewWebhook {
                id,
                address: address.as_str(),
                label: &label,
                kinds: &kinds,
                secret: &sealed,
                at: now,
            };
            let added = tx.add_webhook(manager.company, &new, MAX_WEBHOOKS)?;
            if added {
                let detail = match kinds {
                    WantedKinds::All => address.to_string(),
                    WantedKinds::Only(_) => format!("{address} ({})", kinds_detail(&kinds)),
                };
                manager.record_act(tx, AuditAct::WebhookAdded, &detail, now)?;
            }
            Ok::<_, Error>(added)
        });
        Ok(added.await?.then_some((id, secret)))
    }

    /// The company's addresses.
    pub async fn webhooks(&self, company: CompanyId) -> Result<Vec<WebhookRow>, Error> {
        Ok(self.store.read(move |tx| tx.webhooks(company)).await?)
    }

    /// One of them.
    pub async fn webhook(&self, company: CompanyId, id: WebhookId) -> Result<WebhookRow, Error> {
        let found = self.store.read(move |tx| tx.webhook(company, id)).await?;
        found.ok_or(Error::NotFound)
    }

    /// A webhook with its deliveries before that number, newest first.
    pub async fn webhook_log(
        &self,
        company: CompanyId,
        id: WebhookId,
        before: Option<DeliveryRow>,
        limit: usize,
        attempts_each: usize,
    ) -> Result<(WebhookRow, DeliveryLog), Error> {
        self.store
            .read(move |tx| {
                let webhook = tx.webhook(company, id)?.ok_or(Error::NotFound)?;
                let deliveries = tx.deliveries_to(company, id, before.unwrap_or(DeliveryRow::MAX), limit)?;
                let seqs: Vec<DeliveryRow> = deliveries.iter().map(|one| one.seq).collect();
                let mut attempts: HashMap<DeliveryRow, Vec<AttemptRow>> = HashMap::new();
                for attempt in tx.attempts_at(company, &seqs, attempts_each)? {
                    attempts.entry(attempt.delivery).or_default().push(attempt);
                }
                Ok((webhook, DeliveryLog { deliveries, attempts }))
            })
            .await
    }

    /// A delivery with its body, its webhook, and the last attempts at it.
    pub async fn webhook_delivery(
        &self,
        company: CompanyId,
        id: DeliveryId,
        max_attempts: usize,
    ) -> Result<(WebhookRow, DeliveryDetails, Vec<AttemptRow>), Error> {
        self.store
            .read(move |tx| {
                let details = tx.delivery_details(company, id)?.ok_or(Error::NotFound)?;
                let webhook = tx.webhook(company, details.webhook)?.ok_or(Error::NotFound)?;
                let attempts = tx.attempts_at(company, &[details.delivery.seq], max_attempts)?;
                Ok((webhook, details, attempts))
            })
            .await
    }

    /// Disables or enables a webhook.
    pub async fn set_webhook_enabled(
        &self,
        manager: impl Into<WebhookManager>,
        id: WebhookId,
        enabled: bool,
    ) -> Result<(), Error> {
        self.change_webhook(manager.into(), id, move |tx, company, now| {
            let what = if enabled {
                tx.enable_webhook(company, id)?;
                "enabled"
            } else {
                tx.disable_webhook(company, id, now)?;
                "disabled"
            };
            Ok((AuditAct::WebhookChanged, Some(what.to_owned())))
        })
        .await
    }

    /// Chooses the kinds of events that a webhook gets from now on.
    pub async fn set_webhook_kinds(
        &self,
        manager: impl Into<WebhookManager>,
        id: WebhookId,
        kinds: WantedKinds,
    ) -> Result<(), Error> {
        self.change_webhook(manager.into(), id, move |tx, company, _| {
            tx.set_webhook_kinds(company, id, &kinds)?;
            Ok((AuditAct::WebhookChanged, Some(kinds_detail(&kinds))))
        })
        .await
    }

    /// Removes an address.
    pub async fn remove_webhook(
        &self,
        manager: impl Into<WebhookManager>,
        id: WebhookId,
    ) -> Result<(), Error> {
        self.change_webhook(manager.into(), id, move |tx, company, now| {
            tx.remove_webhook(company, id, now)?;
            Ok((AuditAct::WebhookRemoved, None))
        })
        .await
    }

    /// Gives an address another secret; the one before stays good for a day.
    pub async fn rotate_webhook_secret(
        &self,
        manager: impl Into<WebhookManager>,
        id: WebhookId,
    ) -> Result<WebhookSecret, Error> {
        let (secret, sealed) = self.new_secret();
        self.change_webhook(manager.into(), id, move |tx, company, now| {
            tx.rotate_webhook(company, id, &sealed, now.after(SECRET_OVERLAP))?;
            Ok((AuditAct::WebhookChanged, Some("secret".to_owned())))
        })
        .await?;
        Ok(secret)
    }

    /// Sends a test event.
    pub async fn try_webhook(&self, manager: impl Into<WebhookManager>, id: WebhookId) -> Result<(), Error> {
        let delivery = DeliveryId::random(&mut SystemRandom);
        self.change_webhook(manager.into(), id, move |tx, company, now| {
            if !tx.queue_test_delivery(company, id, delivery, now)? {
                return Err(Error::NotFound);
            }
            Ok((AuditAct::WebhookTested, None))
        })
        .await
    }

    /// Sends a delivery now: again, if it arrived or was given up. Returns its webhook.
    pub async fn resend_webhook(
        &self,
        manager: impl Into<WebhookManager>,
        delivery: DeliveryId,
    ) -> Result<WebhookId, Error> {
        let (manager, now) = (manager.into(), self.clock.now());
        let again = self.store.write_retryable(move |tx| {
            let sent = tx.resend_delivery(manager.company, delivery, now)?;
            let id = sent.ok_or(Error::NotFound)?;
            let webhook = tx.webhook(manager.company, id)?.ok_or(Error::NotFound)?;
            let detail = format!("{} ({delivery})", webhook.address);
            manager.record_act(tx, AuditAct::WebhookResent, &detail, now)?;
            Ok::<_, Error>(id)
        });
        let webhook = again.await?;
        self.wakeups.webhooks.notify();
        Ok(webhook)
    }

    /// Sends many deliveries of a webhook again, the oldest first, at most [`MAX_REPLAYED`].
    pub async fn replay_webhook(
        &self,
        manager: impl Into<WebhookManager>,
        id: WebhookId,
        which: Replay,
    ) -> Result<Replayed, Error> {
        let (manager, now) = (manager.into(), self.clock.now());
        let replay = self.store.write_retryable(move |tx| {
            let webhook = tx.webhook(manager.company, id)?.ok_or(Error::NotFound)?;
            let replayed = tx.replay_deliveries(manager.company, id, which, MAX_REPLAYED, now)?;
            let replayed = replayed.ok_or(Error::NotFound)?;
            if replayed.queued > 0 {
                let detail = format!(
                    "{} ({}: {})",
                    webhook.address,
                    replay_detail(which),
                    replayed.queued
                );
                manager.record_act(tx, AuditAct::WebhookReplayed, &detail, now)?;
            }
            Ok::<_, Error>(replayed)
        });
        let replayed = replay.await?;
        self.wakeups.webhooks.notify();
        Ok(replayed)
    }

    /// Changes a webhook, and records the act that `change` returns in the audit log, with a detail if there is one.
    async fn change_webhook(
        &self,
        manager: WebhookManager,
        id: WebhookId,
        change: impl Fn(&mut Tx<'_>, CompanyId, Timestamp) -> Result<(AuditAct, Option<String>), Error>
        + Send
        + 'static,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let changed = self.store.write_retryable(move |tx| {
            let webhook = tx.webhook(manager.company, id)?.ok_or(Error::NotFound)?;
            let (act, what) = change(tx, manager.company, now)?;
            let detail = match what {
                Some(what) => format!("{} ({what})", webhook.address),
                None => webhook.address,
            };
            manager.record_act(tx, act, &detail, now)
        });
        changed.await?;
        self.wakeups.webhooks.notify();
        Ok(())
    }

    /// The secret that was sealed.
    pub fn open_webhook_secret(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        self.webhook_secrets.open(PURPOSE, sealed)
    }

    /// Deletes deliveries past their retention.
    pub(crate) async fn delete_old_deliveries(&self) -> Result<usize, Error> {
        let now = self.clock.now();
        let mut all = 0;
        loop {
            let deleted = self.store.write(move |tx| {
                let clock = tx.database_clock()?;
                tx.delete_old_deliveries(now.before(DELIVERY_RETENTION), clock, DELETE_BATCH)
            });
            let deleted = deleted.await?;
            all += deleted;
            if deleted == 0 {
                return Ok(all);
            }
        }
    }

    fn new_secret(&self) -> (WebhookSecret, Vec<u8>) {
        let mut bytes = [0; 32];
        SystemRandom.fill(&mut bytes);
        let secret = WebhookSecret(format!("whsec_{}", BASE64.encode(&bytes)));
        (secret, self.webhook_secrets.seal(PURPOSE, &bytes))
    }
}

/// Kinds as the audit log has them.
fn kinds_detail(kinds: &WantedKinds) -> String {
    let words = match kinds {
        WantedKinds::All => "all".to_owned(),
        WantedKinds::Only(kinds) => {
            let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
            words.join(", ")
        }
    };
    format!("kinds: {words}")
}

/// What is sent again, as the audit log has it.
fn replay_detail(which: Replay) -> String {
    match which {
        Replay::Dead => "dead".to_owned(),
        Replay::After(time, _) => {
            let time = jiff::Timestamp::from_microsecond(time.as_micros()).unwrap_or_default();
            format!("since {time:.0}")
        }
    }
}
