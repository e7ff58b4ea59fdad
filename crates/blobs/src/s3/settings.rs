//! How the server is reached: the address, the usual `AWS_…` variables, and limits of time.

use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientConfigKey, RetryConfig};

use crate::Error;

/// After this, no further attempt begins; with the last attempt's own limit, all is over within 10 s.
const RETRY_TIMEOUT: Duration = Duration::from_secs(4);

/// Ours first, so that a variable (`AWS_TIMEOUT`, `AWS_ALLOW_HTTP`, …) can overrule it.
pub(super) fn from_environment() -> AmazonS3Builder {
    std::env::vars_os().fold(defaults(), |builder, (name, value)| {
        let key = name.to_str().filter(|name| name.starts_with("AWS_"));
        let key = key.and_then(|name| name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>().ok());
        match (key, value.to_str()) {
            (Some(key), Some(value)) => builder.with_config(key, value),
            _ => builder,
        }
    })
}

pub(super) fn defaults() -> AmazonS3Builder {
    AmazonS3Builder::new()
        .with_config(
            AmazonS3ConfigKey::Client(ClientConfigKey::ConnectTimeout),
            "2 seconds",
        )
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), "5 seconds")
        .with_config(AmazonS3ConfigKey::VirtualHostedStyleRequest, "false")
        // One object is removed at a time, and not every server knows the other way.
        .with_config(AmazonS3ConfigKey::DisableBulkDelete, "true")
}

pub(super) fn retry() -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(50),
        max_backoff: Duration::from_secs(1),
        base: 2.0,
    };
    RetryConfig {
        backoff,
        max_retries: 3,
        retry_timeout: RETRY_TIMEOUT,
    }
}

/// `s3://bucket/prefix`: the bucket, and the prefix, either empty or ending with a slash.
pub(super) fn bucket_and_prefix(address: &str) -> Result<(&str, String), Error> {
    let wrong = || Error::Address(address.to_owned());
    let rest = address.strip_prefix("s3://").ok_or_else(wrong)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    if bucket.is_empty() || bucket.contains([' ', '?', '#', '@', ':']) {
        return Err(wrong());
    }
    let mut prefix: String = Path::parse(prefix).map_err(|_| wrong())?.into();
    if !prefix.is_empty() {
        prefix.push('/');
    }
    Ok((bucket, prefix))
}
