//! The outbox worker: leases due messages, sends them, and records the outcome. Every instance has one. A
//! message whose instance died is leased again when the lease ends.

use crate::chain::{Chain, Report, Tried};
use crate::letters;
use crate::post::{Office, Post};
use crate::settle::settle;
use app::App;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::LeasedMessage;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

/// How the worker works.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How long an instance leases a message.
    pub lease: Duration,
    /// How long one attempt may take.
    pub attempt: Duration,
    /// How often it looks for what others wrote.
    pub poll: Duration,
    /// Recipients that are written to at once; a part of it is kept for codes.
    pub parallel: usize,
    /// How long what is under way may go on after the order to stop.
    pub farewell: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_mins(3),
            attempt: Duration::from_mins(1),
            poll: Duration::from_secs(3),
            parallel: 16,
            farewell: Duration::from_secs(10),
        }
    }
}

/// Messages taken at once behind the first ones of their recipients.
const MORE: usize = 48;

/// How long the database may take to record the outcome of the last messages.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// A worker that runs.
#[derive(Debug)]
pub struct Worker {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    letters: JoinHandle<()>,
    farewell: Duration,
}

impl Worker {
    /// Starts it. Needs a tokio runtime.
    pub fn start(app: App, post: Post, settings: Settings) -> Self {
        let (stop, stopping) = watch::channel(false);
        let desk = Desk::new(app.clone(), post, settings, stopping.clone());
        let letters = letters::run(app, desk.post.clone(), desk.office.clone(), settings, stopping);
        Self {
            stop,
            letters: tokio::spawn(letters),
            task: tokio::spawn(desk.run()),
            farewell: settings.farewell + LAST_WORDS,
        }
    }

    /// Finishes what is under way and gives back the rest, unless the database does not take it in time: then it is
    /// taken over by others when the lease ends.
    pub async fn stop(mut self) {
        // Without a receiver the worker has ended already.
        let _ = self.stop.send(true);
        let both = async { tokio::join!(&mut self.task, &mut self.letters) };
        match tokio::time::timeout(self.farewell, both).await {
            Ok((Ok(()), Ok(()))) => {}
            Ok((Err(error), _) | (_, Err(error))) => {
                tracing::error!(%error, "the outbox worker ended badly");
            }
            Err(_) => {
                self.task.abort();
                self.letters.abort();
                tracing::error!("the database did not take what came of the last messages");
            }
        }
    }
}

struct Desk {
    app: App,
    post: Arc<Post>,
    office: Office,
    settings: Settings,
    stopping: watch::Receiver<bool>,
    /// Codes under way.
    codes: JoinSet<()>,
    /// Everything else under way, recipient by recipient.
    chains: JoinSet<()>,
    reports: mpsc::UnboundedReceiver<Report>,
    reporter: mpsc::UnboundedSender<Report>,
    /// What was taken and not reported yet.
    taken: HashMap<i64, LeasedMessage>,
}

impl Desk {
    fn new(app: App, post: Post, settings: Settings, stopping: watch::Receiver<bool>) -> Self {
        // As many reports as messages were taken, which is bounded.
        let (reporter, reports) = mpsc::unbounded_channel();
        let office = Office {
            clock: app.clock.clone(),
            secrets: app.outbox_secrets.clone(),
            links: app.links.clone(),
        };
        Self {
            app,
            post: Arc::new(post),
            office,
            settings,
            stopping,
            codes: JoinSet::new(),
            chains: JoinSet::new(),
            reports,
            reporter,
            taken: HashMap::new(),
        }
    }

    async fn run(mut self) {
        let bell = self.app.bell.clone();
        let mut stopping = self.stopping.clone();
        loop {
            self.take().await;
            let mut reports = Vec::new();
            tokio::select! {
                _ = self.reports.recv_many(&mut reports, MORE * 2) => self.settle(reports).await,
                Some(ended) = self.codes.join_next() => note_panic(ended),
                Some(ended) = self.chains.join_next() => note_panic(ended),
                () = bell.rung() => {}
                () = tokio::time::sleep(self.settings.poll) => {}
                () = told_to_stop(&mut stopping) => break,
            }
        }
        self.finish().await;
    }

    /// Free capacity: for codes, for recipients of other messages, and in total. Neither kind takes all of
    /// it, however slow the server is.
    fn room(&self) -> (usize, usize, usize) {
        let parallel = self.settings.parallel;
        let share = parallel.saturating_sub((parallel / 4).max(1)).max(1);
        let (codes, letters) = (self.codes.len(), self.chains.len());
        let free = parallel.saturating_sub(codes + letters);
        (
            share.saturating_sub(codes).min(free),
            share.saturating_sub(letters).min(free),
            free,
        )
    }

    /// Takes what is due, codes first, as far as there is room for it, and has it sent.
    async fn take(&mut self) {
        let (codes, letters, free) = self.room();
        if codes + letters == 0 {
            return;
        }
        let ours_until = Instant::now() + self.settings.lease;
        let now = self.app.clock.now();
        let until = now.after(self.settings.lease);
        let taken = self.app.store.write(move |tx| {
            let codes = tx.take_codes(now, until, codes)?;
            let letters = letters.min(free.saturating_sub(codes.len()));
            let rest = tx.take_messages(now, until, letters, MORE)?;
            Ok::<_, store::Error>((codes, rest))
        });
        let (codes, rest) = match taken.await {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(%error, "the outbox cannot be read");
                return;
            }
        };
        for chain in self.chained(codes, ours_until) {
            self.codes.spawn(chain);
        }
        for chain in self.chained(rest, ours_until) {
            self.chains.spawn(chain);
        }
    }

    /// One queue per recipient.
    fn chained(
        &mut self,
        leased_rows: Vec<LeasedMessage>,
        ours_until: Instant,
    ) -> Vec<impl Future<Output = ()> + Send + use<>> {
        let mut chains: HashMap<String, Vec<LeasedMessage>> = HashMap::new();
        for leased in leased_rows {
            self.taken.insert(leased.seq, leased.clone());
            chains.entry(leased.recipient.clone()).or_default().push(leased);
        }
        let run = |leased_rows| {
            let chain = Chain {
                leased_rows,
                ours_until,
                attempt: self.settings.attempt,
            };
            chain.run(
                self.post.clone(),
                self.office.clone(),
                self.stopping.clone(),
                self.reporter.clone(),
            )
        };
        chains.into_values().map(run).collect()
    }

    async fn settle(&mut self, reports: Vec<Report>) {
        for (leased, _) in &reports {
            self.taken.remove(&leased.seq);
        }
        settle(&self.app, &self.post, reports).await;
    }

    /// Waits for what is under way, writes it down, and gives back what was not reported.
    async fn finish(mut self) {
        let all = async {
            while let Some(ended) = self.codes.join_next().await {
                note_panic(ended);
            }
            while let Some(ended) = self.chains.join_next().await {
                note_panic(ended);
            }
        };
        if tokio::time::timeout(self.settings.farewell, all).await.is_err() {
            tracing::warn!("messages were still under way after the time to finish them");
            self.codes.shutdown().await;
            self.chains.shutdown().await;
        }
        let mut reports = Vec::new();
        while let Ok(report) = self.reports.try_recv() {
            self.taken.remove(&report.0.seq);
            reports.push(report);
        }
        reports.extend(self.taken.drain().map(|(_, leased)| (leased, Tried::Not)));
        if !reports.is_empty() {
            settle(&self.app, &self.post, reports).await;
        }
    }
}

pub(crate) async fn told_to_stop(stopping: &mut watch::Receiver<bool>) {
    // A dropped sender means stop as well.
    let _ = stopping.wait_for(|stop| *stop).await;
}

fn note_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "sending messages ended badly");
    }
}
