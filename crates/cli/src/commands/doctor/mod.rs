//! `firmeza doctor`: checks each part, and reports problems with advice.

mod authority;
mod parts;

use crate::proxy_marker;
use crate::settings::{Environment, NO_SMS, OWN_TIMESTAMPS, PLAIN_SMS, Settings};
use crate::terminal::say;
use std::error::Error;
use std::process::ExitCode;

/// The result of a check: a description, or the problem.
type CheckResult = Result<String, Box<dyn Error>>;

pub(crate) async fn run(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    let environment = match settings.environment {
        Environment::Sandbox => "sandbox",
        Environment::Production => "production",
    };
    say!("Firmeza {} ({environment})", env!("CARGO_PKG_VERSION"));
    let key_advice = authority::key_advice(settings);
    let checks = [
        (
            "data directory",
            parts::data_directory(settings).await,
            "make it writable, or set FIRMEZA_DATA_DIR",
        ),
        (
            "disk space",
            parts::disk_space(settings),
            "make room, or move the data to a larger disk: a full one stops creates and signatures",
        ),
        (
            "database",
            parts::database(settings).await,
            "check FIRMEZA_DATABASE_URL, that the server runs, and that its user may write",
        ),
        (
            "documents",
            parts::documents(settings).await,
            "check FIRMEZA_BLOBS_URL and the AWS_ variables",
        ),
        (
            "storage owner",
            parts::storage_owner(settings).await,
            "name this installation's storage in FIRMEZA_BLOBS_URL, or run firmeza storage claim",
        ),
        (
            "scrub",
            parts::scrub(settings).await,
            "run firmeza inspect to see which; put them back from a backup, or set FIRMEZA_SPARE_BLOBS_URL",
        ),
        (
            "moves to the storage",
            parts::increment_moves(settings).await,
            "check FIRMEZA_BLOBS_URL and that an instance runs; nothing is lost: what signatures appended is in the database meanwhile",
        ),
        ("master key", authority::master_key(settings).await, &key_advice),
        (
            "histories",
            authority::histories(settings).await,
            "do not trust this database: put back a backup from before, and compare with the mails that signers hold",
        ),
        (
            "certificates",
            authority::certificates(settings).await,
            "run firmeza rotate authority, and firmeza reseal --all-due",
        ),
        (
            "founding of the authority",
            authority::founding(settings).await,
            "set the clock right. If nothing was signed yet, begin anew with an empty database; otherwise run firmeza \
             rotate authority, and keep in mind that readers refuse what was signed before a certificate begins",
        ),
        (
            "bought certificates",
            authority::bought_certificates(settings),
            "check FIRMEZA_CERTIFICATE_FILE, its password and FIRMEZA_CERTIFICATE_CHAIN, or FIRMEZA_CERTIFICATE_KEY; \
             likewise FIRMEZA_ISSUER_…; have new ones made before they end",
        ),
        (
            "mail server",
            parts::mail_server(settings).await,
            "check FIRMEZA_SMTP_URL: host, port, TLS, user and password",
        ),
        (
            "SMS gateway",
            parts::sms_gateway(settings).await,
            "check FIRMEZA_SMS_URL and the other FIRMEZA_SMS_ settings",
        ),
        (
            "timestamps",
            authority::timestamps(settings).await,
            "check FIRMEZA_TSA_URL, the way there and FIRMEZA_TSA_ROOTS; signed folios wait for their timestamps meanwhile",
        ),
        (
            "clock",
            parts::clock(settings).await,
            "set the clocks of this machine and of the database's, and keep them synchronised",
        ),
    ];
    let healthy = print(checks);
    warn(settings).await;
    Ok(if healthy {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Prints each check's name and result, with the advice if it failed. Whether none did.
fn print<'a>(checks: impl IntoIterator<Item = (&'a str, CheckResult, &'a str)>) -> bool {
    let mut healthy = true;
    for (part, outcome, advice) in checks {
        match outcome {
            Ok(said) => say!("  ok    {part}: {said}"),
            Err(error) => {
                healthy = false;
                say!("  FAIL  {part}: {}", with_causes(&*error));
                say!("        {advice}");
            }
        }
    }
    healthy
}

/// Warnings: problems that do not stop the service.
async fn warn(settings: &Settings) {
    match parts::render_sandbox().await {
        Ok(said) => say!("  ok    render workers: {said}"),
        Err(error) => {
            say!("  warn  render workers: {}", with_causes(&*error));
            say!(
                "        use Linux with seccomp: a PDF that takes a worker over can read what this user can"
            );
        }
    }
    if settings.stamps_time_itself() {
        say!("  warn  timestamps: {OWN_TIMESTAMPS}");
        say!(
            "        set FIRMEZA_TSA_URL and FIRMEZA_TSA_ROOTS: the word of another authority weighs more than one's own"
        );
    }
    if settings.sends_sms_in_the_clear() {
        say!("  warn  SMS gateway: {PLAIN_SMS}");
        say!("        set an https address in FIRMEZA_SMS_URL, or keep the gateway in a network of your own");
    }
    if !settings.sends_sms() {
        say!("  warn  SMS gateway: {NO_SMS}");
        say!("        set FIRMEZA_SMS_URL, or create folios with signatureType 1 only");
    }
    if let Some(file) = settings.exposed_key_file() {
        say!(
            "  warn  master key: every user of this machine may read {}",
            file.display()
        );
        say!(
            "        let its owner alone read it: chmod 600 {}",
            file.display()
        );
    }
    if let Some(proxy) = proxy_marker::unlisted(settings) {
        say!(
            "  warn  proxy: requests came through {}, last at {}, and it is not trusted: every signer seems to come from there",
            proxy.address,
            proxy.last_seen
        );
        say!("        name it in FIRMEZA_TRUSTED_PROXIES, and start the service again");
    }
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
