//! The trusted roots: of the command line, of trusted lists, or of an installation.

use super::report::RootFound;
use crate::{certificates, trusted_lists};
use app::Notary;
use domain::Timestamp;
use pki::authority::{Crl, MAX_CRL_BYTES};
use pki::cms::Certificate;
use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The options of the command that say what to trust.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TrustOptions {
    /// The root certificates to trust (DER or PEM); without any, a file can be intact but its issuer is not known
    #[arg(long, value_name = "FILE")]
    root: Option<PathBuf>,
    /// The root certificate of another authority whose timestamps to trust
    #[arg(long, value_name = "FILE")]
    tsa_root: Option<PathBuf>,
    /// A trusted list (ETSI TS 119 612, XML) whose authorities to trust; its own signature is not checked; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    trusted_list: Vec<PathBuf>,
    /// A list of revoked certificates (DER), such as /authority/issuer.crl of the installation; may be repeated
    #[arg(long, value_name = "FILE")]
    crl: Vec<PathBuf>,
}

/// What is trusted.
#[derive(Debug)]
pub(super) struct Trusted {
    /// `None` where no root was given: files can be intact then, but their issuers are not known.
    pub(super) roots: Option<Roots>,
    /// Those of another authority, for its timestamps.
    pub(super) time_roots: Vec<Certificate>,
    /// Lists of revoked certificates.
    pub(super) crls: Vec<Crl>,
}

/// Roots, and what the report says of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Roots {
    pub(super) certificates: Vec<Certificate>,
    pub(super) found: Vec<RootFound>,
}

impl Roots {
    /// Adds the roots that are new, with where they come from.
    pub(super) fn add(&mut self, roots: Vec<Certificate>, source: &'static str) {
        for root in roots {
            if !self.certificates.contains(&root) {
                self.found.push(RootFound::of(&root, source));
                self.certificates.push(root);
            }
        }
    }
}

impl Trusted {
    /// Reads the files that the options name.
    pub(super) fn read(options: &TrustOptions) -> Result<Self, Box<dyn Error>> {
        let crls: Result<Vec<Crl>, String> = options.crl.iter().map(|path| list(path)).collect();
        let tsa_root = options.tsa_root.as_deref();
        let mut trusted = Self {
            roots: None,
            time_roots: tsa_root.map_or(Ok(Vec::new()), |path| named("--tsa-root", path))?,
            crls: crls?,
        };
        if let Some(path) = &options.root {
            trusted.add(named("--root", path)?, "given");
        }
        for path in &options.trusted_list {
            let list = trusted_lists::read(path)
                .map_err(|error| format!("--trusted-list {}: {error}", path.display()))?;
            trusted.add(list.authorities, "trusted_list");
            trusted.time_roots.extend(list.time_stamping);
        }
        Ok(trusted)
    }

    fn add(&mut self, roots: Vec<Certificate>, source: &'static str) {
        self.roots.get_or_insert_default().add(roots, source);
    }

    /// Trusts an installation and the lists that it trusts, and takes its lists of revoked certificates.
    pub(super) fn take(&mut self, notary: &Notary, now: Timestamp) -> Result<(), Box<dyn Error>> {
        self.add(vec![notary.root().clone()], "given");
        let bought = notary.bought_issuer().into_iter().chain(notary.bought_roots());
        self.add(bought.cloned().collect(), "bought");
        self.add(notary.other_roots().to_vec(), "trusted_list");
        self.time_roots.extend(notary.time_roots());
        self.crls.extend(notary.crls(now)?);
        Ok(())
    }

    /// The roots given, if any were.
    pub(super) fn given(&self) -> Option<&[Certificate]> {
        self.roots.as_ref().map(|roots| roots.certificates.as_slice())
    }

    /// The roots given that may seal evidence. Authorities of trusted lists and those that sell certificates give them to
    /// many, who must not seal evidence.
    pub(super) fn sealing(&self) -> Option<Vec<Certificate>> {
        let roots = self.roots.as_ref()?;
        let pairs = roots.certificates.iter().zip(&roots.found);
        let given = pairs.filter(|(_, found)| found.source == "given");
        Some(given.map(|(root, _)| root.clone()).collect())
    }

    /// The roots of a bundle, as the report lists them.
    pub(super) fn describe(&self, roots: &[Certificate]) -> Vec<RootFound> {
        match &self.roots {
            Some(given) => given.found.clone(),
            None => roots.iter().map(|root| RootFound::of(root, "embedded")).collect(),
        }
    }
}

fn named(option: &str, path: &Path) -> Result<Vec<Certificate>, String> {
    certificates::read(path).map_err(|error| format!("{option} {}: {error}", path.display()))
}

fn list(path: &Path) -> Result<Crl, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("--crl {}: {error}", path.display());
    let file = fs::File::open(path).map_err(|error| wrong(&error))?;
    let mut der = Vec::new();
    let mut file = file.take(MAX_CRL_BYTES as u64 + 1);
    file.read_to_end(&mut der).map_err(|error| wrong(&error))?;
    Crl::from_der(&der).map_err(|error| wrong(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::rand::SystemRandom;
    use pki::authority::{LocalKey, Root, Subject, Validity};

    #[test]
    fn only_roots_given_may_seal_evidence() {
        let root = || {
            let name = Subject::of_installation("Raíz", None, None).unwrap();
            let validity = Validity::of_years("2020-01-01T00:00:00Z".parse().unwrap(), 40).unwrap();
            let root = Root::create(
                std::sync::Arc::new(LocalKey::generate().unwrap()),
                &name,
                validity,
                &SystemRandom::new(),
            );
            root.unwrap().certificate().clone()
        };
        let mut trusted = Trusted::read(&TrustOptions::default()).unwrap();
        assert_eq!(trusted.sealing(), None);
        let own = root();
        trusted.add(vec![root()], "trusted_list");
        trusted.add(vec![own.clone()], "given");
        trusted.add(vec![root()], "bought");
        assert_eq!(trusted.sealing(), Some(vec![own]));
    }

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
            let options = TrustOptions {
                root: Some(file.clone()),
                ..TrustOptions::default()
            };
            let error = Trusted::read(&options).unwrap_err().to_string();
            assert!(
                error.starts_with("--root ") && error.contains("root.pem"),
                "{error}"
            );
        }
        let with = |options: TrustOptions| Trusted::read(&options).unwrap_err().to_string();
        let error = with(TrustOptions {
            tsa_root: Some("nowhere".into()),
            ..TrustOptions::default()
        });
        assert!(error.starts_with("--tsa-root nowhere"), "{error}");
        let error = with(TrustOptions {
            crl: vec![file.clone()],
            ..TrustOptions::default()
        });
        assert!(error.starts_with("--crl "), "{error}");
        let error = with(TrustOptions {
            trusted_list: vec![file],
            ..TrustOptions::default()
        });
        assert!(error.starts_with("--trusted-list "), "{error}");
    }
}
