//! Who the signers are: paths to trusted roots, and revocation.

use jiff::Timestamp;

use super::Policy;
use super::reason::Reason;
use super::signature::Candidate;
use crate::authority::{Crl, Path, PathError};
use crate::cms::Certificate;
use crate::file::{Damage, Document};
use crate::inspect::catalog;
use crate::syntax::{Dict, Value};

/// Most certificates and lists that are looked at.
const MOST: usize = 256;

/// Certificates and revocation lists, from wherever they came.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) certificates: Vec<Certificate>,
    pub(super) crls: Vec<Crl>,
}

impl Evidence {
    /// Collects what the document's store, its signatures and the policy bring along.
    pub(super) fn gather(doc: &Document<'_>, candidates: &[Candidate<'_>], policy: &Policy<'_>) -> Self {
        let mut this = Self {
            certificates: Vec::new(),
            crls: policy.crls.to_vec(),
        };
        // A store that cannot be read proves nothing, and needs not.
        let _ = this.store(doc);
        for cms in candidates.iter().filter_map(|candidate| candidate.cms.as_ref()) {
            this.certificates
                .extend(cms.certificates().iter().take(MOST).cloned());
            let lists = cms.crls().unwrap_or_default();
            this.crls.extend(
                lists
                    .iter()
                    .take(MOST)
                    .filter_map(|list| Crl::from_der(list).ok()),
            );
        }
        this.certificates.dedup();
        this
    }

    fn store(&mut self, doc: &Document<'_>) -> Result<(), Damage> {
        let (_, catalog) = catalog(doc)?;
        let Some(store) = doc.look_dict(&catalog, "DSS")? else {
            return Ok(());
        };
        for bytes in streams(doc, &store, "Certs")? {
            self.certificates.extend(Certificate::from_der(&bytes).ok());
        }
        for bytes in streams(doc, &store, "CRLs")? {
            self.crls.extend(Crl::from_der(&bytes).ok());
        }
        Ok(())
    }
}

fn streams<'d>(doc: &'d Document<'_>, store: &Dict<'d>, key: &'static str) -> Result<Vec<Vec<u8>>, Damage> {
    let list = doc.look_array(store, key)?.unwrap_or_default();
    list.iter()
        .take(MOST)
        .filter_map(Value::as_ref)
        .map(|id| doc.decoded(id))
        .collect()
}

/// Judges the signer of every signature that holds.
pub(super) fn judge(candidates: &mut [Candidate<'_>], evidence: &Evidence, policy: &Policy<'_>) {
    for candidate in candidates {
        let Some(signer) = &candidate.signer else { continue };
        let at = candidate.proved_time.unwrap_or(policy.now);
        candidate
            .reasons
            .extend(stands(signer, evidence, policy.roots, at));
    }
}

/// What is held against a certificate at a time.
pub(super) fn stands(
    certificate: &Certificate,
    evidence: &Evidence,
    roots: &[Certificate],
    at: Timestamp,
) -> Option<Reason> {
    let path = match Path::find(certificate, &evidence.certificates, roots, at) {
        Ok(path) => path,
        Err(PathError::NotValidAt) => return Some(Reason::Expired),
        Err(error) => return Some(Reason::Untrusted(error)),
    };
    let mut known = true;
    for (certificate, issuer) in path.links() {
        let lists = evidence.crls.iter().filter(|list| list.covers(certificate));
        let mut listed = false;
        for list in lists.filter(|list| list.verify_signed_by(issuer).is_ok()) {
            listed = true;
            match list.find(certificate) {
                Ok(None) => {}
                Ok(Some(revoked)) if revoked.at > at => {}
                Ok(Some(revoked)) => return Some(Reason::Revoked(revoked.at)),
                Err(_) => return Some(Reason::RevocationUnknown),
            }
        }
        known &= listed;
    }
    (!known).then_some(Reason::RevocationUnknown)
}
