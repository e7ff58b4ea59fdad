//! An instance of the program: what `firmeza serve` starts, without HTTP.

use crate::database::run_transactions;
use crate::site::{Site, notary_settings, policy, sign_app};
use crate::timestamps::time_stamping;
use crate::world::World;
use app::operator::storage_owner::check_storage_owner;
use app::{App, Clock, Error, Notary};
use delivery::{
    EmailTransport, OutboxSettings, OutboxWorker, SmsTransport, Transports, WebhookWorker,
    WebhookWorkerSettings,
};
use domain::Causes;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::sleep;

/// An instance that runs.
pub(crate) struct Instance {
    pub(crate) app: App,
    crash: Arc<Crash>,
    tasks: Vec<JoinHandle<()>>,
    _outbox: OutboxWorker,
    _webhooks: WebhookWorker,
}

impl Instance {
    /// Starts it.
    pub(crate) async fn start(site: &Rc<Site>, number: usize) -> Result<Self, Error> {
        let (store, queue) = site.database.connect();
        let mut starting = Starting(vec![spawn_local(run_transactions(
            Rc::clone(site),
            number,
            queue,
        ))]);
        let world = &site.world;
        let clock = Clock::paced(world.now());
        let others = if site.foreign_timestamps {
            vec![time_stamping(world)]
        } else {
            Vec::new()
        };
        let master = testkit::master_key();
        let notary = Notary::open(&store, &master, &clock, notary_settings(others)).await?;
        let blobs = site.blobs.clone();
        let app = App::new(store, blobs, clock, &master, &sign_app(), notary, policy());
        let app = app.with_spare_blobs(site.spare.clone());
        app.beat().await?;
        if let Err(error) = check_storage_owner(&app.store, &app.blobs).await {
            assert!(!error.is_refusal(), "{error}");
        }
        let tasks = &mut starting.0;
        tasks.push(tokio::spawn(app.clone().run_heartbeat()));
        tasks.push(tokio::spawn(app.clone().run_projector()));
        tasks.push(tokio::spawn(app.clone().run_extender()));
        tasks.push(tokio::spawn(app.clone().run_reminders()));
        tasks.push(tokio::spawn(app.clone().run_increment_mover()));
        tasks.push(tokio::spawn(app.clone().run_scrubber()));
        tasks.push(tokio::spawn(sweep_often(app.clone(), Arc::clone(world), number)));
        let outside: Arc<dyn delivery::simulated::World> = world.clone();
        let transports = Transports {
            email: EmailTransport::Simulated(outside.clone()),
            sms: SmsTransport::Simulated(outside.clone()),
            host: "firmeza.example.com".to_owned(),
        };
        let zone = app.notary.timezone().clone();
        let settings = WebhookWorkerSettings::default();
        let instance = Self {
            crash: Arc::default(),
            _outbox: OutboxWorker::start(app.clone(), transports, OutboxSettings::default()),
            _webhooks: WebhookWorker::start_simulated(app.clone(), zone, settings, outside),
            tasks: std::mem::take(tasks),
            app,
        };
        world.note(format_args!("instance {number}: runs"));
        Ok(instance)
    }

    /// A way to it that ends when it crashes.
    pub(crate) fn connection(&self) -> Connection {
        Connection {
            app: self.app.clone(),
            crash: Arc::clone(&self.crash),
        }
    }

    /// Moves its clock.
    pub(crate) fn step_clock(&self, seconds: i64) {
        if let Clock::Paced(_, micros) = &self.app.clock {
            micros.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
        }
    }
}

/// The sweeper sweeps every hour; here every few seconds, while things go wrong. Now under a lease, as the worker does, now beside
/// the sweep of another instance, as the operator's command does.
async fn sweep_often(app: App, world: Arc<World>, number: usize) {
    let mut leased = true;
    loop {
        sleep(Duration::from_secs(if world.is_faulty() { 2 } else { 120 })).await;
        let swept = if leased {
            app.sweep_if_due(Duration::ZERO).await
        } else {
            app.sweep_blobs().await.map(Some)
        };
        leased = !leased;
        match swept {
            Ok(Some(swept)) => world.note(format_args!("instance {number}: {swept:?}")),
            Ok(None) => world.note(format_args!("instance {number}: another one sweeps")),
            Err(error) => world.note(format_args!("instance {number}: not swept: {}", Causes(&error))),
        }
    }
}

/// Dropping an instance is its crash.
impl Drop for Instance {
    fn drop(&mut self) {
        self.crash.happen();
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Tasks of an instance that does not run yet.
struct Starting(Vec<JoinHandle<()>>);

impl Drop for Starting {
    fn drop(&mut self) {
        for task in &self.0 {
            task.abort();
        }
    }
}

/// A client's connection to an instance.
pub(crate) struct Connection {
    pub(crate) app: App,
    crash: Arc<Crash>,
}

/// The crash of an instance. Those who wait for it go on in the order in which they came, in every run; tokio's `watch` wakes
/// its receivers in a random one.
#[derive(Default)]
struct Crash {
    happened: AtomicBool,
    happens: Notify,
}

impl Crash {
    fn happen(&self) {
        self.happened.store(true, Ordering::SeqCst);
        self.happens.notify_waiters();
    }

    async fn wait(&self) {
        let happens = self.happens.notified();
        if !self.happened.load(Ordering::SeqCst) {
            happens.await;
        }
    }
}

impl Connection {
    /// The answer to a request; nothing if the instance crashes before.
    pub(crate) async fn request<T>(&mut self, request: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.crash.wait() => None,
            answer = request => Some(answer),
        }
    }
}
