//! Settings: `FIRMEZA_…` variables first, then `firmeza.toml`, then what needs nothing at all.

mod certificate;
mod master_key;
mod messages;
mod otlp;
mod source;
mod table;
mod template;
mod tsa;

use app::{Policy, TokenSettings, WebhookPolicy};
pub(crate) use certificate::{CertificateKey, CertificateSettings};
use jiff::tz::TimeZone;
use master_key::GivenKey;
pub(crate) use messages::{Messages, NO_SMS, PLAIN_SMS};
pub(crate) use otlp::OtlpSettings;
pub(crate) use source::{Origin, SettingsSource, variable};
use source::{as_url, bad_setting};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
pub(crate) use table::{DefaultValue, GROUPS, Secret, Setting};
pub(crate) use template::{quoted, template};
use tracing_subscriber::EnvFilter;
pub(crate) use tsa::{OWN_TIMESTAMPS, TsaSettings};
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
    /// How long `/ready` says that the instance stops before it does.
    pub(crate) lame_duck: Duration,
    pub(crate) policy: Policy,
    pub(crate) messages: Messages,
    pub(crate) log: EnvFilter,
    pub(crate) log_json: bool,
    /// Where traces and metrics go, if anywhere.
    pub(crate) otlp: Option<OtlpSettings>,
    given_key: Option<GivenKey>,
}

/// A setting that makes no sense.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadSetting {
    #[error("{name}: {problem}")]
    Value { name: String, problem: String },
    #[error("the settings file {path}: {problem}")]
    File { path: PathBuf, problem: String },
    #[error("the master key in {path}: {problem}")]
    MasterKey { path: PathBuf, problem: String },
}

impl Settings {
    /// Reads the settings; all problems at once.
    pub(crate) fn load() -> Result<Self, Vec<BadSetting>> {
        let source = SettingsSource::open();
        let settings = Self::read(&source);
        match (settings, source.into_problems()) {
            (Some(settings), problems) if problems.is_empty() => Ok(settings),
            (_, problems) => Err(problems),
        }
    }

    /// Reads what makes sense, and leaves the problems with the source.
    fn read(source: &SettingsSource) -> Option<Self> {
        let environment = match source.one_of("environment", &["sandbox", "production"]) {
            1 => Environment::Production,
            _ => Environment::Sandbox,
        };
        let listen = source
            .parse("listen")
            .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        let given_key = GivenKey::read(source).map_err(|problem| source.complain(problem));
        let data_dir = PathBuf::from(source.get("data_dir").unwrap_or_default());
        let base_url = base_url(source, listen)?;
        let settings = Self {
            environment,
            listen,
            metrics_listen: metrics_listen(source),
            connections_per_client: count(source.number("connections_per_client")),
            sign_app_url: source
                .host_url("sign_app_url")
                .unwrap_or_else(|| base_url.clone()),
            base_url,
            database: database(source, "database_url")
                .unwrap_or_else(|| store::Settings::Sqlite(data_dir.join("firmeza.sqlite"))),
            pool: store::PoolSizes {
                readers: pool_size(source, "database_readers"),
                writers: pool_size(source, "database_writers"),
            },
            migrate_database: database(source, "migrate_database_url"),
            blobs: location(source, "blobs_url")
                .unwrap_or_else(|| blobs::Location::Directory(data_dir.join("documents"))),
            spare_blobs: location(source, "spare_blobs_url"),
            timezone: timezone(source),
            tsa: source.or_complain(TsaSettings::read(source), Vec::new()),
            trusted_lists: source
                .list("trusted_lists")
                .into_iter()
                .map(PathBuf::from)
                .collect(),
            token: source.or_complain(token(source), None),
            certificate: source.or_complain(CertificateSettings::read(source), None),
            issuer: source.or_complain(CertificateSettings::read_issuer(source), None),
            trusted_proxies: source.parse("trusted_proxies").unwrap_or_default(),
            rate_limits: RateLimits {
                requests: u32::try_from(source.number("requests_per_minute")).unwrap_or(u32::MAX),
                creates: u32::try_from(source.number("creates_per_minute")).unwrap_or(u32::MAX),
            },
            request_bytes: source.number("max_request_mb") << 20,
            body_grace: Duration::from_secs(source.number("body_grace_seconds")),
            lame_duck: Duration::from_secs(source.number("lame_duck_seconds")),
            policy: policy(source),
            messages: Messages::read(source),
            log: source.parse("log").unwrap_or_default(),
            log_json: source.one_of("log_format", &["text", "json"]) == 1,
            otlp: source.or_complain(OtlpSettings::read(source), None),
            given_key: given_key.as_ref().ok().cloned().flatten(),
            data_dir,
        };
        if environment == Environment::Production {
            settings.check_production(source, matches!(given_key, Ok(None)));
        }
        Some(settings)
    }

    fn check_production(&self, source: &SettingsSource, lacks_key: bool) {
        let plain_base = self.base_url.scheme() != "https";
        let plain_links = source.is_set("sign_app_url") && self.sign_app_url.scheme() != "https";
        for (wrong, name, problem) in [
            (plain_base, "base_url", "must be an https address in production"),
            (
                plain_links,
                "sign_app_url",
                "must be an https address in production",
            ),
            (
                lacks_key,
                "master_key_file",
                "or FIRMEZA_MASTER_KEY must be set in production: 64 hexadecimal characters, kept safe and the same in \
                 every instance",
            ),
            (
                self.messages.smtp.is_none(),
                "smtp_url",
                "must name a mail server in production",
            ),
            (
                self.policy.webhooks.loopback,
                "webhooks_to_loopback",
                "must not be set in production: it is for trying things out",
            ),
        ] {
            if wrong {
                source.complain(bad_setting(name, problem));
            }
        }
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

/// The address of the service: the one that was set, or where it listens.
fn base_url(source: &SettingsSource, listen: SocketAddr) -> Option<Url> {
    let own = || source.or_complain(as_url("listen", &format!("http://{listen}")).map(Some), None);
    source.host_url("base_url").or_else(own)
}

fn timezone(source: &SettingsSource) -> TimeZone {
    let name = source.get("timezone").unwrap_or_default();
    let timezone = TimeZone::get(&name).map_err(|error| bad_setting("timezone", error.to_string()));
    source.or_complain(timezone, TimeZone::UTC)
}

fn policy(source: &SettingsSource) -> Policy {
    let defaults = Policy::default();
    let document_bytes = source.number("max_document_mb") << 20;
    let mut pdf = defaults.pdf.clone();
    pdf.bytes = usize::try_from(document_bytes).unwrap_or(usize::MAX);
    let days = |name| {
        let days = source.number(name);
        (days > 0).then(|| Duration::from_secs(days.saturating_mul(24 * 60 * 60)))
    };
    Policy {
        document_bytes,
        documents: count(source.number("max_documents")),
        pdf,
        resends_in_ten_minutes: count(source.number("resends_in_ten_minutes")),
        resends_in_a_day: count(source.number("resends_in_a_day")),
        webhooks: WebhookPolicy {
            // In production webhooks are spoken to with TLS.
            plain_http: !source.is_production(),
            loopback: source.one_of("webhooks_to_loopback", &["false", "true"]) == 1,
            ports: ports(source),
            networks: source.parse("webhook_networks").unwrap_or_default(),
        },
        folio_lifetime: days("folio_lifetime_days"),
        scrub_round: days("scrub_days"),
        ..defaults
    }
}

fn ports(source: &SettingsSource) -> Vec<u16> {
    let port = |text: &str| text.parse::<u16>().ok().filter(|port| *port > 0);
    let texts = source.list("webhook_ports");
    let ports = texts.iter().map(|text| {
        port(text).ok_or_else(|| bad_setting("webhook_ports", format!("`{text}` is not a port")))
    });
    source.or_complain(ports.collect(), Vec::new())
}

fn metrics_listen(source: &SettingsSource) -> MetricsListen {
    let text = source.get("metrics_listen").unwrap_or_default();
    if text == "off" {
        return MetricsListen::Off;
    }
    let address = text.parse::<SocketAddr>().map_err(|_| {
        bad_setting(
            "metrics_listen",
            "must be an address with a port, such as 127.0.0.1:9464, or off",
        )
    });
    let listen = if source.is_set("metrics_listen") {
        MetricsListen::Configured
    } else {
        MetricsListen::Default
    };
    source.or_complain(address.map(listen), MetricsListen::Off)
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

fn database(source: &SettingsSource, name: &str) -> Option<store::Settings> {
    let url = source.get(name)?;
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Some(store::Settings::Postgres(url));
    }
    let path = url.strip_prefix("sqlite:");
    if path.is_none() {
        source.complain(bad_setting(name, "must begin with postgres:// or sqlite:"));
    }
    Some(store::Settings::Sqlite(path?.trim_start_matches("//").into()))
}

fn pool_size(source: &SettingsSource, name: &str) -> usize {
    let size = source.number(name);
    if !(1..=MAX_POOL_SIZE).contains(&size) {
        let problem = format!("must be a number from 1 to {MAX_POOL_SIZE}");
        source.complain(bad_setting(name, problem));
    }
    count(size)
}

/// The storage that a setting names.
fn location(source: &SettingsSource, name: &str) -> Option<blobs::Location> {
    let url = source.get(name)?;
    if url.starts_with("s3://") {
        return Some(blobs::Location::S3(url));
    }
    let path = url.strip_prefix("file:");
    if path.is_none() {
        source.complain(bad_setting(name, "must begin with s3:// or file:"));
    }
    Some(blobs::Location::Directory(path?.trim_start_matches("//").into()))
}
