//! The trusted roots: those of the command line, or else those that a file contains.

use super::report::RootFound;
use crate::certificates;
use app::Notary;
use domain::Timestamp;
use pki::authority::{CRL_LIMIT, Crl};
use pki::cms::Certificate;
use std::borrow::Cow;
use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The roots given; none means that files are taken at their own word.
#[derive(Debug)]
pub(super) struct Trusted {
    roots: Option<Vec<Certificate>>,
    /// Those of another authority, for its timestamps.
    pub(super) time_roots: Vec<Certificate>,
    /// Lists of revoked certificates.
    pub(super) crls: Vec<Crl>,
}

impl Trusted {
    /// Reads the files of roots: a certificate in DER, or any number in PEM; and lists in DER.
    pub(super) fn read(
        root: Option<&Path>,
        tsa_root: Option<&Path>,
        crls: &[PathBuf],
    ) -> Result<Self, Box<dyn Error>> {
        let crls: Result<Vec<Crl>, String> = crls.iter().map(|path| list(path)).collect();
        Ok(Self {
            roots: root.map(|path| named("--root", path)).transpose()?,
            time_roots: tsa_root.map_or(Ok(Vec::new()), |path| named("--tsa-root", path))?,
            crls: crls?,
        })
    }

    /// Trusts an installation, and takes its lists.
    pub(super) fn take(&mut self, notary: &Notary, now: Timestamp) -> Result<(), Box<dyn Error>> {
        self.roots = Some(vec![notary.root().clone()]);
        self.time_roots = notary.time_roots().to_vec();
        self.crls.extend(notary.crls(now)?);
        Ok(())
    }

    /// The roots given, if any were.
    pub(super) fn given(&self) -> Option<&[Certificate]> {
        self.roots.as_deref()
    }

    /// The roots to trust for a file, given those it brings along.
    pub(super) fn or_embedded(&self, embedded: impl FnOnce() -> Vec<Certificate>) -> Cow<'_, [Certificate]> {
        match &self.roots {
            Some(given) => Cow::Borrowed(given),
            None => Cow::Owned(embedded()),
        }
    }

    /// The roots, as the report lists them.
    pub(super) fn describe(&self, roots: &[Certificate]) -> Vec<RootFound> {
        let source = if self.roots.is_some() { "given" } else { "embedded" };
        roots.iter().map(|root| RootFound::of(root, source)).collect()
    }
}

fn named(option: &str, path: &Path) -> Result<Vec<Certificate>, String> {
    certificates::read(path).map_err(|error| format!("{option} {}: {error}", path.display()))
}

fn list(path: &Path) -> Result<Crl, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("--crl {}: {error}", path.display());
    let file = fs::File::open(path).map_err(|error| wrong(&error))?;
    let mut der = Vec::new();
    let mut file = file.take(CRL_LIMIT as u64 + 1);
    file.read_to_end(&mut der).map_err(|error| wrong(&error))?;
    Crl::from_der(&der).map_err(|error| wrong(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_certificate_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("root.pem");
        for content in [
            "",
            "no certificate",
            "-----BEGIN CERTIFICATE-----\nAAAA",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ] {
            std::fs::write(&file, content).unwrap();
            let error = Trusted::read(Some(&file), None, &[]).unwrap_err().to_string();
            assert!(
                error.starts_with("--root ") && error.contains("root.pem"),
                "{error}"
            );
        }
        assert!(Trusted::read(None, Some(Path::new("nowhere")), &[]).is_err());
        let error = Trusted::read(None, None, &[file]).unwrap_err().to_string();
        assert!(error.starts_with("--crl "), "{error}");
    }
}
