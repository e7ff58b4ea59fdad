//! `firmeza serve`: runs until told to stop, then finishes what is under way.

use crate::settings::{NO_SMS, Settings};
use crate::{first_start, logging, wiring};
use delivery::{Courier, CourierSettings, Worker};
use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use web::server::{Connections, serve};

/// How long the store may take to finish what was given up on already.
const FAREWELL: Duration = Duration::from_secs(5);

pub(crate) async fn run(settings: Settings) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(&settings);
    if !settings.sends_sms() {
        tracing::warn!(setting = "FIRMEZA_SMS_URL", "{NO_SMS}");
    }
    let mut told = Box::pin(told_to_stop()?);
    let post = settings.post()?;
    // Another instance's migration is waited for without end.
    let app = tokio::select! {
        opened = wiring::open_app(&settings) => opened?,
        () = &mut told => {
            tracing::info!("stopped before it was ready");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let listener = TcpListener::bind(settings.listen).await;
    let listener = listener.map_err(|error| format!("cannot listen on {}: {error}", settings.listen))?;
    // Not broken off: whoever finds the company made must have been shown its key.
    let welcome = first_start::welcome(&settings, &app).await?;
    println!("Firmeza listens at http://{}", listener.local_addr()?);
    if let Some(welcome) = welcome {
        println!("{welcome}");
    }
    let tidying = tokio::spawn(app.clone().tidy_for_ever());
    let extending = tokio::spawn(app.clone().extend_for_ever());
    let clerk = tokio::spawn(app.clone().clerk_for_ever());
    let outbox = settings
        .messages
        .send
        .then(|| Worker::start(app.clone(), post, delivery::Settings::default()));
    let courier = settings
        .messages
        .send
        .then(|| Courier::start(app.clone(), wiring::tell(&settings), CourierSettings::default()))
        .transpose()?;
    let site = web::Site::new(wiring::web(&settings, app.clone()));
    let stop = async move {
        told.await;
        tracing::info!("stopping: no new connections, finishing what is under way");
    };
    let blobs = app.blobs.clone();
    let files = move |bytes: &[u8]| blobs.file_of(bytes);
    serve(listener, site, files, Connections::default(), stop).await;
    tidying.abort();
    extending.abort();
    clerk.abort();
    let sending = async {
        if let Some(outbox) = outbox {
            outbox.stop().await;
        }
    };
    let telling = async {
        if let Some(courier) = courier {
            courier.stop().await;
        }
    };
    tokio::join!(sending, telling, app.clone().close());
    let last = tokio::task::spawn_blocking(move || drop(app));
    if tokio::time::timeout(FAREWELL, last).await.is_err() {
        tracing::warn!("the database does not answer: its connections are broken off");
    }
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// Listens from now on; done when somebody says that the service should stop.
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
