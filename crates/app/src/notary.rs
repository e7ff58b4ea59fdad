//! The installation's own authority at work: it certifies documents, gives signers their one-shot certificates,
//! and stamps the time. Its keys lie in the database, sealed under the master key, so that instances share them, or in
//! a token that all of them reach.

mod attest;
mod extend;
mod found;
mod revoked;
mod rotate;
mod safe;
mod seal;

pub use safe::TokenSettings;
pub(crate) use safe::reseal;
pub(crate) use seal::{ACCENT, SignerAct, result};
pub use seal::{SIGNER_FIELDS, signer_field};

use crate::secrets::MasterKey;
use crate::{Clock, Error};
use aws_lc_rs::rand::SystemRandom;
use domain::{DocumentId, Timestamp};
use jiff::tz::TimeZone;
use pki::authority::{Credential, Crl, Issuer, Root, Signer};
use pki::cms::Certificate;
use pki::time::TimeStampAuthority;
use safe::Safe;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use store::{RevocationRow, Store};
use unicode_normalization::UnicodeNormalization;
use url::Url;

/// How long a list of revoked certificates is good.
const LIST_LIFETIME: Duration = Duration::from_hours(24 * 7);

type Key = Arc<dyn Signer>;

/// What the notary needs to know of the installation.
#[derive(Debug, Clone)]
pub struct NotarySettings {
    /// Where the service is reached from outside: verification and revocation lists are there.
    pub base_url: Url,
    /// The zone in which times are shown on documents.
    pub timezone: TimeZone,
    /// Another authority's timestamps; our own when absent.
    pub time_stamping: Option<TimeStamping>,
    /// A token for the authority's keys; in the database when absent.
    pub token: Option<TokenSettings>,
}

/// Another authority that makes timestamps.
#[derive(Debug, Clone)]
pub struct TimeStamping {
    /// Its http address.
    pub address: String,
    /// The roots of its certificates: an answer by another authority is refused.
    pub roots: Vec<Certificate>,
}

/// The authority, open.
#[derive(Debug)]
pub struct Notary {
    root: Root,
    office: RwLock<Arc<Office>>,
    safe: Safe,
    settings: NotarySettings,
    random: SystemRandom,
}

/// The credentials that a rotation or a revocation replaces while the service runs.
#[derive(Debug)]
struct Office {
    issuer: Issuer,
    /// Earlier issuers, the oldest first: they issue nothing, and their lists go on.
    retired: Vec<Issuer>,
    service: Credential<Key>,
    stamps: TimeStampAuthority<Key>,
    stamping: Certificate,
    revoked: Vec<RevocationRow>,
    /// A hash of the certificates and revocations, to notice changes.
    mark: [u8; 32],
}

impl Notary {
    /// Opens the authority, founding it first where there is none.
    pub async fn open(
        store: &Store,
        master: &MasterKey,
        clock: &Clock,
        settings: NotarySettings,
    ) -> Result<Self, Error> {
        let safe = Safe::open(master, settings.token.as_ref())?;
        let (mut rows, revoked) = store
            .read(|tx| Ok::<_, store::Error>((tx.authority()?, tx.revocations()?)))
            .await?;
        if rows.is_empty() {
            let at = clock.now();
            let founded = found::found(&safe, at)?;
            rows = store
                .write(move |tx| {
                    tx.found_authority(&founded, at)?;
                    tx.authority()
                })
                .await?;
        }
        found::open(&rows, revoked, safe, settings)
    }

    /// Loads what another instance rotated or revoked.
    pub async fn refresh(&self, store: &Store) -> Result<(), Error> {
        let read = store.read(|tx| Ok::<_, store::Error>((tx.authority()?, tx.revocations()?)));
        let (rows, revoked) = read.await?;
        if found::mark(&rows, &revoked) != self.office().mark {
            let office = found::office(&rows, revoked, &self.safe, &self.settings)?;
            *self.office.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(office);
            tracing::info!("the authority's new certificates and revocations are in use");
        }
        Ok(())
    }

    fn office(&self) -> Arc<Office> {
        Arc::clone(&self.office.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The certificate that readers have to trust.
    pub fn root(&self) -> &Certificate {
        self.root.certificate()
    }

    /// The root's list of revoked certificates and that of every issuer, the oldest first, as of now.
    pub fn revocation_lists(&self, now: Timestamp) -> Result<Vec<Vec<u8>>, Error> {
        let this = moment(now);
        let next = moment(now.after(LIST_LIFETIME));
        // Greater than that of any list before: two revocations may come within a second.
        let number = u64::try_from(this.as_microsecond()).unwrap_or_default();
        let office = self.office();
        let root = office.revoked_by(self.root.certificate(), false);
        let mut lists = vec![self.root.crl(number, this, next, &root).map_err(broken)?];
        for issuer in office.retired.iter().chain([&office.issuer]) {
            let revoked = office.revoked_by(issuer.certificate(), true);
            lists.push(issuer.crl(number, this, next, &revoked).map_err(broken)?);
        }
        Ok(lists)
    }

    /// The same lists, read.
    pub fn crls(&self, now: Timestamp) -> Result<Vec<Crl>, Error> {
        let lists = self.revocation_lists(now)?;
        lists
            .iter()
            .map(|list| Crl::from_der(list).map_err(broken))
            .collect()
    }

    /// Whether a name reads like one of the authority's own certificates: a signer of that name could pass for the
    /// service.
    pub fn is_own_name(&self, name: &str) -> bool {
        let name = folded(name);
        let office = self.office();
        let retired = office.retired.iter().map(|issuer| issuer.certificate().clone());
        let own = self
            .certificates()
            .into_iter()
            .map(|(_, certificate)| certificate);
        own.chain(retired)
            .filter_map(|certificate| certificate.common_name())
            .any(|own| folded(&own) == name)
    }

    /// Where the service is reached from outside.
    pub fn base_url(&self) -> &str {
        self.settings.base_url.as_str().trim_end_matches('/')
    }

    /// Where a document can be verified.
    pub fn verification_address(&self, document: DocumentId) -> String {
        format!("{}/verify/{document}", self.base_url())
    }
}

/// Folds a name for comparison: Unicode compatibility forms, one case, single spaces.
fn folded(name: &str) -> String {
    let lower: String = name.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.join(" ")
}

/// A point in time as the PDF engine knows it.
fn moment(at: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

/// An internal failure of the PDF engine or the authority.
fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Internal(error.into())
}
