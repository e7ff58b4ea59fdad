//! The installation's own authority at work: it certifies documents, gives signers their one-shot certificates,
//! and stamps the time. Its keys lie in the database, sealed under the master key, so that instances share them, or in
//! a token that all of them reach.

mod attest;
mod bootstrap;
mod extend;
mod externally_issued;
mod key_store;
mod naming;
mod revocations;
mod rotate;
mod sign_document;
mod texts;
mod time_stamping;

pub use bootstrap::is_root_of_installation;
pub use key_store::TokenSettings;
pub(crate) use key_store::reseal;
pub(crate) use sign_document::{ACCENT, LEGAL_BASIS, SignerAct, legal_basis, result};
pub use sign_document::{SIGNER_FIELDS, signer_field};
pub(crate) use texts::of_sheet;
pub use time_stamping::{TimeStamping, TimestampTransport};

use crate::shared::secrets::MasterKey;
use crate::{Clock, Error};
use aws_lc_rs::rand::SystemRandom;
use domain::{DocumentId, Timestamp};
use externally_issued::ExternallyIssued;
use jiff::tz::TimeZone;
use key_store::KeyStore;
use pki::authority::{Credential, Crl, ExternalCredential, ExternalIssuer, Issuer, Root, Signer};
use pki::cms::Certificate;
use pki::time::TimeStampAuthority;
use pki::trusted_list::TrustedList;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use store::{RevocationRow, Store};
use unicode_normalization::UnicodeNormalization;
use url::Url;

/// How long a list of revoked certificates is good.
const CRL_LIFETIME: Duration = Duration::from_hours(24 * 7);

type Key = Arc<dyn Signer>;

/// What the notary needs to know of the installation.
#[derive(Debug, Clone)]
pub struct NotarySettings {
    /// Where the service is reached from outside: verification and revocation lists are there.
    pub base_url: Url,
    /// The zone in which times are shown on documents.
    pub timezone: TimeZone,
    /// Other authorities for timestamps, the preferred one first; our own when there is none.
    pub time_stamping: Vec<TimeStamping>,
    /// Authorities of others that trusted lists name: `/verify` knows their signatures.
    pub trusted: TrustedList,
    /// A token for the authority's keys; in the database when absent.
    pub token: Option<TokenSettings>,
    /// A certificate of another authority with which documents are certified; the service's own when absent.
    pub certifying: Option<ExternalCredential>,
    /// An issuer below another authority, for all certificates in documents; the installation's own when absent.
    pub issuing: Option<ExternalIssuer>,
    /// Whether this is a sandbox: its sheets say that they are a test.
    pub sandbox: bool,
}

/// The authority, open.
#[derive(Debug)]
pub struct Notary {
    root: Root,
    active: RwLock<Arc<ActiveCredentials>>,
    key_store: KeyStore,
    settings: NotarySettings,
    random: SystemRandom,
}

/// The credentials that a rotation or a revocation replaces while the service runs.
#[derive(Debug)]
struct ActiveCredentials {
    issuer: Issuer,
    /// Earlier issuers, the oldest first: they issue no certificates, but still sign their revocation lists.
    retired: Vec<Issuer>,
    service: Credential<Key>,
    stamps: TimeStampAuthority<Key>,
    stamping: Certificate,
    /// The same under another authority, for documents.
    external: Option<ExternallyIssued>,
    revoked: Vec<RevocationRow>,
    /// The names of the authority's certificates, folded.
    names: Vec<String>,
    /// A hash of the certificates and revocations, to notice changes.
    fingerprint: [u8; 32],
}

impl Notary {
    /// Other authorities for timestamps.
    pub fn time_stamping(&self) -> &[TimeStamping] {
        &self.settings.time_stamping
    }

    /// Whether documents have no timestamps but its own, outside of a sandbox.
    pub fn stamps_time_itself(&self) -> bool {
        self.settings.time_stamping.is_empty() && !self.settings.sandbox
    }

    /// Opens the authority, founding it first where there is none.
    pub async fn open(
        store: &Store,
        master: &MasterKey,
        clock: &Clock,
        settings: NotarySettings,
    ) -> Result<Self, Error> {
        let key_store = KeyStore::open(master, settings.token.as_ref())?;
        let (mut rows, revoked) = store
            .read(|tx| Ok::<_, store::Error>((tx.authority()?, tx.revocations()?)))
            .await?;
        if rows.is_empty() {
            let at = clock.now();
            let created = bootstrap::create_authority(&key_store, &settings.base_url, at)?;
            rows = store
                .write(move |tx| {
                    tx.insert_authority(&created, at)?;
                    tx.authority()
                })
                .await?;
        }
        bootstrap::open(&rows, revoked, key_store, settings)
    }

    /// Loads what another instance rotated or revoked.
    pub async fn refresh(&self, store: &Store) -> Result<(), Error> {
        let read = store.read(|tx| Ok::<_, store::Error>((tx.authority()?, tx.revocations()?)));
        let (rows, revoked) = read.await?;
        if bootstrap::fingerprint(&rows, &revoked) != self.active().fingerprint {
            let active = bootstrap::active(&rows, revoked, &self.key_store, &self.settings)?;
            *self.active.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(active);
            tracing::info!("the authority's new certificates and revocations were loaded");
        }
        Ok(())
    }

    fn active(&self) -> Arc<ActiveCredentials> {
        Arc::clone(&self.active.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The certificate that readers have to trust.
    pub fn root(&self) -> &Certificate {
        self.root.certificate()
    }

    /// Authorities of others whose signatures are known here.
    pub fn other_roots(&self) -> &[Certificate] {
        &self.settings.trusted.authorities
    }

    /// The roots of the authorities of which the installation has a certificate or an issuer.
    pub fn bought_roots(&self) -> impl Iterator<Item = &Certificate> {
        let certifying = self.settings.certifying.as_ref().map(ExternalCredential::root);
        let issuing = self.settings.issuing.as_ref().map(ExternalIssuer::root);
        certifying.into_iter().chain(issuing)
    }

    /// The certificate of the issuer below another authority. The installation vouches for it as for its root: it has the
    /// key, and issues its lists.
    pub fn bought_issuer(&self) -> Option<&Certificate> {
        let issuing = self.settings.issuing.as_ref()?;
        Some(issuing.issuer().certificate())
    }

    /// The root's list of revoked certificates and that of every issuer, the oldest first, one below another authority last, as
    /// of now.
    pub fn revocation_lists(&self, now: Timestamp) -> Result<Vec<Vec<u8>>, Error> {
        self.lists_of(&self.active(), now)
    }

    fn lists_of(&self, active: &ActiveCredentials, now: Timestamp) -> Result<Vec<Vec<u8>>, Error> {
        let this = to_jiff(now);
        let next = to_jiff(now.after(CRL_LIFETIME));
        // Greater than that of any list before: two revocations may come within a second.
        let number = u64::try_from(this.as_microsecond()).unwrap_or_default();
        let root = active.revoked_by(self.root.certificate(), false);
        let mut lists = vec![self.root.crl(number, this, next, &root).map_err(broken)?];
        for issuer in active.issuers() {
            let revoked = active.revoked_by(issuer.certificate(), true);
            lists.push(issuer.crl(number, this, next, &revoked).map_err(broken)?);
        }
        Ok(lists)
    }

    /// The list that is handed out under a name.
    pub fn revocation_list(&self, name: &str, now: Timestamp) -> Result<Option<Vec<u8>>, Error> {
        let active = self.active();
        let own = (1..=active.retired.len() + 1).map(naming::list_name);
        let names = std::iter::once(naming::ROOT_LIST.to_owned()).chain(own);
        let mut names = names.chain(self.bought_issuer().map(externally_issued::list_name));
        match names.position(|known| known == name) {
            Some(index) => Ok(self.lists_of(&active, now)?.into_iter().nth(index)),
            None => Ok(None),
        }
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
        self.active().names.contains(&folded(name))
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
fn to_jiff(at: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

/// An internal failure of the PDF engine or the authority.
fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Internal(error.into())
}
