//! Settings: `FIRMEZA_…` variables first, then `firmeza.toml`, then what needs nothing at all.

mod certificate;
mod master_key;
mod messages;
mod source;
mod tsa;

use app::{Policy, TokenSettings, WebhookPolicy};
pub(crate) use certificate::{CertificateKey, CertificateSettings};
use jiff::tz::TimeZone;
use master_key::GivenKey;
pub(crate) use messages::{Messages, NO_SMS};
use source::{SettingsSource, as_url, bad_setting};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing_subscriber::EnvFilter;
pub(crate) use tsa::TsaSettings;
use url::Url;
use web::{RateLimits, TrustedProxies};

/// The most connections of a kind: each has a thread.
const MAX_POOL_SIZE: u64 = 256;

/// What the installation is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Environment {
    /// Trying things out.
    Sandbox,
    /// Real contracts.
    Production,
}

/// Where operators' tools ask for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MetricsListen {
    /// Nowhere.
    Off,
    /// There, or not at all.
    Configured(SocketAddr),
    /// At the default address, unless another program has it.
    Default(SocketAddr),
}

/// Everything that can be set.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) environment: Environment,
    pub(crate) listen: SocketAddr,
    pub(crate) metrics_listen: MetricsListen,
    /// Connections of one client; 0 for any number.
    pub(crate) connections_per_client: usize,
    pub(crate) base_url: Url,
    pub(crate) sign_app_url: Url,
    pub(crate) data_dir: PathBuf,
    pub(crate) database: store::Settings,
    /// Connections to a database server.
    pub(crate) pool: store::PoolSizes,
    /// The same database with a role that may change the schema, if it is another.
    pub(crate) migrate_database: Option<store::Settings>,
    pub(crate) blobs: blobs::Location,
    /// Where damaged documents are mended from.
    pub(crate) spare_blobs: Option<blobs::Location>,
    pub(crate) timezone: TimeZone,
    /// Other authorities for timestamps, the preferred one first.
    pub(crate) tsa: Vec<TsaSettings>,
    /// Files with trusted lists.
    pub(crate) trusted_lists: Vec<PathBuf>,
    pub(crate) token: Option<TokenSettings>,
    pub(crate) certificate: Option<CertificateSettings>,
    /// An issuer below another authority.
    pub(crate) issuer: Option<CertificateSettings>,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) rate_limits: RateLimits,
    pub(crate) request_bytes: u64,
    pub(crate) body_grace: Duration,
    pub(crate) policy: Policy,
    pub(crate) messages: Messages,
    pub(crate) log: EnvFilter,
    pub(crate) log_json: bool,
    given_key: Option<GivenKey>,
}

/// Settings that make no sense.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadSetting {
    #[error("{name}: {problem}")]
    Value { name: String, problem: String },
    #[error("the settings file {path}: {problem}")]
    File { path: PathBuf, problem: String },
    #[error("in production {0}")]
    Production(&'static str),
    #[error("the master key in {path}: {problem}")]
    MasterKey { path: PathBuf, problem: String },
}

impl Settings {
    /// Reads the settings.
    pub(crate) fn load() -> Result<Self, BadSetting> {
        let settings = Self::read(&SettingsSource::open()?)?;
        if settings.environment == Environment::Production {
            settings.check_production()?;
        }
        Ok(settings)
    }

    fn read(source: &SettingsSource) -> Result<Self, BadSetting> {
        let environment = source.one_of("environment", &["sandbox", "production"])?;
        let environment = if environment == Some(1) {
            Environment::Production
        } else {
            Environment::Sandbox
        };
        let production = environment == Environment::Production;
        let listen = source
            .parse("listen")?
            .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        let base_url = match source.host_url("base_url")? {
            Some(url) => url,
            None => as_url("listen", &format!("http://{listen}"))?,
        };
        let data_dir: PathBuf = source
            .get("data_dir")
            .map_or_else(|| "firmeza-data".into(), PathBuf::from);
        let defaults = Policy::default();
        let megabytes = |bytes: u64| bytes >> 20;
        let document_bytes = source.number("max_document_mb", megabytes(defaults.document_bytes))? << 20;
        let mut pdf = defaults.pdf.clone();
        pdf.bytes = usize::try_from(document_bytes).unwrap_or(usize::MAX);
        let days = |name, default| -> Result<Option<Duration>, BadSetting> {
            let days = source.number(name, default)?;
            Ok((days > 0).then(|| Duration::from_secs(days.saturating_mul(24 * 60 * 60))))
        };
        let policy = Policy {
            document_bytes,
            documents: count(source.number("max_documents", defaults.documents as u64)?),
            pdf,
            resends_in_ten_minutes: count(source.number("resends_in_ten_minutes", 10)?),
            resends_in_a_day: count(source.number("resends_in_a_day", 50)?),
            codes_to_recipient_a_day: defaults.codes_to_recipient_a_day,
            webhooks: webhook_policy(source, production)?,
            folio_lifetime: days("folio_lifetime_days", 0)?,
            scrub_round: days("scrub_days", 30)?,
        };
        let (requests, creates) = if production { (600, 120) } else { (0, 0) };
        let limit = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let messages = Messages::read(source)?;
        Ok(Self {
            environment,
            listen,
            metrics_listen: metrics_listen(source)?,
            connections_per_client: count(source.number("connections_per_client", 256)?),
            sign_app_url: source
                .host_url("sign_app_url")?
                .unwrap_or_else(|| base_url.clone()),
            base_url,
            database: database(source, "database_url")?
                .unwrap_or_else(|| store::Settings::Sqlite(data_dir.join("firmeza.sqlite"))),
            pool: pool_sizes(source)?,
            migrate_database: database(source, "migrate_database_url")?,
            blobs: blob_location(source, &data_dir)?,
            spare_blobs: location(source, "spare_blobs_url")?,
            timezone: source.timezone()?,
            tsa: TsaSettings::read(source)?,
            trusted_lists: source
                .list("trusted_lists")
                .into_iter()
                .map(PathBuf::from)
                .collect(),
            token: token(source)?,
            certificate: CertificateSettings::read(source)?,
            issuer: CertificateSettings::read_issuer(source)?,
            trusted_proxies: source.parse("trusted_proxies")?.unwrap_or_default(),
            rate_limits: RateLimits {
                requests: limit(source.number("requests_per_minute", requests)?),
                creates: limit(source.number("creates_per_minute", creates)?),
            },
            request_bytes: source.number("max_request_mb", 100)? << 20,
            body_grace: Duration::from_secs(source.number("body_grace_seconds", 10)?),
            policy,
            messages,
            log: source.parse("log")?.unwrap_or_else(|| EnvFilter::new("info")),
            log_json: source
                .one_of("log_format", &["text", "json"])?
                .map_or(production, |format| format == 1),
            given_key: GivenKey::read(source)?,
            data_dir,
        })
    }

    fn check_production(&self) -> Result<(), BadSetting> {
        if self.base_url.scheme() != "https" {
            return Err(BadSetting::Production(
                "FIRMEZA_BASE_URL must be an https address",
            ));
        }
        if self.sign_app_url.scheme() != "https" {
            return Err(BadSetting::Production(
                "FIRMEZA_SIGN_APP_URL must be an https address",
            ));
        }
        if self.given_key.is_none() {
            return Err(BadSetting::Production(
                "FIRMEZA_MASTER_KEY_FILE or FIRMEZA_MASTER_KEY must be set: 64 hexadecimal characters, kept safe and the \
                 same in every instance",
            ));
        }
        if self.messages.smtp.is_none() {
            return Err(BadSetting::Production("FIRMEZA_SMTP_URL must name a mail server"));
        }
        Ok(())
    }

    /// Whether the whole service is for this machine.
    pub(crate) fn is_for_this_machine(&self) -> bool {
        self.base_url
            .host_str()
            .is_some_and(web::http::client_address::is_this_machine)
    }

    /// The base address without a slash at its end.
    pub(crate) fn base(&self) -> &str {
        self.base_url.as_str().trim_end_matches('/')
    }

    /// The directory of temporary files of uploads.
    pub(crate) fn temp_files(&self) -> PathBuf {
        self.data_dir.join("incoming")
    }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// In production webhooks are public and spoken to with TLS; a sandbox may have them on the same machine.
fn webhook_policy(source: &SettingsSource, production: bool) -> Result<WebhookPolicy, BadSetting> {
    let loopback = source.one_of("webhooks_to_loopback", &["false", "true"])? == Some(1);
    if loopback && production {
        return Err(BadSetting::Production(
            "FIRMEZA_WEBHOOKS_TO_LOOPBACK must not be set: it is for trying things out",
        ));
    }
    Ok(WebhookPolicy {
        plain_http: !production,
        loopback,
        ports: ports(source)?,
        networks: source.parse("webhook_networks")?.unwrap_or_default(),
    })
}

fn ports(source: &SettingsSource) -> Result<Vec<u16>, BadSetting> {
    let port = |text: &str| text.parse::<u16>().ok().filter(|port| *port > 0);
    let texts = source.list("webhook_ports");
    texts
        .iter()
        .map(|text| port(text).ok_or_else(|| bad_setting("webhook_ports", format!("`{text}` is not a port"))))
        .collect()
}

fn metrics_listen(source: &SettingsSource) -> Result<MetricsListen, BadSetting> {
    match source.get("metrics_listen").as_deref() {
        None => Ok(MetricsListen::Default(SocketAddr::from(([127, 0, 0, 1], 9464)))),
        Some("off") => Ok(MetricsListen::Off),
        Some(text) => text.parse().map(MetricsListen::Configured).map_err(|_| {
            bad_setting(
                "metrics_listen",
                "must be an address with a port, such as 127.0.0.1:9464, or off",
            )
        }),
    }
}

/// The token that holds the authority's keys: all of it, or nothing.
fn token(source: &SettingsSource) -> Result<Option<TokenSettings>, BadSetting> {
    let [module, label, pin] = ["pkcs11_module", "pkcs11_token", "pkcs11_pin"].map(|name| source.get(name));
    match (module, label, pin) {
        (None, None, None) => Ok(None),
        (Some(module), Some(label), Some(pin)) => Ok(Some(TokenSettings {
            module: module.into(),
            label,
            pin,
        })),
        _ => Err(bad_setting(
            "pkcs11_module",
            "a token needs FIRMEZA_PKCS11_MODULE, FIRMEZA_PKCS11_TOKEN and FIRMEZA_PKCS11_PIN",
        )),
    }
}

fn database(source: &SettingsSource, name: &str) -> Result<Option<store::Settings>, BadSetting> {
    let Some(url) = source.get(name) else {
        return Ok(None);
    };
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(Some(store::Settings::Postgres(url)));
    }
    match url.strip_prefix("sqlite:") {
        Some(path) => Ok(Some(store::Settings::Sqlite(
            path.trim_start_matches("//").into(),
        ))),
        None => Err(bad_setting(name, "must begin with postgres:// or sqlite:")),
    }
}

fn pool_sizes(source: &SettingsSource) -> Result<store::PoolSizes, BadSetting> {
    let defaults = store::PoolSizes::default();
    let size = |name, default: usize| match source.number(name, default as u64)? {
        size @ 1..=MAX_POOL_SIZE => Ok(count(size)),
        _ => Err(bad_setting(
            name,
            format!("must be a number from 1 to {MAX_POOL_SIZE}"),
        )),
    };
    Ok(store::PoolSizes {
        readers: size("database_readers", defaults.readers)?,
        writers: size("database_writers", defaults.writers)?,
    })
}

fn blob_location(source: &SettingsSource, data_dir: &Path) -> Result<blobs::Location, BadSetting> {
    let given = location(source, "blobs_url")?;
    Ok(given.unwrap_or_else(|| blobs::Location::Directory(data_dir.join("documents"))))
}

/// The storage that a setting names.
fn location(source: &SettingsSource, name: &str) -> Result<Option<blobs::Location>, BadSetting> {
    match source.get(name) {
        None => Ok(None),
        Some(url) if url.starts_with("s3://") => Ok(Some(blobs::Location::S3(url))),
        Some(url) => match url.strip_prefix("file:") {
            Some(path) => Ok(Some(blobs::Location::Directory(
                path.trim_start_matches("//").into(),
            ))),
            None => Err(bad_setting(name, "must begin with s3:// or file:")),
        },
    }
}
