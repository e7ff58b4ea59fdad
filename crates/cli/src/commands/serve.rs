//! `firmeza serve`: runs until told to stop, then finishes what is under way.

use crate::settings::Settings;
use crate::{first_start, logging, wiring};
use std::error::Error;
use std::process::ExitCode;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use web::server::{Connections, serve};

pub(crate) async fn run(settings: Settings) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(&settings);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let app = wiring::open_app(&settings).await?;
    let listener = TcpListener::bind(settings.listen).await;
    let listener = listener.map_err(|error| format!("cannot listen on {}: {error}", settings.listen))?;
    let welcome = first_start::welcome(&settings, &app).await?;
    println!("Firmeza listens at http://{}", listener.local_addr()?);
    if let Some(welcome) = welcome {
        println!("{welcome}");
    }
    let tidying = tokio::spawn(app.clone().tidy_for_ever());
    let router = web::router(wiring::web(&settings, app.clone()));
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping: no new connections, finishing what is under way");
    };
    serve(listener, router, Connections::default(), stop).await;
    tidying.abort();
    app.close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}
