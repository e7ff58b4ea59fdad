//! Other authorities for timestamps.

use super::BadSetting;
use super::source::{SettingsSource, as_url, bad_setting};
use std::path::PathBuf;
use url::Url;

/// The warning of an installation whose timestamps are all its own.
pub(crate) const OWN_TIMESTAMPS: &str =
    "all are made by the installation itself: no third party vouches for the time";

/// Authorities that can be named.
const MAX_AUTHORITIES: usize = 8;
/// In a list of files, the place of an authority that needs none.
const NONE: &str = "-";

/// One authority.
#[derive(Clone)]
pub(crate) struct TsaSettings {
    /// Its address; a user and a password in it are for HTTP's basic authentication.
    pub(crate) url: Url,
    /// The file with its root certificates.
    pub(crate) roots: PathBuf,
    /// The file with the certificate, and its key, that its server asks for.
    pub(crate) client_certificate: Option<PathBuf>,
}

/// Without user and password, which must not come into a log.
impl std::fmt::Debug for TsaSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TsaSettings")
            .field("host", &self.url.host_str())
            .field("roots", &self.roots)
            .field("client_certificate", &self.client_certificate)
            .finish_non_exhaustive()
    }
}

impl TsaSettings {
    /// Reads the lists, whose places belong together. Timestamps may travel over plain http: they are signed, and the
    /// roots authenticate the signer.
    pub(super) fn read(source: &SettingsSource) -> Result<Vec<Self>, BadSetting> {
        let urls = source.list("tsa_url");
        let roots = source.list("tsa_roots");
        let certificates = source.list("tsa_client_certificates");
        if urls.len() > MAX_AUTHORITIES {
            return Err(bad_setting(
                "tsa_url",
                format!("names more than {MAX_AUTHORITIES} authorities"),
            ));
        }
        if roots.len() < urls.len() {
            return Err(bad_setting(
                "tsa_roots",
                "must name a file with each authority's root certificates (PEM or DER)",
            ));
        }
        if roots.len() > urls.len() {
            return Err(bad_setting(
                "tsa_roots",
                "names more files than FIRMEZA_TSA_URL has addresses",
            ));
        }
        if !certificates.is_empty() && certificates.len() != urls.len() {
            let problem = "must name a file for each address of FIRMEZA_TSA_URL, or - where none is needed";
            return Err(bad_setting("tsa_client_certificates", problem));
        }
        let mut certificates = certificates.into_iter();
        let mut authorities = Vec::new();
        for (url, roots) in urls.iter().zip(roots) {
            let certificate = certificates.next().filter(|file| file != NONE);
            authorities.push(Self {
                url: as_url("tsa_url", url)?,
                roots: roots.into(),
                client_certificate: certificate.map(PathBuf::from),
            });
        }
        Ok(authorities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let tsa = TsaSettings {
            url: "https://ana:secreto@tsa.example/stamp?token=oculto"
                .parse()
                .unwrap(),
            roots: "roots.pem".into(),
            client_certificate: None,
        };
        let shown = format!("{tsa:?}");
        assert!(shown.contains("tsa.example"), "{shown}");
        assert!(!shown.contains("secreto") && !shown.contains("oculto"), "{shown}");
    }
}
