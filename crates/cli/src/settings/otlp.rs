//! The OpenTelemetry collector.

use super::BadSetting;
use super::source::{SettingsSource, bad_setting};
use http::header::{HeaderMap, HeaderName, HeaderValue};
use std::time::Duration;
use url::Url;

/// Where traces and metrics go.
#[derive(Debug, Clone)]
pub(crate) struct OtlpSettings {
    /// The address before `/v1/traces` and `/v1/metrics`.
    pub(crate) endpoint: Url,
    /// What every request to it has, such as a key; marked as sensitive.
    pub(crate) headers: HeaderMap,
    /// What this service is called there.
    pub(crate) service_name: String,
    /// The share of traces that is kept, from 0 to 1.
    pub(crate) sample_ratio: f64,
    /// How often metrics are sent, if they are.
    pub(crate) metrics_interval: Option<Duration>,
}

impl OtlpSettings {
    /// Reads them; nothing without an address.
    pub(super) fn read(source: &SettingsSource) -> Result<Option<Self>, BadSetting> {
        // Mistakes in the others are found even where they are not used.
        let headers = headers(source)?;
        let sample_ratio = ratio(source)?;
        let interval = Duration::from_secs(source.number("otlp_metrics_seconds"));
        let Some(endpoint) = source.url("otlp_endpoint") else {
            return Ok(None);
        };
        let is_bare = endpoint.username().is_empty() && endpoint.password().is_none();
        if !is_bare || endpoint.query().is_some() || endpoint.fragment().is_some() {
            return Err(bad_setting(
                "otlp_endpoint",
                "must be an address without a user, a query or a fragment: FIRMEZA_OTLP_HEADERS is for keys",
            ));
        }
        let is_here = endpoint
            .host_str()
            .is_some_and(web::http::client_address::is_this_machine);
        if !headers.is_empty() && endpoint.scheme() != "https" && !is_here {
            return Err(bad_setting(
                "otlp_headers",
                "need an https address in FIRMEZA_OTLP_ENDPOINT, or one of this machine",
            ));
        }
        Ok(Some(Self {
            endpoint,
            headers,
            service_name: source.get("otlp_service_name").unwrap_or_default(),
            sample_ratio,
            metrics_interval: (!interval.is_zero()).then_some(interval),
        }))
    }
}

fn ratio(source: &SettingsSource) -> Result<f64, BadSetting> {
    let ratio = source.parse::<f64>("otlp_sample_ratio").unwrap_or(0.0);
    if (0.0..=1.0).contains(&ratio) {
        Ok(ratio)
    } else {
        Err(bad_setting(
            "otlp_sample_ratio",
            "must be a number from 0 to 1, such as 0.1",
        ))
    }
}

/// `name=value` for each header.
fn headers(source: &SettingsSource) -> Result<HeaderMap, BadSetting> {
    let mut headers = HeaderMap::new();
    for pair in source.list("otlp_headers") {
        // The text of the pair is a secret, which must not come into a message.
        let header = pair.split_once('=').and_then(|(name, value)| {
            let name = HeaderName::try_from(name.trim()).ok()?;
            Some((name, HeaderValue::try_from(value.trim()).ok()?))
        });
        let Some((name, mut value)) = header else {
            return Err(bad_setting(
                "otlp_headers",
                "must be a list of name=value, such as x-api-key=secret",
            ));
        };
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}
