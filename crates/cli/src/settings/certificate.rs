//! Certificates of another authority: one with which documents are certified, and an issuer for signers' certificates.

use super::BadSetting;
use super::source::{SettingsSource, bad_setting};
use std::path::PathBuf;

/// Where the certificate and its key are.
#[derive(Debug, Clone)]
pub(crate) struct CertificateSettings {
    pub(crate) key: CertificateKey,
    /// A file with certificates above it that are not beside the key.
    pub(crate) chain: Option<PathBuf>,
}

/// Where the key is.
#[derive(Clone)]
pub(crate) enum CertificateKey {
    /// In a PKCS #12 file.
    File { path: PathBuf, password: String },
    /// In the PKCS #11 token, under this label.
    InToken(String),
}

impl std::fmt::Debug for CertificateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File { path, .. } => f.debug_tuple("File").field(path).finish(),
            Self::InToken(label) => f.debug_tuple("InToken").field(label).finish(),
        }
    }
}

impl CertificateSettings {
    pub(super) fn read(source: &SettingsSource) -> Result<Option<Self>, BadSetting> {
        let [file, password, label, chain] = [
            "certificate_file",
            "certificate_password",
            "certificate_key",
            "certificate_chain",
        ]
        .map(|name| source.get(name));
        let key = match (file, label) {
            (Some(_), Some(_)) => {
                return Err(bad_setting(
                    "certificate_key",
                    "is a key in the token: FIRMEZA_CERTIFICATE_FILE holds another one",
                ));
            }
            (Some(file), None) => CertificateKey::File {
                path: file.into(),
                password: password.unwrap_or_default(),
            },
            (None, Some(_)) if source.get("pkcs11_module").is_none() => {
                return Err(bad_setting(
                    "certificate_key",
                    "needs FIRMEZA_PKCS11_MODULE, FIRMEZA_PKCS11_TOKEN and FIRMEZA_PKCS11_PIN",
                ));
            }
            (None, Some(label)) => CertificateKey::InToken(label),
            (None, None) if password.is_some() || chain.is_some() => {
                return Err(bad_setting(
                    "certificate_file",
                    "must name a PKCS #12 file, or FIRMEZA_CERTIFICATE_KEY a key in the token",
                ));
            }
            (None, None) => return Ok(None),
        };
        let chain = chain.map(PathBuf::from);
        Ok(Some(Self { key, chain }))
    }

    /// The issuer, whose key is in a PKCS #12 file.
    pub(super) fn read_issuer(source: &SettingsSource) -> Result<Option<Self>, BadSetting> {
        let [file, password, chain] =
            ["issuer_file", "issuer_password", "issuer_chain"].map(|name| source.get(name));
        match file {
            Some(file) => Ok(Some(Self {
                key: CertificateKey::File {
                    path: file.into(),
                    password: password.unwrap_or_default(),
                },
                chain: chain.map(PathBuf::from),
            })),
            None if password.is_some() || chain.is_some() => {
                Err(bad_setting("issuer_file", "must name a PKCS #12 file"))
            }
            None => Ok(None),
        }
    }
}
