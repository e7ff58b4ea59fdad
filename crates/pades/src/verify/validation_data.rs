//! Certificates, revocation lists and OCSP responses, from the file, its signatures and the policy.

use pdf::Damage;
use pdf::file::Document;
use pki::authority::{Crl, OcspResponse};
use pki::cms::Certificate;

use super::Policy;
use super::security_stores::Stores;
use super::signature::Candidate;

/// Certificates, and lists, of one signature that are read.
const MAX_ITEMS_PER_SIGNATURE: usize = 256;
/// Certificates of the whole file.
const MAX_CERTIFICATES: usize = 1024;

/// Certificates, revocation lists and OCSP responses, from the file and from the policy.
#[derive(Debug)]
pub(super) struct ValidationData {
    pub(super) certificates: Vec<Certificate>,
    pub(super) crls: Vec<Crl>,
    /// How many of the lists, the first ones, come from the policy.
    pub(super) given: usize,
    /// All of them from the file.
    pub(super) ocsp_responses: Vec<OcspResponse>,
}

impl ValidationData {
    /// Collects the validation data of the document's stores, of its signatures and of the policy.
    /// The stores of the signed revisions were read before; the newest one is read last, so that it cannot crowd them
    /// out.
    pub(super) fn gather(
        doc: &Document<'_>,
        stores: &mut Stores,
        candidates: &[Candidate<'_>],
        policy: &Policy<'_>,
    ) -> Result<Self, Damage> {
        let mut this = Self {
            certificates: Vec::new(),
            crls: policy.crls.to_vec(),
            given: policy.crls.len(),
            ocsp_responses: Vec::new(),
        };
        for cms in candidates.iter().filter_map(|candidate| candidate.cms.as_ref()) {
            this.certificates
                .extend(cms.certificates().iter().take(MAX_ITEMS_PER_SIGNATURE).cloned());
            for list in cms
                .crls()
                .unwrap_or_default()
                .iter()
                .take(MAX_ITEMS_PER_SIGNATURE)
            {
                this.crls.extend(stores.list(list).ok().flatten());
            }
            for response in cms
                .ocsp_responses()
                .unwrap_or_default()
                .iter()
                .take(MAX_ITEMS_PER_SIGNATURE)
            {
                this.ocsp_responses
                    .extend(stores.ocsp_response(response).ok().flatten());
            }
        }
        for stamp in candidates.iter().flat_map(|candidate| &candidate.stamps) {
            this.certificates
                .extend(stamp.certificates.iter().take(MAX_ITEMS_PER_SIGNATURE).cloned());
        }
        stores.read(doc)?;
        this.certificates.append(&mut stores.certificates);
        this.crls.append(&mut stores.crls);
        this.ocsp_responses.append(&mut stores.ocsp_responses);
        this.certificates
            .sort_unstable_by(|one, other| one.sha256().cmp(other.sha256()));
        this.certificates.dedup();
        this.certificates.truncate(MAX_CERTIFICATES);
        Ok(this)
    }
}
