//! The parts put together as the settings say.

use crate::certificates;
use crate::key_file;
use crate::settings::{BadSetting, CertificateKey, CertificateSettings, Environment, Settings, TsaSettings};
use app::operator::Operator;
use app::operator::backup::IncrementBackup;
use app::{App, Clock, MasterKey, Notary, NotarySettings, SystemRandom, TimeStamping};
use blobs::Blobs;
use data_encoding::HEXLOWER;
use delivery::{ClientIdentity, ProviderClient, TimestampClient};
use domain::InstanceId;
use pki::authority::{ExternalCredential, ExternalCredentialError, ExternalIssuer, Pkcs11Token};
use pki::trusted_list::TrustedList;
use std::error::Error;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use store::{MAX_HEARTBEAT_LIFETIME, Store};
use web::{MailboxToken, Web};

/// How long the database or the storage may take to respond to a health check.
const PART_TIMEOUT: Duration = Duration::from_secs(2);
/// For how long an issuer below another authority must still be valid when the service starts.
const MIN_ISSUER_LIFETIME: Duration = Duration::from_hours(24 * 30);

/// The master key. Where a rotation was killed after it had sealed everything again, its key is put in place first.
pub(crate) async fn master_key(settings: &Settings) -> Result<MasterKey, Box<dyn Error>> {
    if let Some(next) = settings.next_master_key()?
        && was_rotated_to(settings, next).await?
    {
        match key_file::replace(&settings.next_key_path(), &settings.own_key_path()) {
            // Another process did the same.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            replaced => replaced?,
        }
    }
    Ok(settings.master_key()?)
}

/// Whether the database is sealed with that key since its last rotation.
pub(crate) async fn was_rotated_to(settings: &Settings, key: MasterKey) -> Result<bool, Box<dyn Error>> {
    let database = settings.database.clone();
    let asked = tokio::task::spawn_blocking(move || {
        database.migrate()?;
        app::operator::master_key::was_rotated_to(&database, &key)
    });
    Ok(asked.await??)
}

/// Opens and migrates the database without the history key, which comes from the master key: no events can be written or checked.
pub(crate) async fn open_store(settings: &Settings) -> Result<Store, Box<dyn Error>> {
    make_data_dir(settings)?;
    let (database, options) = (settings.database.clone(), options(settings));
    Ok(tokio::task::spawn_blocking(move || Store::open_with(&database, None, options)).await??)
}

fn options(settings: &Settings) -> store::Options {
    store::Options {
        pool: settings.pool,
        ..store::Options::default()
    }
}

/// Brings the database up to date, with the role that may. Returns the schema version.
pub(crate) async fn migrate(settings: &Settings) -> Result<i64, Box<dyn Error>> {
    make_data_dir(settings)?;
    let given = settings.migrate_database.as_ref();
    let database = given.unwrap_or(&settings.database).clone();
    let migrated = tokio::task::spawn_blocking(move || {
        database.migrate()?;
        database.read_dedicated(store::applied_version)
    });
    Ok(migrated.await??)
}

/// The same with the key of the histories, and the master key with what outlived an earlier one.
pub(crate) async fn open_with_histories(
    settings: &Settings,
    master: MasterKey,
) -> Result<(Store, MasterKey), Box<dyn Error>> {
    make_data_dir(settings)?;
    let (database, options) = (settings.database.clone(), options(settings));
    let opened = tokio::task::spawn_blocking(move || {
        app::shared::history_key::open_store_with(&database, master, options)
    });
    Ok(opened.await??)
}

fn make_data_dir(settings: &Settings) -> std::io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&settings.data_dir)
}

/// What the operator's commands work with.
pub(crate) async fn open_operator(settings: &Settings) -> Result<Operator, Box<dyn Error>> {
    let store = open_store(settings).await?;
    let clock = clock(settings, &store).await?;
    Ok(Operator::new(store, clock))
}

/// The system's clock; a sandbox's may have been moved.
async fn clock(settings: &Settings, store: &Store) -> Result<Clock, store::Error> {
    if settings.environment != Environment::Sandbox {
        return Ok(Clock::System);
    }
    let offset = store.read(|tx| tx.sandbox_clock_offset()).await?;
    Ok(Clock::sandbox(offset))
}

/// Opens the documents' storage.
pub(crate) async fn open_blobs(settings: &Settings) -> Result<Blobs, Box<dyn Error>> {
    let (location, temp_files) = (settings.blobs.clone(), settings.temp_files());
    Ok(tokio::task::spawn_blocking(move || Blobs::open(&location, &temp_files)).await??)
}

/// Opens the storage that damaged documents are mended from, if there is one.
pub(crate) async fn open_spare_blobs(settings: &Settings) -> Result<Option<Blobs>, Box<dyn Error>> {
    let Some(location) = settings.spare_blobs.clone() else {
        return Ok(None);
    };
    let temp_files = settings.temp_files();
    let opened = tokio::task::spawn_blocking(move || Blobs::open(&location, &temp_files)).await?;
    let opened = opened.map_err(|error| format!("FIRMEZA_SPARE_BLOBS_URL: {error}"))?;
    Ok(Some(opened))
}

/// What the authority needs to know.
pub(crate) fn notary_settings(settings: &Settings) -> Result<NotarySettings, Box<dyn Error>> {
    Ok(NotarySettings {
        base_url: settings.base_url.clone(),
        timezone: settings.timezone.clone(),
        time_stamping: time_stamping(settings)?,
        trusted: trusted_lists(settings)?,
        token: settings.token.clone(),
        certifying: certifying(settings)?,
        issuing: issuing(settings)?,
        sandbox: settings.environment == Environment::Sandbox,
    })
}

/// The authorities of all trusted lists together.
pub(crate) fn trusted_lists(settings: &Settings) -> Result<TrustedList, Box<dyn Error>> {
    let mut all = TrustedList::default();
    for path in &settings.trusted_lists {
        let list = crate::trusted_lists::read(path);
        all.extend(list.map_err(|error| format!("FIRMEZA_TRUSTED_LISTS {}: {error}", path.display()))?);
    }
    Ok(all)
}

/// The certificate of another authority with which documents are certified, if there is one.
pub(crate) fn certifying(settings: &Settings) -> Result<Option<ExternalCredential>, Box<dyn Error>> {
    let open = |given| external_credential(given, settings, "FIRMEZA_CERTIFICATE");
    settings.certificate.as_ref().map(open).transpose()
}

/// The issuer below another authority, if there is one.
pub(crate) fn issuing(settings: &Settings) -> Result<Option<ExternalIssuer>, Box<dyn Error>> {
    const NAME: &str = "FIRMEZA_ISSUER";
    let Some(given) = &settings.issuer else {
        return Ok(None);
    };
    let credential = external_credential(given, settings, NAME)?;
    let now = Clock::System.now();
    let least = jiff::Timestamp::from_microsecond(now.after(MIN_ISSUER_LIFETIME).as_micros())?;
    let now = jiff::Timestamp::from_microsecond(now.as_micros())?;
    let issuer = ExternalIssuer::new(&credential, now, least);
    Ok(Some(issuer.map_err(|error| format!("{NAME}_FILE: {error}"))?))
}

/// A certificate of another authority and its key, which these settings name.
fn external_credential(
    given: &CertificateSettings,
    settings: &Settings,
    name: &str,
) -> Result<ExternalCredential, Box<dyn Error>> {
    let mut others = Vec::new();
    if let Some(path) = &given.chain {
        let read = certificates::read(path);
        others = read.map_err(|error| format!("{name}_CHAIN {}: {error}", path.display()))?;
    }
    let now = jiff::Timestamp::from_microsecond(Clock::System.now().as_micros())?;
    Ok(match (&given.key, &settings.token) {
        (CertificateKey::File { path, password }, _) => {
            let name = || format!("{name}_FILE {}", path.display());
            let file = std::fs::read(path).map_err(|error| format!("{}: {error}", name()))?;
            ExternalCredential::from_pkcs12(&file, password, others, now)
                .map_err(|error| format!("{}: {error}", name()))?
        }
        (CertificateKey::InToken(label), Some(token)) => {
            let in_token = |error| format!("{name}_KEY {label}: {error}");
            let token = Pkcs11Token::open(&token.module, &token.label, &token.pin);
            let token = token.map_err(|error| in_token(ExternalCredentialError::from(error)))?;
            let key = token.key(label).map_err(|error| in_token(error.into()))?;
            others.extend(token.certificates().map_err(|error| in_token(error.into()))?);
            ExternalCredential::new(Arc::new(key), others, now).map_err(in_token)?
        }
        (CertificateKey::InToken(_), None) => return Err(format!("{name}_KEY needs a token").into()),
    })
}

/// Other authorities for timestamps.
pub(crate) fn time_stamping(settings: &Settings) -> Result<Vec<TimeStamping>, Box<dyn Error>> {
    settings.tsa.iter().map(authority).collect()
}

fn authority(tsa: &TsaSettings) -> Result<TimeStamping, Box<dyn Error>> {
    let path = &tsa.roots;
    let roots = certificates::read(path);
    let roots = roots.map_err(|error| format!("FIRMEZA_TSA_ROOTS {}: {error}", path.display()))?;
    let read = |path: &PathBuf| {
        let named = |error: &dyn std::fmt::Display| {
            format!("FIRMEZA_TSA_CLIENT_CERTIFICATES {}: {error}", path.display())
        };
        let pem = std::fs::read(path).map_err(|error| named(&error))?;
        ClientIdentity::from_pem(&pem).map_err(|error| named(&error))
    };
    let identity = tsa.client_certificate.as_ref().map(read).transpose()?;
    let client = TimestampClient::new(&tsa.url, identity);
    let client = client.map_err(|error| format!("FIRMEZA_TSA_URL: {error}"))?;
    let name = tsa.url.host_str().unwrap_or_default();
    Ok(TimeStamping::new(name, Arc::new(client), roots))
}

/// Everything, for an instance that leases work: it counts as running from before its keys are read, so that none reads
/// the old ones while they are rotated.
pub(crate) async fn open_instance(settings: &Settings) -> Result<App, Box<dyn Error>> {
    make_data_dir(settings)?;
    let instance = InstanceId::random(&mut SystemRandom);
    let database = settings.database.clone();
    tokio::task::spawn_blocking(move || {
        database.migrate()?;
        database.write_dedicated(|tx| {
            let until = tx.database_clock()?.after(MAX_HEARTBEAT_LIFETIME);
            tx.beat(instance, until)
        })
    })
    .await??;
    match open_app(settings).await {
        Ok(app) => {
            let app = app.with_instance(instance);
            app.beat().await?;
            Ok(app)
        }
        Err(error) => {
            let database = settings.database.clone();
            tokio::task::spawn_blocking(move || database.write_dedicated(|tx| tx.end_instance(instance)))
                .await??;
            Err(error)
        }
    }
}

/// Everything.
pub(crate) async fn open_app(settings: &Settings) -> Result<App, Box<dyn Error>> {
    make_data_dir(settings)?;
    let (store, master) = open_with_histories(settings, master_key(settings).await?).await?;
    let blobs = open_blobs(settings).await?;
    let spare = open_spare_blobs(settings).await?;
    let clock = clock(settings, &store).await?;
    let notary = Notary::open(&store, &master, &clock, notary_settings(settings)?).await?;
    let app = App::new(
        store,
        blobs,
        clock,
        &master,
        &settings.sign_app_url,
        notary,
        settings.policy.clone(),
    );
    let providers = ProviderClient::new(settings.policy.webhooks.clone())?;
    let app = app.with_identity_providers(Arc::new(providers));
    let Some(spare) = spare else { return Ok(app) };
    let app = app.with_spare_blobs(spare);
    let backup = settings
        .spare_blobs
        .as_ref()
        .and_then(IncrementBackup::directory_of);
    Ok(match backup {
        Some(directory) => app.with_spare_backup(&directory),
        None => app,
    })
}

/// What opens the mailbox from another machine, where there is a mailbox: the same at every start, since it follows from
/// the master key.
pub(crate) fn mailbox_token(settings: &Settings) -> Result<Option<MailboxToken>, BadSetting> {
    if !settings.has_mailbox() {
        return Ok(None);
    }
    let key = settings.master_key()?.derive("mailbox token");
    Ok(Some(MailboxToken::new(HEXLOWER.encode(&key[..16]))))
}

/// The handlers over it.
pub(crate) fn web(settings: &Settings, app: App, mailbox: Option<MailboxToken>) -> Web {
    let settings = web::Settings {
        base_url: settings.base().to_owned(),
        timezone: settings.timezone.clone(),
        rate_limits: settings.rate_limits,
        request_bytes: settings.request_bytes,
        body_grace: settings.body_grace,
        part_timeout: PART_TIMEOUT,
        trusted_proxies: settings.trusted_proxies.clone(),
        mailbox,
        email_reports: settings.messages.email_reports.clone(),
        watched_directories: watched_directories(settings),
    };
    Web::new(app, settings)
}

/// Where the installation itself writes; a database server and S3 have their own disks.
pub(crate) fn watched_directories(settings: &Settings) -> Vec<(&'static str, PathBuf)> {
    let mut places = vec![("data", settings.data_dir.clone())];
    if let blobs::Location::Directory(path) = &settings.blobs {
        places.push(("documents", path.clone()));
    }
    if let store::Settings::Sqlite(path) = &settings.database {
        places.extend(path.parent().map(|parent| ("database", parent.to_owned())));
    }
    places
}
