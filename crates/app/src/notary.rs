//! The installation's own authority at work: it certifies documents, gives signers their one-shot certificates,
//! and stamps the time. Its keys lie in the database, sealed under the master key, so that instances share them, or in
//! a token that all of them reach.

mod attest;
mod extend;
mod found;
mod rotate;
mod safe;
mod seal;

pub use safe::TokenSettings;
pub(crate) use safe::reseal;
pub(crate) use seal::{ACCENT, SignerAct, result};

use crate::secrets::MasterKey;
use crate::{Clock, Error};
use aws_lc_rs::rand::SystemRandom;
use domain::{DocumentId, Timestamp};
use jiff::tz::TimeZone;
use pades::authority::{Credential, Issuer, Root, Signer};
use pades::cms::Certificate;
use pades::time::TimeStampAuthority;
use safe::Safe;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use store::Store;
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
    /// The roots that its certificates lead to: an answer by anybody else is not taken.
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

/// What of the authority may be replaced while it works.
#[derive(Debug)]
struct Office {
    issuer: Issuer,
    /// Earlier issuers, the oldest first: they issue nothing, and their lists go on.
    retired: Vec<Issuer>,
    service: Credential<Key>,
    stamps: TimeStampAuthority<Key>,
    stamping: Certificate,
    /// Tells it from others.
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
        let mut rows = store.read(|tx| tx.authority()).await?;
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
        found::open(&rows, safe, settings)
    }

    /// Takes up what was rotated elsewhere.
    pub async fn refresh(&self, store: &Store) -> Result<(), Error> {
        let rows = store.read(|tx| tx.authority()).await?;
        if found::mark(&rows) != self.office().mark {
            let office = found::office(&rows, &self.safe, &self.settings)?;
            *self.office.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(office);
            tracing::info!("the authority's new certificates are in use");
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
        let number = u64::try_from(this.as_second()).unwrap_or_default();
        let office = self.office();
        let mut lists = vec![self.root.crl(number, this, next, &[]).map_err(broken)?];
        for issuer in office.retired.iter().chain([&office.issuer]) {
            lists.push(issuer.crl(number, this, next, &[]).map_err(broken)?);
        }
        Ok(lists)
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

/// A point in time as the PDF engine knows it.
fn moment(at: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

/// A failure of the PDF engine or the authority: nobody's fault but ours.
fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Internal(error.into())
}
