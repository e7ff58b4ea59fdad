//! Extends a signed document so that it stays verifiable for years: a timestamp, the revocation data, and a
//! timestamp over both.

use super::bootstrap::BACKDATE;
use super::naming::names;
use super::rotate::within;
use super::sign_document::short;
use super::{ActiveCredentials, CRL_LIFETIME, Key, Notary, TimeStamping, broken, to_jiff};
use crate::Error;
use domain::{FolioId, Timestamp};
use pades::sign::{add_validation_data, timestamp};
use pdf::increment::Appended;
use pdf::prepare::Prepared;
use pki::authority::{Answered, Validity};
use pki::cms::Certificate;
use pki::time::{Imprint, Stamped, TimeStampAuthority, TimeStampRequest};
use std::collections::BTreeMap;
use std::time::Duration;

/// Room for a timestamp of another authority, which may bring its whole chain.
const FOREIGN_TOKEN_BYTES: usize = 12 * 1024;
/// For how long a responder's certificate is valid: for longer than its answers hold.
const RESPONDER_YEARS: u32 = 1;
/// Answers in one OCSP response: verifiers limit them.
const MAX_ANSWERS: usize = 32;
/// How long before a timestamp's certificate ends the next one is made.
const RENEWAL_LEAD_TIME: Duration = Duration::from_hours(24 * 180);
/// The least time between two extensions.
const MIN_EXTENSION_INTERVAL: Duration = Duration::from_hours(24 * 30);

/// A document extended.
#[derive(Debug)]
pub(crate) struct Extended {
    pub(crate) bytes: Vec<u8>,
    pub(crate) next: Prepared,
    /// When it must be extended again.
    pub(crate) due: Timestamp,
}

struct Stamp {
    token: Vec<u8>,
    /// The certificates it brings along.
    certificates: Vec<Vec<u8>>,
    ends: jiff::Timestamp,
}

impl Stamp {
    fn of(stamped: Stamped, now: Timestamp) -> Self {
        let certificates = &stamped.stamp.certificates;
        let ends = certificates.iter().map(|own| own.not_after()).min();
        Self {
            ends: ends.unwrap_or_else(|| to_jiff(now)),
            certificates: certificates.iter().map(|own| own.as_der().to_vec()).collect(),
            token: stamped.token,
        }
    }
}

impl Notary {
    /// Extends a document that the owners of these certificates have signed. Field names contain the folio and `round`: they
    /// differ from those of other folios that it may have been part of, and of other rounds. May wait for another authority: not for threads that must not wait.
    pub(crate) fn extend(
        &self,
        signing_state: &Prepared,
        signers: &[Certificate],
        folio: FolioId,
        round: i64,
        now: Timestamp,
    ) -> Result<Extended, Error> {
        let field = format!("Tiempo-{round}-{}", short(folio));
        let (first, stamp) = self.stamp(signing_state, &format!("{field}-a"), now)?;
        let evidence = self.add_revocation_data(&first.next, signers, &stamp.certificates, now)?;
        let (last, stamp) = self.stamp(&evidence.next, &format!("{field}-b"), now)?;
        let end = Timestamp::from_micros(stamp.ends.as_microsecond());
        Ok(Extended {
            bytes: [first.increment, evidence.increment, last.increment].concat(),
            next: last.next,
            due: end
                .before(RENEWAL_LEAD_TIME)
                .max(now.after(MIN_EXTENSION_INTERVAL)),
        })
    }

    /// Adds what verifiers need later: the authority's certificates and these, the lists of revoked ones, and answers about the
    /// certificates in the document.
    pub(super) fn add_revocation_data(
        &self,
        signing_state: &Prepared,
        signers: &[Certificate],
        stamping: &[Vec<u8>],
        now: Timestamp,
    ) -> Result<Appended, Error> {
        let lists = self.revocation_lists(now)?;
        let active = self.active();
        let mut certificates = vec![
            self.root.certificate().as_der(),
            active.issuer.certificate().as_der(),
            active.service.certificate().as_der(),
        ];
        // Signatures from before a rotation have certificates of an earlier issuer.
        certificates.extend(active.retired.iter().map(|issuer| issuer.certificate().as_der()));
        certificates.extend(stamping.iter().map(Vec::as_slice));
        if let Some(issuing) = &self.settings.issuing {
            let issuer = [issuing.issuer().certificate(), issuing.root()];
            certificates.extend(issuing.above().iter().chain(issuer).map(Certificate::as_der));
        }
        if let Some(external) = &self.settings.certifying {
            let chain = external.credential().chain().iter().chain([external.root()]);
            certificates.extend(chain.map(Certificate::as_der));
        }
        let answered = self.answers(&active, signers, now)?;
        certificates.extend(answered.iter().map(|one| one.responder.as_der()));
        let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
        let responses: Vec<&[u8]> = answered.iter().map(|one| one.response.as_slice()).collect();
        add_validation_data(signing_state, &certificates, &lists, &responses).map_err(broken)
    }

    /// OCSP answers about the certificates of a document, by each issuer about its own. pyHanko needs them once the lists
    /// have ended: for past signatures it finds no list of an issuer that is not a root.
    fn answers(
        &self,
        active: &ActiveCredentials,
        signers: &[Certificate],
        now: Timestamp,
    ) -> Result<Vec<Answered>, Error> {
        let (_, stamping) = active.document_stamps(now);
        let all = signers.iter().chain([active.service.certificate(), stamping]);
        let all: BTreeMap<&[u8; 32], &Certificate> = all.map(|one| (one.sha256(), one)).collect();
        let name = names()?("Estado de certificados")?;
        let hold = Validity::new(to_jiff(now), to_jiff(now.after(CRL_LIFETIME))).map_err(broken)?;
        let from = to_jiff(now.before(BACKDATE));
        let mut answered = Vec::new();
        for issuer in active.issuers() {
            let above = issuer.certificate();
            // An issuer that has ended can issue no responder's certificate.
            if !above.covers(to_jiff(now)) {
                continue;
            }
            let own = all.values().filter(|one| one.is_issued_under(above));
            let own: Vec<&Certificate> = own.copied().collect();
            let revoked = active.revoked_by(above, true);
            let from = from.max(above.not_before());
            let responder = (&name, within(from, RESPONDER_YEARS, above.not_after())?);
            for some in own.chunks(MAX_ANSWERS) {
                let response = issuer.ocsp_response(some, &revoked, hold, responder, &self.random);
                answered.push(response.map_err(broken)?);
            }
        }
        Ok(answered)
    }

    fn stamp(
        &self,
        signing_state: &Prepared,
        field: &str,
        now: Timestamp,
    ) -> Result<(Appended, Stamp), Error> {
        let active = self.active();
        let others = &self.settings.time_stamping;
        let (stamps, stamping) = active.document_stamps(now);
        let room = if others.is_empty() {
            stamps.reserve()
        } else {
            FOREIGN_TOKEN_BYTES
        };
        let unsigned = timestamp(signing_state, field, room).map_err(broken)?;
        let stamp = if others.is_empty() {
            Stamp {
                token: self.own_token(&active, stamps, Imprint::sha256(unsigned.digest()), now)?,
                certificates: vec![stamping.as_der().to_vec()],
                ends: stamping.not_after(),
            }
        } else {
            Stamp::of(TimeStamping::stamp(others, unsigned.digest(), room, now)?, now)
        };
        let appended = unsigned.embed(&stamp.token).map_err(broken)?;
        Ok((appended, stamp))
    }

    pub(super) fn own_token(
        &self,
        active: &ActiveCredentials,
        stamps: &TimeStampAuthority<Key>,
        imprint: Imprint,
        now: Timestamp,
    ) -> Result<Vec<u8>, Error> {
        let request = TimeStampRequest::without_nonce(imprint);
        active.check()?;
        let token = stamps.stamp(&request, to_jiff(now), &self.random);
        token.map_err(|failure| Error::Internal(format!("no timestamp of our own: {failure:?}").into()))
    }

    /// The roots of other authorities whose timestamps are known here: of those that stamp documents, and of trusted
    /// lists.
    pub fn time_roots(&self) -> Vec<Certificate> {
        let others = self.settings.time_stamping.iter();
        let stamping = others.flat_map(|other| other.roots());
        stamping
            .chain(&self.settings.trusted.time_stamping)
            .cloned()
            .collect()
    }
}
