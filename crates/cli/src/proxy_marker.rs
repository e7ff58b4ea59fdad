//! A file in the data directory that says which proxy passes requests on without being trusted, so that `doctor`, which
//! is another process, can report it. There is at most one such file, and it is removed at every start.

use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use tokio::sync::watch;
use web::UnlistedProxy;

/// What the file says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Marker {
    pub(crate) address: IpAddr,
    /// In UTC.
    pub(crate) last_seen: String,
}

fn path(settings: &Settings) -> PathBuf {
    settings.data_dir.join("unlisted-proxy.json")
}

/// Removes what an earlier run noted: the settings may have changed since.
pub(crate) fn remove(settings: &Settings) {
    match std::fs::remove_file(path(settings)) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(%error, "the marker file of an untrusted proxy could not be removed");
        }
        _ => {}
    }
}

/// Notes every proxy that the pages hear of.
pub(crate) async fn note_each(settings: Settings, mut proxies: watch::Receiver<Option<UnlistedProxy>>) {
    while proxies.changed().await.is_ok() {
        let Some(proxy) = *proxies.borrow_and_update() else {
            continue;
        };
        let path = path(&settings);
        let noted = tokio::task::spawn_blocking(move || note(&path, proxy)).await;
        if let Ok(Err(error)) = noted {
            tracing::warn!(%error, "the marker file of an untrusted proxy could not be written");
        }
    }
}

fn note(path: &Path, proxy: UnlistedProxy) -> io::Result<()> {
    let last_seen = jiff::Timestamp::from_microsecond(proxy.at.as_micros()).map_err(io::Error::other)?;
    let marker = Marker {
        address: proxy.address,
        last_seen: last_seen.to_string(),
    };
    std::fs::write(path, serde_json::to_vec(&marker)?)
}

/// The proxy that was noted, unless the settings trust it now. A file that is being written is as good as none.
pub(crate) fn unlisted(settings: &Settings) -> Option<Marker> {
    let text = std::fs::read(path(settings)).ok()?;
    let marker: Marker = serde_json::from_slice(&text).ok()?;
    (!settings.trusted_proxies.contains(marker.address)).then_some(marker)
}
