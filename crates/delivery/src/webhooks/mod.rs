//! The webhook worker: sends webhook events by the Standard Webhooks scheme.
//!
//! Events are in the database; any number of instances lease them. A message is the same at every attempt
//! and may arrive more than once; its identifier shows that.

mod connector;
mod payload;
mod retry_schedule;
mod send;
pub mod signature;

use crate::shutdown::stop_requested;
use app::App;
use jiff::tz::TimeZone;
use send::{RequestOutcome, WebhookClient};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::{DeliveryRow, LeasedWebhook, SettledWebhook, WebhookEndpointRow, WebhookOutcome};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// Settings of the webhook worker.
#[derive(Debug, Clone, Copy)]
pub struct WebhookWorkerSettings {
    /// How long an instance leases a message: longer than any attempt.
    pub lease: Duration,
    /// How often it looks for what others planned.
    pub poll: Duration,
    /// Messages on their way at once.
    pub parallel: usize,
    /// How long what is under way may go on after the order to stop.
    pub shutdown_timeout: Duration,
}

impl Default for WebhookWorkerSettings {
    fn default() -> Self {
        Self {
            lease: Duration::from_mins(2),
            poll: Duration::from_secs(3),
            parallel: 16,
            shutdown_timeout: Duration::from_secs(10),
        }
    }
}

/// How long to wait before a database is asked again, at the most.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(5);

/// A running webhook worker.
#[derive(Debug)]
pub struct WebhookWorker {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    shutdown_timeout: Duration,
}

impl WebhookWorker {
    /// Starts it; folios are told with their dates in that zone. Needs a tokio runtime.
    pub fn start(app: App, zone: TimeZone, settings: WebhookWorkerSettings) -> Result<Self, rustls::Error> {
        let (stop, stopping) = watch::channel(false);
        let client = WebhookClient::new(app.policy.webhooks.clone())?;
        let webhook_loop = WebhookLoop {
            app,
            zone,
            settings,
            client: Arc::new(client),
            under_way: JoinSet::new(),
            taken: HashMap::new(),
        };
        Ok(Self {
            stop,
            task: tokio::spawn(webhook_loop.run(stopping)),
            shutdown_timeout: settings.shutdown_timeout + MAX_RETRY_PAUSE,
        })
    }

    /// Finishes what is under way and gives back the rest, unless the database does not take it in time.
    pub async fn stop(mut self) {
        // Without a receiver the worker has ended already.
        let _ = self.stop.send(true);
        match tokio::time::timeout(self.shutdown_timeout, &mut self.task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the webhooks' courier ended badly"),
            Err(_) => {
                self.task.abort();
                tracing::error!("the database did not take what came of the last webhooks");
            }
        }
    }
}

struct WebhookLoop {
    app: App,
    zone: TimeZone,
    settings: WebhookWorkerSettings,
    client: Arc<WebhookClient>,
    under_way: JoinSet<SettledWebhook>,
    /// What was taken and not settled yet: message, attempt and address.
    taken: HashMap<DeliveryRow, (i64, WebhookEndpointRow)>,
}

impl WebhookLoop {
    async fn run(mut self, mut stopping: watch::Receiver<bool>) {
        let wakeup = self.app.wakeups.webhooks.clone();
        loop {
            self.take().await;
            tokio::select! {
                Some(ended) = self.under_way.join_next() => self.note(ended).await,
                () = wakeup.notified() => {}
                () = tokio::time::sleep(self.settings.poll) => {}
                () = stop_requested(&mut stopping) => break,
            }
        }
        self.finish().await;
    }

    async fn take(&mut self) {
        let room = self.settings.parallel.saturating_sub(self.under_way.len());
        if room == 0 {
            return;
        }
        let now = self.app.clock.now();
        match self.app.store.read(move |tx| tx.has_due_webhooks(now)).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(%error, "whether webhooks are to be told anything is not known");
                return;
            }
        }
        let until = now.after(self.settings.lease);
        // Half of the room at the most is one company's, however long its receivers take.
        let share = (self.settings.parallel / 2).max(1);
        let busy: Vec<WebhookEndpointRow> = self.taken.values().map(|(_, endpoint)| *endpoint).collect();
        let taken = self
            .app
            .store
            .write(move |tx| tx.take_webhooks(now, until, room, share, &busy));
        let leased_rows = match taken.await {
            Ok(leased_rows) => leased_rows,
            Err(error) => {
                tracing::warn!(%error, "what webhooks are to be told cannot be read");
                return;
            }
        };
        for leased in leased_rows {
            self.taken.insert(leased.seq, (leased.attempt, leased.endpoint));
            let attempt = attempt(self.app.clone(), self.zone.clone(), self.client.clone(), leased);
            self.under_way.spawn(attempt);
        }
    }

    /// Writes down what came of an attempt, and of those that ended meanwhile.
    async fn note(&mut self, ended: Result<SettledWebhook, tokio::task::JoinError>) {
        let mut attempted = Vec::new();
        let mut next = Some(ended);
        while let Some(ended) = next {
            match ended {
                Ok(one) => {
                    self.taken.remove(&one.seq);
                    attempted.push(one);
                }
                Err(error) => tracing::error!(%error, "telling a webhook ended badly"),
            }
            next = self.under_way.try_join_next();
        }
        // A message whose task panicked is leased again after its lease ends.
        if self.under_way.is_empty() {
            self.taken.clear();
        }
        settle(&self.app, attempted).await;
    }

    async fn finish(mut self) {
        let mut attempted = Vec::new();
        let all = async {
            while let Some(ended) = self.under_way.join_next().await {
                attempted.extend(ended.ok());
            }
        };
        if tokio::time::timeout(self.settings.shutdown_timeout, all)
            .await
            .is_err()
        {
            tracing::warn!("webhooks were still being told after the time to finish");
        }
        for one in &attempted {
            self.taken.remove(&one.seq);
        }
        let at = self.app.clock.now();
        attempted.extend(
            self.taken
                .iter()
                .map(|(seq, (attempt, endpoint))| SettledWebhook {
                    seq: *seq,
                    attempt: *attempt,
                    endpoint: *endpoint,
                    at,
                    millis: 0,
                    status: None,
                    error: None,
                    body: None,
                    webhook_outcome: WebhookOutcome::Returned,
                    disable: None,
                }),
        );
        settle(&self.app, attempted).await;
    }
}

/// Sends one webhook event.
async fn attempt(
    app: App,
    zone: TimeZone,
    client: Arc<WebhookClient>,
    leased: LeasedWebhook,
) -> SettledWebhook {
    let begun = tokio::time::Instant::now();
    let (body, outcome) = match payload::body(&leased, &zone) {
        Ok(body) => {
            let outcome = client.send(&app, &leased, &body).await;
            (Some(body), outcome)
        }
        Err(error) => {
            tracing::error!(%error, message = leased.seq.0, "the text of a webhook's message cannot be written");
            let error = Some("its text cannot be written".to_owned());
            (None, RequestOutcome { status: None, error })
        }
    };
    let millis = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let at = app.clock.now();
    let (webhook_outcome, disable) =
        retry_schedule::next_attempt(&leased, &outcome, at, &mut app::SystemRandom);
    SettledWebhook {
        seq: leased.seq,
        attempt: leased.attempt,
        endpoint: leased.endpoint,
        at,
        millis,
        status: outcome.status.map(i64::from),
        error: outcome.error,
        body,
        webhook_outcome,
        disable: disable.map(str::to_owned),
    }
}

/// Writes attempts and retries while the database is away. Rows that it rejects are not retried: other
/// attempts go on, and these messages are leased again.
async fn settle(app: &App, attempted: Vec<SettledWebhook>) {
    if attempted.is_empty() {
        return;
    }
    let attempted = Arc::new(attempted);
    let mut pause = Duration::from_millis(100);
    loop {
        let work = attempted.clone();
        match app.store.write(move |tx| tx.settle_webhooks(&work)).await {
            Ok(()) => return,
            Err(error) if error.is_transient() => {
                tracing::warn!(%error, messages = attempted.len(), "what came of webhooks is not written down yet");
            }
            Err(error) => {
                tracing::error!(%error, messages = attempted.len(), "what came of webhooks cannot be written down");
                return;
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_RETRY_PAUSE);
    }
}
