//! Whom to trust: the roots given on the command line, or else those that a file brings along.

use super::found::RootFound;
use crate::certificates;
use pades::cms::Certificate;
use std::borrow::Cow;
use std::error::Error;
use std::path::Path;

/// The roots given; none means that files are taken at their own word.
#[derive(Debug)]
pub(super) struct Trusted {
    roots: Option<Vec<Certificate>>,
    /// Those of another authority, for its timestamps.
    pub(super) time_roots: Vec<Certificate>,
}

impl Trusted {
    /// Reads the files of roots: a certificate in DER, or any number in PEM.
    pub(super) fn read(root: Option<&Path>, tsa_root: Option<&Path>) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            roots: root.map(|path| named("--root", path)).transpose()?,
            time_roots: tsa_root.map_or(Ok(Vec::new()), |path| named("--tsa-root", path))?,
        })
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

    /// The same roots, as they are told of.
    pub(super) fn told(&self, roots: &[Certificate]) -> Vec<RootFound> {
        let source = if self.roots.is_some() { "given" } else { "embedded" };
        roots.iter().map(|root| RootFound::of(root, source)).collect()
    }
}

fn named(option: &str, path: &Path) -> Result<Vec<Certificate>, String> {
    certificates::read(path).map_err(|error| format!("{option} {}: {error}", path.display()))
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
            let error = Trusted::read(Some(&file), None).unwrap_err().to_string();
            assert!(
                error.starts_with("--root ") && error.contains("root.pem"),
                "{error}"
            );
        }
        assert!(Trusted::read(None, Some(Path::new("nowhere"))).is_err());
    }
}
