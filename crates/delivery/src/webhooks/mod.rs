//! The webhook worker: sends webhook events by the Standard Webhooks scheme.
//!
//! Events are in the database; any number of instances lease them. An event is the same at every attempt
//! and may arrive more than once; its identifier shows that.

mod connector;
mod payload;
mod retry_schedule;
mod send;
pub mod signature;

pub(crate) use connector::PublicOnly;

use crate::lease_worker::{LeaseSettings, LeaseWorker, LeasedWork, SETTLE_TIMEOUT, UnderWay};
use app::workers::queue_position::QueuePosition;
use app::{App, Heartbeat, Wakeup};
use jiff::tz::TimeZone;
use send::{RequestOutcome, WebhookClient};
use std::sync::Arc;
use std::time::Duration;
use store::{LeasedWebhook, Queue, SettledWebhook, WebhookOutcome};

/// Settings of the webhook worker.
#[derive(Debug, Clone, Copy)]
pub struct WebhookWorkerSettings {
    /// How long an instance leases an event: longer than any attempt.
    pub lease: Duration,
    /// How long a receiver may take, from the name to the end of the answer.
    pub attempt: Duration,
    /// How often it looks for due events without a wakeup.
    pub poll: Duration,
    /// Events that are sent at the same time.
    pub parallel: usize,
    /// How long attempts under way may take after the order to stop.
    pub shutdown_timeout: Duration,
    /// How long the database may take after that to record the last outcomes.
    pub settle_timeout: Duration,
}

impl Default for WebhookWorkerSettings {
    fn default() -> Self {
        Self {
            lease: Duration::from_mins(2),
            attempt: Duration::from_secs(15),
            poll: Duration::from_secs(3),
            parallel: 16,
            shutdown_timeout: Duration::from_secs(10),
            settle_timeout: SETTLE_TIMEOUT,
        }
    }
}

/// A running webhook worker.
#[derive(Debug)]
pub struct WebhookWorker(LeaseWorker);

impl WebhookWorker {
    /// Starts it; the dates of folios in webhook events are in that zone. Needs a tokio runtime.
    pub fn start(app: App, zone: TimeZone, settings: WebhookWorkerSettings) -> Result<Self, rustls::Error> {
        let client = WebhookClient::new(app.policy.webhooks.clone(), settings.attempt)?;
        Ok(Self::start_with(client, app, zone, settings))
    }

    /// The same in a simulation.
    #[cfg(feature = "simulation")]
    pub fn start_simulated(
        app: App,
        zone: TimeZone,
        settings: WebhookWorkerSettings,
        world: Arc<dyn crate::simulated::World>,
    ) -> Self {
        let client = WebhookClient::simulated(app.policy.webhooks.clone(), settings.attempt, world);
        Self::start_with(client, app, zone, settings)
    }

    fn start_with(client: WebhookClient, app: App, zone: TimeZone, settings: WebhookWorkerSettings) -> Self {
        let lease_settings = LeaseSettings {
            lease: settings.lease,
            attempt: settings.attempt,
            poll: settings.poll,
            shutdown_timeout: settings.shutdown_timeout,
            settle_timeout: settings.settle_timeout,
        };
        let webhooks = Webhooks {
            app,
            zone,
            settings,
            client,
            position: QueuePosition::start(Queue::Webhooks),
        };
        Self(LeaseWorker::start(webhooks, lease_settings))
    }

    /// Finishes what is under way and gives back the rest, unless the database does not take it in time.
    pub async fn stop(self) {
        self.0.stop().await;
    }
}

struct Webhooks {
    app: App,
    zone: TimeZone,
    settings: WebhookWorkerSettings,
    client: WebhookClient,
    position: QueuePosition,
}

impl LeasedWork for Webhooks {
    type Row = LeasedWebhook;
    type Outcome = SettledWebhook;
    type Settled = Vec<SettledWebhook>;

    const NAME: &'static str = "webhook worker";

    fn row_number(leased: &LeasedWebhook) -> i64 {
        leased.seq.0
    }

    fn wakeup(&self) -> &Wakeup {
        &self.app.wakeups.webhooks
    }

    fn heartbeat(&self) -> &Heartbeat {
        &self.app.heartbeat
    }

    async fn take(
        &self,
        under_way: &UnderWay<LeasedWebhook>,
    ) -> Result<Vec<Vec<LeasedWebhook>>, store::Error> {
        let room = self.settings.parallel.saturating_sub(under_way.len());
        if room == 0 {
            return Ok(Vec::new());
        }
        let store = &self.app.store;
        let due = self.position.due_times(store, self.app.clock.now()).await?;
        if !store.read(move |tx| tx.has_due_webhooks(due)).await? {
            return Ok(Vec::new());
        }
        let (heartbeat, length) = (self.app.heartbeat.clone(), self.settings.lease);
        // Half of the room at the most is one company's, however long its receivers take.
        let share = (self.settings.parallel / 2).max(1);
        let busy: Vec<store::WebhookEndpointRow> = under_way
            .values()
            .flatten()
            .map(|leased| leased.endpoint)
            .collect();
        let taken = store.write(move |tx| {
            let lease = heartbeat.lease(tx, length)?;
            tx.take_webhooks(due, &lease, room, share, &busy)
        });
        Ok(taken.await?.into_iter().map(|leased| vec![leased]).collect())
    }

    async fn attempt(&self, leased: &LeasedWebhook) -> SettledWebhook {
        let begun = tokio::time::Instant::now();
        let (body, outcome) = match payload::body(leased, &self.zone) {
            Ok(body) => {
                let outcome = self.client.send(&self.app, leased, &body).await;
                (Some(body), outcome)
            }
            Err(error) => {
                tracing::error!(%error, seq = leased.seq.0, "the body of a webhook event cannot be written");
                (None, RequestOutcome::failed("its text cannot be written"))
            }
        };
        let millis = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        let at = self.app.clock.now();
        let (webhook_outcome, disable) =
            retry_schedule::next_attempt(leased, &outcome, at, &mut app::SystemRandom);
        SettledWebhook {
            seq: leased.seq,
            attempt: leased.attempt,
            endpoint: leased.endpoint,
            at,
            millis,
            status: outcome.status.map(i64::from),
            error: outcome.error,
            response: outcome.response,
            body,
            webhook_outcome,
            disable: disable.map(str::to_owned),
        }
    }

    fn settled(&self, reports: Vec<(LeasedWebhook, Option<SettledWebhook>)>) -> Vec<SettledWebhook> {
        let at = self.app.clock.now();
        let given_back = |leased: LeasedWebhook| SettledWebhook {
            seq: leased.seq,
            attempt: leased.attempt,
            endpoint: leased.endpoint,
            at,
            millis: 0,
            status: None,
            error: None,
            response: None,
            body: None,
            webhook_outcome: WebhookOutcome::Returned,
            disable: None,
        };
        let settled = |(leased, attempted): (LeasedWebhook, Option<SettledWebhook>)| {
            attempted.unwrap_or_else(|| given_back(leased))
        };
        reports.into_iter().map(settled).collect()
    }

    async fn write(&self, settled: Arc<Vec<SettledWebhook>>) -> Result<(), store::Error> {
        let store = &self.app.store;
        store.write(move |tx| tx.settle_webhooks(&settled)).await
    }
}
