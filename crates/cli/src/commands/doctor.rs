//! `firmeza doctor`: tries each part, and says what is wrong and what to do.

use crate::settings::{Environment, Settings};
use crate::wiring::open_store;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    let environment = match settings.environment {
        Environment::Sandbox => "sandbox",
        Environment::Production => "production",
    };
    println!("Firmeza {} ({environment})", env!("CARGO_PKG_VERSION"));
    let checks = [
        (
            "data directory",
            data_directory(settings).await,
            "make it writable, or set FIRMEZA_DATA_DIR",
        ),
        (
            "database",
            database(settings).await,
            "check FIRMEZA_DATABASE_URL and that the server runs",
        ),
        (
            "documents",
            documents(settings).await,
            "check FIRMEZA_BLOBS_URL and the AWS_ variables",
        ),
        (
            "master key",
            master_key(settings),
            "set FIRMEZA_MASTER_KEY, or restore master.key from a backup",
        ),
        (
            "mail server",
            mail_server(settings).await,
            "check FIRMEZA_SMTP_URL: host, port, TLS, user and password",
        ),
        (
            "SMS gateway",
            sms_gateway(settings).await,
            "check FIRMEZA_SMS_URL and the other FIRMEZA_SMS_ settings",
        ),
        (
            "clock",
            clock(),
            "set the system's clock and keep it synchronised",
        ),
    ];
    let mut healthy = true;
    for (part, outcome, advice) in checks {
        match outcome {
            Ok(said) => println!("  ok    {part}: {said}"),
            Err(error) => {
                healthy = false;
                println!("  FAIL  {part}: {}", with_causes(&*error));
                println!("        {advice}");
            }
        }
    }
    Ok(if healthy {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn data_directory(settings: &Settings) -> Result<String, Box<dyn Error>> {
    let directory = settings.data_dir.clone();
    let tried = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&directory)?;
        let probe = directory.join(format!(".doctor-{}", std::process::id()));
        std::fs::write(&probe, b"probe")?;
        std::fs::remove_file(&probe)?;
        Ok::<_, std::io::Error>(format!("{} can be written", directory.display()))
    });
    Ok(tried.await??)
}

async fn database(settings: &Settings) -> Result<String, Box<dyn Error>> {
    let kind = match &settings.database {
        store::Settings::Sqlite(_) => "SQLite",
        store::Settings::Postgres(_) => "PostgreSQL",
    };
    let store = open_store(settings).await?;
    let version = store.read(store::applied).await?;
    Ok(format!("{kind} answers, at migration {version}"))
}

async fn documents(settings: &Settings) -> Result<String, Box<dyn Error>> {
    let (location, spool) = (settings.blobs.clone(), settings.spool());
    let blobs = tokio::task::spawn_blocking(move || blobs::Blobs::open(&location, &spool)).await??;
    blobs.probe().await?;
    let place = match &settings.blobs {
        blobs::Location::Directory(path) => path.display().to_string(),
        blobs::Location::S3(url) => url.clone(),
    };
    Ok(format!("{place} takes, gives back and removes"))
}

fn master_key(settings: &Settings) -> Result<String, Box<dyn Error>> {
    settings.master_key()?;
    Ok("there, and well formed".into())
}

async fn mail_server(settings: &Settings) -> Result<String, Box<dyn Error>> {
    match settings.smtp()? {
        Some(smtp) => Ok(smtp.check().await?),
        None => Ok("none: emails go into the mailbox at /mailbox".into()),
    }
}

async fn sms_gateway(settings: &Settings) -> Result<String, Box<dyn Error>> {
    match (settings.gateway()?, settings.has_mailbox()) {
        (Some(gateway), _) => Ok(gateway.check().await?),
        (None, true) => Ok("none: text messages go into the mailbox at /mailbox".into()),
        (None, false) => Ok("none: codes by text message cannot be sent".into()),
    }
}

/// A clock before the day this program was written is certainly wrong.
fn clock() -> Result<String, Box<dyn Error>> {
    let now = app::Clock::System.now();
    let instant = jiff::Timestamp::from_microsecond(now.as_micros())?;
    if instant.as_second() < 1_790_000_000 {
        return Err(format!("it says {instant}, which is in the past").into());
    }
    Ok(format!("{instant}"))
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
