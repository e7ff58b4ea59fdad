//! The outbox worker: leases due messages, sends them, and records the outcome. Every instance has one. A
//! message whose instance died is leased again when the lease ends.

use crate::account_emails;
use crate::outbox::recipient_queue::{RecipientQueue, SendReport, SendResult};
use crate::outbox::settings::OutboxSettings;
use crate::outbox::settle::settle;
use crate::shutdown::stop_requested;
use crate::transports::{ComposeContext, Transports};
use app::App;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::{LeasedMessage, MessageRow};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

/// Messages taken at once behind the first ones of their recipients.
const MAX_QUEUED_BEHIND: usize = 48;

/// How long the database may take to record the outcome of the last messages.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);

/// A worker that runs.
#[derive(Debug)]
pub struct OutboxWorker {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    account_emails: JoinHandle<()>,
    shutdown_timeout: Duration,
}

impl OutboxWorker {
    /// Starts it. Needs a tokio runtime.
    pub fn start(app: App, transports: Transports, settings: OutboxSettings) -> Self {
        let (stop, stopping) = watch::channel(false);
        let outbox_loop = OutboxLoop::new(app.clone(), transports, settings, stopping.clone());
        let account_emails = account_emails::run(
            app,
            outbox_loop.transports.clone(),
            outbox_loop.context.clone(),
            settings,
            stopping,
        );
        Self {
            stop,
            account_emails: tokio::spawn(account_emails),
            task: tokio::spawn(outbox_loop.run()),
            shutdown_timeout: settings.shutdown_timeout + SETTLE_TIMEOUT,
        }
    }

    /// Finishes what is under way and gives back the rest, unless the database does not take it in time: then it is
    /// taken over by others when the lease ends.
    pub async fn stop(mut self) {
        // Without a receiver the worker has ended already.
        let _ = self.stop.send(true);
        let both = async { tokio::join!(&mut self.task, &mut self.account_emails) };
        match tokio::time::timeout(self.shutdown_timeout, both).await {
            Ok((Ok(()), Ok(()))) => {}
            Ok((Err(error), _) | (_, Err(error))) => {
                tracing::error!(%error, "the outbox worker ended badly");
            }
            Err(_) => {
                self.task.abort();
                self.account_emails.abort();
                tracing::error!("the database did not take what came of the last messages");
            }
        }
    }
}

struct OutboxLoop {
    app: App,
    transports: Arc<Transports>,
    context: ComposeContext,
    settings: OutboxSettings,
    stopping: watch::Receiver<bool>,
    /// Codes under way.
    codes: JoinSet<()>,
    /// Everything else under way, recipient by recipient.
    queues: JoinSet<()>,
    reports: mpsc::UnboundedReceiver<SendReport>,
    reporter: mpsc::UnboundedSender<SendReport>,
    /// What was taken and not reported yet.
    taken: HashMap<MessageRow, LeasedMessage>,
}

impl OutboxLoop {
    fn new(
        app: App,
        transports: Transports,
        settings: OutboxSettings,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        // As many reports as messages were taken, which is bounded.
        let (reporter, reports) = mpsc::unbounded_channel();
        let context = ComposeContext {
            clock: app.clock.clone(),
            secrets: app.outbox_secrets.clone(),
            links: app.links.clone(),
        };
        Self {
            app,
            transports: Arc::new(transports),
            context,
            settings,
            stopping,
            codes: JoinSet::new(),
            queues: JoinSet::new(),
            reports,
            reporter,
            taken: HashMap::new(),
        }
    }

    async fn run(mut self) {
        let wakeup = self.app.wakeups.outbox.clone();
        let mut stopping = self.stopping.clone();
        loop {
            self.take().await;
            let mut reports = Vec::new();
            tokio::select! {
                _ = self.reports.recv_many(&mut reports, MAX_QUEUED_BEHIND * 2) => self.settle(reports).await,
                Some(ended) = self.codes.join_next() => note_panic(ended),
                Some(ended) = self.queues.join_next() => note_panic(ended),
                () = wakeup.notified() => {}
                () = tokio::time::sleep(self.settings.poll) => {}
                () = stop_requested(&mut stopping) => break,
            }
        }
        self.finish().await;
    }

    /// Free capacity: for codes, for recipients of other messages, and in total. Neither kind takes all of
    /// it, however slow the server is.
    fn room(&self) -> (usize, usize, usize) {
        let parallel = self.settings.parallel;
        let share = parallel.saturating_sub((parallel / 4).max(1)).max(1);
        let (codes, others) = (self.codes.len(), self.queues.len());
        let free = parallel.saturating_sub(codes + others);
        (
            share.saturating_sub(codes).min(free),
            share.saturating_sub(others).min(free),
            free,
        )
    }

    /// Takes what is due, codes first, as far as there is room for it, and has it sent.
    async fn take(&mut self) {
        let (codes, others, free) = self.room();
        if codes + others == 0 {
            return;
        }
        let lease_end = Instant::now() + self.settings.lease;
        let now = self.app.clock.now();
        let until = now.after(self.settings.lease);
        let taken = self.app.store.write(move |tx| {
            let codes = tx.take_codes(now, until, codes)?;
            let others = others.min(free.saturating_sub(codes.len()));
            let rest = tx.take_messages(now, until, others, MAX_QUEUED_BEHIND)?;
            Ok::<_, store::Error>((codes, rest))
        });
        let (codes, rest) = match taken.await {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(%error, "the outbox cannot be read");
                return;
            }
        };
        for queue in self.queues_of(codes, lease_end) {
            self.codes.spawn(queue);
        }
        for queue in self.queues_of(rest, lease_end) {
            self.queues.spawn(queue);
        }
    }

    /// One queue per recipient.
    fn queues_of(
        &mut self,
        leased_rows: Vec<LeasedMessage>,
        lease_end: Instant,
    ) -> Vec<impl Future<Output = ()> + Send + use<>> {
        let mut queues: HashMap<String, Vec<LeasedMessage>> = HashMap::new();
        for leased in leased_rows {
            self.taken.insert(leased.seq, leased.clone());
            queues.entry(leased.recipient.clone()).or_default().push(leased);
        }
        let run = |leased_rows| {
            let queue = RecipientQueue {
                leased_rows,
                lease_end,
                attempt: self.settings.attempt,
            };
            queue.run(
                self.transports.clone(),
                self.context.clone(),
                self.stopping.clone(),
                self.reporter.clone(),
            )
        };
        queues.into_values().map(run).collect()
    }

    async fn settle(&mut self, reports: Vec<SendReport>) {
        for (leased, _) in &reports {
            self.taken.remove(&leased.seq);
        }
        settle(&self.app, &self.transports, reports).await;
    }

    /// Waits for what is under way, writes it down, and gives back what was not reported.
    async fn finish(mut self) {
        let all = async {
            while let Some(ended) = self.codes.join_next().await {
                note_panic(ended);
            }
            while let Some(ended) = self.queues.join_next().await {
                note_panic(ended);
            }
        };
        if tokio::time::timeout(self.settings.shutdown_timeout, all)
            .await
            .is_err()
        {
            tracing::warn!("messages were still under way after the time to finish them");
            self.codes.shutdown().await;
            self.queues.shutdown().await;
        }
        let mut reports = Vec::new();
        while let Ok(report) = self.reports.try_recv() {
            self.taken.remove(&report.0.seq);
            reports.push(report);
        }
        reports.extend(
            self.taken
                .drain()
                .map(|(_, leased)| (leased, SendResult::NotTried)),
        );
        if !reports.is_empty() {
            settle(&self.app, &self.transports, reports).await;
        }
    }
}

fn note_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "sending messages ended badly");
    }
}
