//! The worker behind the outbox, the account emails and the webhooks. It leases due rows, sends them, records the
//! outcomes, and waits for a wakeup. After the order to stop it finishes what is under way within a time, and gives
//! back the rest. Every instance has one; rows whose instance died are leased again when its heartbeat ends.

use app::workers::keep_running::keep_running;
use app::workers::run_span::run_span;
use app::{Heartbeat, Wakeup};
use domain::Causes;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio::time::Instant;
use tracing::Instrument;

/// Outcomes recorded in one transaction.
const MAX_REPORTS: usize = 96;
/// The pauses between two tries to record outcomes.
const MIN_RETRY_PAUSE: Duration = Duration::from_millis(100);
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(5);
/// How long the database may take to record the last outcomes, unless the settings say otherwise.
pub(crate) const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);

/// What differs between the workers.
pub(crate) trait LeasedWork: Send + Sync + 'static {
    /// A leased row.
    type Row: Clone + Send + Sync + 'static;
    /// The outcome of an attempt.
    type Outcome: Send + 'static;
    /// Outcomes as they are written.
    type Settled: Send + Sync + 'static;

    /// The worker's name in logs.
    const NAME: &'static str;

    fn row_number(row: &Self::Row) -> i64;

    /// The wakeup after a commit that left work.
    fn wakeup(&self) -> &Wakeup;

    /// While it lasts, other instances leave the leased rows alone.
    fn heartbeat(&self) -> &Heartbeat;

    /// Leases due rows, as many as there is room for beside those under way. The rows of a group are sent one after
    /// the other, and groups at the same time.
    fn take(
        &self,
        under_way: &UnderWay<Self::Row>,
    ) -> impl Future<Output = Result<Vec<Vec<Self::Row>>, store::Error>> + Send;

    /// Sends a row.
    fn attempt(&self, row: &Self::Row) -> impl Future<Output = Self::Outcome> + Send;

    /// Whether the rest of the group must not be sent after this outcome.
    fn ends_group(_: &Self::Outcome) -> bool {
        false
    }

    /// The outcomes to write for the rows that were tried, and for those that are given back (`None`).
    fn settled(&self, reports: Vec<(Self::Row, Option<Self::Outcome>)>) -> Self::Settled;

    /// Writes the outcomes, in one transaction.
    fn write(&self, settled: Arc<Self::Settled>) -> impl Future<Output = Result<(), store::Error>> + Send;

    /// Whether writing is tried again after this error. Rows that are not written are leased and sent again.
    fn may_retry(error: &store::Error) -> bool {
        error.is_transient()
    }
}

/// The rows of each running task that were not reported yet.
pub(crate) type UnderWay<R> = HashMap<Id, Vec<R>>;

type Report<W> = (<W as LeasedWork>::Row, Option<<W as LeasedWork>::Outcome>);

/// How long a worker leases, waits and tries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeaseSettings {
    pub(crate) lease: Duration,
    /// The longest attempt: none begins that could outlast the lease.
    pub(crate) attempt: Duration,
    /// How often it looks for due rows without a wakeup.
    pub(crate) poll: Duration,
    /// How long attempts under way may take after the order to stop.
    pub(crate) shutdown_timeout: Duration,
    /// How long the database may take to record the last outcomes.
    pub(crate) settle_timeout: Duration,
}

/// A running worker. Dropping it ends it as a crash would.
#[derive(Debug)]
pub(crate) struct LeaseWorker {
    name: &'static str,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    shutdown_timeout: Duration,
}

impl LeaseWorker {
    /// Starts it. Needs a tokio runtime.
    pub(crate) fn start<W: LeasedWork>(work: W, settings: LeaseSettings) -> Self {
        let (stop, stopping) = watch::channel(false);
        let work = Arc::new(work);
        let lease_loop = move || {
            // As many reports as rows were taken, which is bounded.
            let (reporter, reports) = mpsc::unbounded_channel();
            let lease_loop = LeaseLoop {
                work: Arc::clone(&work),
                settings,
                stopping: stopping.clone(),
                tasks: JoinSet::new(),
                under_way: HashMap::new(),
                reports,
                reporter,
            };
            lease_loop.run()
        };
        Self {
            name: W::NAME,
            stop,
            task: tokio::spawn(keep_running(W::NAME, lease_loop)),
            shutdown_timeout: settings.shutdown_timeout + settings.settle_timeout,
        }
    }

    /// Finishes what is under way and gives back the rest. What the database does not record in time is leased again
    /// when the lease ends.
    pub(crate) async fn stop(mut self) {
        let name = self.name;
        // Without a receiver the worker has ended already.
        let _ = self.stop.send(true);
        match tokio::time::timeout(self.shutdown_timeout, &mut self.task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the {name} ended too early"),
            Err(_) => {
                self.task.abort();
                tracing::error!("the {name} stopped before the database recorded its last outcomes");
            }
        }
    }
}

impl Drop for LeaseWorker {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct LeaseLoop<W: LeasedWork> {
    work: Arc<W>,
    settings: LeaseSettings,
    stopping: watch::Receiver<bool>,
    /// A task for each group.
    tasks: JoinSet<()>,
    under_way: UnderWay<W::Row>,
    reports: mpsc::UnboundedReceiver<Report<W>>,
    reporter: mpsc::UnboundedSender<Report<W>>,
}

impl<W: LeasedWork> LeaseLoop<W> {
    async fn run(mut self) {
        let mut stopping = self.stopping.clone();
        loop {
            self.take().await;
            let mut reports = Vec::new();
            tokio::select! {
                // The order to stop comes first; else what is ready first in this list.
                biased;
                () = stop_requested(&mut stopping) => break,
                _ = self.reports.recv_many(&mut reports, MAX_REPORTS) => self.settle(reports).await,
                () = self.work.wakeup().notified() => {}
                () = tokio::time::sleep(self.settings.poll) => {}
            }
        }
        self.finish().await;
    }

    /// Leases what is due, and starts a task for each group.
    async fn take(&mut self) {
        while let Some(ended) = self.tasks.try_join_next() {
            self.note_end(ended);
        }
        if !self.work.heartbeat().lasts() {
            // What was leased now would look like a dead instance's.
            return;
        }
        let lease_end = Instant::now() + self.settings.lease;
        let groups = match self.work.take(&self.under_way).await {
            Ok(groups) => groups,
            Err(error) => {
                tracing::warn!(error = %Causes(&error), "the {} cannot lease due rows", W::NAME);
                return;
            }
        };
        for rows in groups {
            let group = Group {
                work: self.work.clone(),
                rows: rows.clone(),
                lease_end,
                attempt: self.settings.attempt,
                stopping: self.stopping.clone(),
                reporter: self.reporter.clone(),
            };
            let task = self.tasks.spawn(group.send());
            self.under_way.insert(task.id(), rows);
        }
    }

    /// The rows of a task that panicked are leased again when the lease ends.
    fn note_end(&mut self, ended: Result<(), JoinError>) {
        if let Err(error) = ended {
            tracing::error!(%error, "a task of the {} panicked", W::NAME);
            self.under_way.remove(&error.id());
        }
    }

    async fn settle(&mut self, reports: Vec<Report<W>>) {
        for (row, _) in &reports {
            self.forget(row);
        }
        self.record(reports).await;
    }

    /// Forgets a row that was reported.
    fn forget(&mut self, reported: &W::Row) {
        let number = W::row_number(reported);
        self.under_way.retain(|_, rows| {
            rows.retain(|row| W::row_number(row) != number);
            !rows.is_empty()
        });
    }

    /// Records outcomes, and tries again while the database is away: what was sent must not be forgotten.
    async fn record(&self, reports: Vec<Report<W>>) {
        if reports.is_empty() {
            return;
        }
        let count = reports.len();
        let settled = Arc::new(self.work.settled(reports));
        let mut pause = MIN_RETRY_PAUSE;
        while let Err(error) = self.work.write(settled.clone()).await {
            if !W::may_retry(&error) {
                tracing::error!(error = %Causes(&error), count, "the {} cannot record outcomes; the rows are leased and sent again", W::NAME);
                return;
            }
            tracing::warn!(error = %Causes(&error), count, "the {} cannot record outcomes; retrying", W::NAME);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_RETRY_PAUSE);
        }
    }

    /// Waits for what is under way, records it, and gives back what was not reported.
    async fn finish(mut self) {
        let deadline = Instant::now() + self.settings.shutdown_timeout;
        loop {
            match tokio::time::timeout_at(deadline, self.tasks.join_next()).await {
                Ok(Some(ended)) => self.note_end(ended),
                Ok(None) => break,
                Err(_) => {
                    tracing::warn!(
                        "the {} had attempts under way after the shutdown timeout",
                        W::NAME
                    );
                    self.tasks.shutdown().await;
                    break;
                }
            }
        }
        let mut reports = Vec::new();
        while let Ok(report) = self.reports.try_recv() {
            self.forget(&report.0);
            reports.push(report);
        }
        let rest = self.under_way.drain().flat_map(|(_, rows)| rows);
        reports.extend(rest.map(|row| (row, None)));
        self.record(reports).await;
    }
}

/// Waits for the order to stop.
async fn stop_requested(stopping: &mut watch::Receiver<bool>) {
    // A dropped sender means stop as well.
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// Rows that are sent one after the other.
struct Group<W: LeasedWork> {
    work: Arc<W>,
    rows: Vec<W::Row>,
    lease_end: Instant,
    attempt: Duration,
    stopping: watch::Receiver<bool>,
    reporter: mpsc::UnboundedSender<Report<W>>,
}

impl<W: LeasedWork> Group<W> {
    /// Sends the rows in order and reports each. None is sent after an outcome that ends the group, after the order to
    /// stop, if the lease could end during the attempt, or while the heartbeat does not last: another instance may have leased the rows.
    async fn send(self) {
        let mut go_on = true;
        for row in self.rows {
            let is_ours = self.work.heartbeat().lasts() && Instant::now() + self.attempt <= self.lease_end;
            go_on = go_on && is_ours && !*self.stopping.borrow();
            let outcome = if go_on {
                Some(self.work.attempt(&row).instrument(run_span(W::NAME)).await)
            } else {
                None
            };
            go_on = outcome.as_ref().is_some_and(|outcome| !W::ends_group(outcome));
            if self.reporter.send((row, outcome)).is_err() {
                return;
            }
        }
    }
}
