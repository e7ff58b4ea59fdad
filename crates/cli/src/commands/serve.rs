//! `firmeza serve`: runs the service until a signal, then finishes open requests.

use crate::otlp::Otlp;
use crate::settings::{Environment, MetricsListen, NO_SMS, PLAIN_SMS, Settings};
use crate::{descriptors, first_start, logging, proxy_marker, wiring};
use app::App;
use app::operator::storage_owner::{StorageOwnerError, check_storage_owner};
use app::workers::keep_running::keep_running;
use delivery::{OutboxWorker, WebhookWorker, WebhookWorkerSettings};
use domain::Causes;
use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use web::http::server::{Connections, serve};
use web::{MailboxToken, Web};

/// How long the store may take to close.
const STORE_CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Connections of monitoring tools at the same time.
const MAX_MONITORING_CONNECTIONS: usize = 32;

#[expect(clippy::too_many_lines, reason = "it starts all parts, in their order")]
pub(crate) async fn run(settings: Settings) -> Result<ExitCode, Box<dyn Error>> {
    let otlp = Otlp::start(&settings)?.map(Arc::new);
    logging::start(&settings, otlp.as_ref().map(|otlp| otlp.tracer()));
    let descriptors = descriptors::raise_limit();
    if !settings.sends_sms() {
        tracing::warn!(setting = "FIRMEZA_SMS_URL", "{NO_SMS}");
    }
    if settings.sends_sms_in_the_clear() {
        tracing::warn!(setting = "FIRMEZA_SMS_URL", "{PLAIN_SMS}");
    }
    let mut stop_requested = Box::pin(stop_signal()?);
    let transports = settings.transports()?;
    // Waits without limit for another instance's migration.
    let app = tokio::select! {
        opened = wiring::open_instance(&settings) => opened?,
        () = &mut stop_requested => {
            tracing::info!("stopped before it was ready");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let heartbeat = start(&app, "heartbeat", App::run_heartbeat);
    check_storage(&app).await?;
    let listener = TcpListener::bind(settings.listen).await;
    let listener = listener.map_err(|error| format!("cannot listen on {}: {error}", settings.listen))?;
    let monitoring = monitoring_listener(settings.metrics_listen).await?;
    let mailbox = wiring::mailbox_token(&settings)?;
    // Not cancelled by a signal: a company must not exist before its key was printed.
    let welcome = first_start::welcome(&settings, &app, mailbox.as_ref()).await?;
    println!("Firmeza listens at http://{}", listener.local_addr()?);
    if let Some(welcome) = welcome {
        println!("{welcome}");
    }
    warn_of_public_sandbox(&settings, mailbox.as_ref());
    let housekeeping = start(&app, "housekeeping", App::run_housekeeping);
    let extender = start(&app, "extender", App::run_extender);
    let reminders = start(&app, "reminders", App::run_reminders);
    let increment_mover = start(&app, "increment mover", App::run_increment_mover);
    let scrubber = start(&app, "scrubber", App::run_scrubber);
    let sweeper = start(&app, "sweeper", App::run_sweeper);
    let database = settings.database.clone();
    let eraser = start(&app, "eraser", move |app| app.run_eraser(database.clone()));
    let projector = start(&app, "projector", App::run_projector);
    let outbox = settings
        .messages
        .send
        .then(|| OutboxWorker::start(app.clone(), transports, delivery::OutboxSettings::default()));
    let webhook_worker = settings
        .messages
        .send
        .then(|| {
            WebhookWorker::start(
                app.clone(),
                settings.timezone.clone(),
                WebhookWorkerSettings::default(),
            )
        })
        .transpose()?;
    let web = wiring::web(&settings, app.clone(), mailbox);
    proxy_marker::remove(&settings);
    let proxy_notes = tokio::spawn(proxy_marker::note_each(settings.clone(), web.unlisted_proxies()));
    let monitoring = monitoring.map(|listener| tokio::spawn(serve_monitoring(listener, web.clone())));
    let metrics = otlp.clone().map(|otlp| {
        let web = web.clone();
        tokio::spawn(async move { otlp.run_metrics(&web).await })
    });
    let site = web::site(web.clone());
    let max_connections = descriptors::connections(descriptors);
    let connections = Connections {
        max: max_connections,
        // Where descriptors are few, half of the connections still are for others.
        per_client: settings.connections_per_client.min(max_connections / 2),
        trusted_proxies: settings.trusted_proxies.clone(),
        https: settings.base_url.scheme() == "https",
        linger_bytes: settings.request_bytes.saturating_mul(2),
        ..Connections::default()
    };
    let lame_duck = settings.lame_duck;
    let stop = async move {
        stop_requested.await;
        announce_stop(&web, lame_duck).await;
        tracing::info!("stopping: no new connections are accepted, open requests are finished");
    };
    serve(listener, site, connections, stop).await;
    proxy_notes.abort();
    if let Some(monitoring) = monitoring {
        monitoring.abort();
    }
    if let Some(metrics) = metrics {
        metrics.abort();
    }
    housekeeping.abort();
    extender.abort();
    reminders.abort();
    increment_mover.abort();
    scrubber.abort();
    sweeper.abort();
    eraser.abort();
    projector.abort();
    let messages = async {
        if let Some(outbox) = outbox {
            outbox.stop().await;
        }
    };
    let webhooks = async {
        if let Some(webhook_worker) = webhook_worker {
            webhook_worker.stop().await;
        }
    };
    tokio::join!(messages, webhooks, app.clone().close());
    heartbeat.abort();
    app.end_heartbeat().await;
    let last = tokio::task::spawn_blocking(move || drop(app));
    if tokio::time::timeout(STORE_CLOSE_TIMEOUT, last).await.is_err() {
        tracing::warn!("the database does not respond: the program ends without closing its connections");
    }
    if let Some(otlp) = otlp {
        otlp.stop().await;
    }
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// Starts a worker, which starts again if it panics.
fn start<F: Future<Output = ()> + Send + 'static>(
    app: &App,
    name: &'static str,
    worker: impl Fn(App) -> F + Send + 'static,
) -> JoinHandle<()> {
    let app = app.clone();
    tokio::spawn(keep_running(name, move || worker(app.clone())))
}

/// Lets balancers notice that this instance is about to stop, while it still takes requests.
async fn announce_stop(web: &Web, lame_duck: Duration) {
    if lame_duck.is_zero() {
        return;
    }
    tracing::info!(
        seconds = lame_duck.as_secs(),
        "stopping soon: /ready says so, requests are still taken"
    );
    web.announce_stop();
    tokio::time::sleep(lame_duck).await;
}

/// Refuses to run on the documents of another installation. A storage that does not answer is asked again before
/// anything is removed from it.
async fn check_storage(app: &App) -> Result<(), StorageOwnerError> {
    match check_storage_owner(&app.store, &app.blobs).await {
        Err(error) if !error.is_refusal() => {
            tracing::warn!(
                error = %Causes(&error),
                "whose the document storage is could not be asked"
            );
            Ok(())
        }
        checked => checked,
    }
}

/// The listener for operators. Where the default port is taken, perhaps by another instance, the service
/// starts without it.
async fn monitoring_listener(listen: MetricsListen) -> Result<Option<TcpListener>, String> {
    let (address, is_configured) = match listen {
        MetricsListen::Off => return Ok(None),
        MetricsListen::Configured(address) => (address, true),
        MetricsListen::Default(address) => (address, false),
    };
    match TcpListener::bind(address).await {
        Ok(listener) => {
            tracing::info!(%address, "metrics are at /metrics");
            Ok(Some(listener))
        }
        Err(error) if is_configured => Err(format!("cannot listen on {address} for metrics: {error}")),
        Err(error) => {
            tracing::warn!(
                %address,
                %error,
                setting = "FIRMEZA_METRICS_LISTEN",
                "there are no metrics: the usual port is taken; name another, or off"
            );
            Ok(None)
        }
    }
}

async fn serve_monitoring(listener: TcpListener, web: Web) {
    let connections = Connections {
        max: MAX_MONITORING_CONNECTIONS,
        per_client: 0,
        ..Connections::default()
    };
    let answers = web::monitoring(web);
    serve(listener, answers, connections, std::future::pending()).await;
}

/// A sandbox does not verify email addresses and shows codes to its operator: its signatures prove nothing.
fn warn_of_public_sandbox(settings: &Settings, mailbox: Option<&MailboxToken>) {
    if settings.environment != Environment::Sandbox || settings.is_for_this_machine() {
        return;
    }
    let base = settings.base();
    tracing::warn!(
        base,
        setting = "FIRMEZA_ENVIRONMENT",
        "this is a sandbox at a public address: it is for trying things out, not for contracts"
    );
    println!("WARNING: this is a sandbox, and {base} can be reached from other machines.");
    println!("  It is for trying things out: for real contracts set FIRMEZA_ENVIRONMENT=production.");
    if let Some(token) = mailbox {
        println!("  Its mailbox has every link and code. Keep this address to yourself:");
        println!("  {base}/mailbox?token={}", token.reveal());
    }
}

/// Completes on SIGTERM or SIGINT. The handlers are installed at once.
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
