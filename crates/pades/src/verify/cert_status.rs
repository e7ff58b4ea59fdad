//! Whether a certificate is valid at a time: path and revocation. Certificates of one issuer share its path,
//! lists and OCSP responses, which are checked once.

use jiff::Timestamp;
use pki::authority::{Constraints, OcspStatus, Path, PathError, Revoked, has_name_constraints};
use pki::cms::Certificate;
use rustc_hash::{FxHashMap, FxHashSet};

use super::reason::{Reason, Verdict};
use super::validation_data::ValidationData;

type Fingerprint = [u8; 32];

/// The results of all checks so far.
#[derive(Debug)]
pub(super) struct CertificateStatuses<'e> {
    validation_data: &'e ValidationData,
    roots: &'e [Certificate],
    checked: FxHashMap<(Fingerprint, Timestamp, Option<Timestamp>), Option<Reason>>,
    /// Certificates that the lists in the file alone prove unrevoked, and when.
    proved_by_file: FxHashSet<(Fingerprint, Timestamp)>,
    /// For an issuer at a time, the path from it to its root.
    paths: FxHashMap<(Fingerprint, Timestamp), Vec<Certificate>>,
    /// Whether a list was signed by an issuer.
    lists: FxHashMap<(usize, Fingerprint), bool>,
    /// Whether an OCSP response was signed by an issuer or its responder.
    ocsp_responses: FxHashMap<(usize, Fingerprint), bool>,
    /// For a certificate at a time, the root that its path leads to.
    anchors: FxHashMap<(Fingerprint, Timestamp), Certificate>,
    /// Signatures of certificates and lists that may still be checked for this file.
    signatures: usize,
}

/// Which lists prove that nothing was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RevocationProof {
    /// Those in the file alone.
    InFile,
    /// Also those of the policy.
    Elsewhere,
}

/// Signatures of certificates and lists that are checked for one file: a hundred signers with timestamps need hundreds.
const MAX_SIGNATURE_CHECKS: usize = 1_000;

impl<'e> CertificateStatuses<'e> {
    pub(super) fn new(validation_data: &'e ValidationData, roots: &'e [Certificate]) -> Self {
        Self {
            validation_data,
            roots,
            checked: FxHashMap::default(),
            proved_by_file: FxHashSet::default(),
            paths: FxHashMap::default(),
            lists: FxHashMap::default(),
            ocsp_responses: FxHashMap::default(),
            anchors: FxHashMap::default(),
            signatures: MAX_SIGNATURE_CHECKS,
        }
    }

    /// Why a certificate is not valid at a time.
    pub(super) fn of(&mut self, certificate: &Certificate, at: Timestamp) -> Option<Reason> {
        self.check(certificate, at, None)
    }

    /// The same of a timestamping authority, for a timestamp of this time: if its key was retired and not
    /// compromised, earlier timestamps stay valid.
    pub(super) fn of_clock(
        &mut self,
        certificate: &Certificate,
        at: Timestamp,
        stamped: Timestamp,
    ) -> Option<Reason> {
        match self.of(certificate, at) {
            Some(Reason::Revoked(_)) => self.check(certificate, at, Some(stamped)),
            other => other,
        }
    }

    fn check(
        &mut self,
        certificate: &Certificate,
        at: Timestamp,
        stamped: Option<Timestamp>,
    ) -> Option<Reason> {
        let key = (*certificate.sha256(), at, stamped);
        if let Some(known) = self.checked.get(&key) {
            return known.clone();
        }
        let path = self.path(certificate, at);
        if let Ok([.., root]) = path.as_deref() {
            self.anchors.insert((*certificate.sha256(), at), root.clone());
        }
        let reason = match path.map(|path| self.revocation(&path, at, stamped)) {
            Ok(Ok(RevocationProof::InFile)) => {
                self.proved_by_file.insert((*certificate.sha256(), at));
                None
            }
            Ok(Ok(RevocationProof::Elsewhere)) => None,
            Ok(Err(reason)) => Some(reason),
            Err(PathError::NotValidAt) => Some(Reason::Expired),
            Err(error) => Some(Reason::Untrusted(error)),
        };
        self.checked.insert(key, reason.clone());
        reason
    }

    /// Whether the file itself proves that a certificate, and those above it, were not revoked at a time for which it
    /// was checked before.
    pub(super) fn is_proved_by_file(&self, certificate: &Certificate, at: Timestamp) -> bool {
        self.proved_by_file.contains(&(*certificate.sha256(), at))
    }

    /// The same of the signer of a document, whose certificate must also be for documents. Below `strict` roots it must be
    /// proved that nothing was revoked.
    pub(super) fn of_signer(
        &mut self,
        certificate: &Certificate,
        at: Timestamp,
        strict: &[Certificate],
    ) -> Option<Reason> {
        let reason = match self.of(certificate, at) {
            Some(Reason::RevocationUnknown) if self.is_below(certificate, at, strict) => {
                Some(Reason::ForeignRevocationUnknown)
            }
            other => other,
        };
        let fit = Constraints::of(certificate).is_ok_and(|constraints| constraints.is_of_a_signer());
        if fit
            || reason
                .as_ref()
                .is_some_and(|reason| reason.verdict() != Verdict::Valid)
        {
            return reason;
        }
        Some(Reason::Untrusted(PathError::NotForDocuments))
    }

    fn is_below(&self, certificate: &Certificate, at: Timestamp, roots: &[Certificate]) -> bool {
        let anchor = self.anchors.get(&(*certificate.sha256(), at));
        anchor.is_some_and(|anchor| roots.contains(anchor))
    }

    /// The certificate and those above it, to a trusted root.
    fn path(&mut self, leaf: &Certificate, at: Timestamp) -> Result<Vec<Certificate>, PathError> {
        for ((_, when), above) in &self.paths {
            let Some(issuer) = above.first().filter(|issuer| leaf.is_issued_under(issuer)) else {
                continue;
            };
            // An authority further up may forbid a name that the issuer may give.
            if above.iter().skip(1).any(has_name_constraints) {
                continue;
            }
            // The path of the issuer was checked before: only the step to it is left.
            let issuer = std::slice::from_ref(issuer);
            if *when == at && Path::find_within(leaf, &[], issuer, at, &mut self.signatures).is_ok() {
                return Ok(std::iter::once(leaf).chain(above).cloned().collect());
            }
        }
        let others = &self.validation_data.certificates;
        let path = Path::find_within(leaf, others, self.roots, at, &mut self.signatures)?
            .certificates()
            .to_vec();
        if let Some(issuer) = path.get(1) {
            self.paths
                .insert((*issuer.sha256(), at), path.iter().skip(1).cloned().collect());
        }
        Ok(path)
    }

    /// What proves that no certificate of a path was revoked.
    fn revocation(
        &mut self,
        path: &[Certificate],
        at: Timestamp,
        stamped: Option<Timestamp>,
    ) -> Result<RevocationProof, Reason> {
        let mut known = true;
        let mut in_file = true;
        for (certificate, issuer) in path.iter().zip(path.iter().skip(1)) {
            let lists = self.lists_on(certificate, issuer, at, stamped)?;
            let responses = self.responses_on(certificate, issuer, at, stamped)?;
            known &= lists.is_some() || responses;
            in_file &= lists == Some(RevocationProof::InFile) || responses;
        }
        match (known, in_file) {
            (true, true) => Ok(RevocationProof::InFile),
            (true, false) => Ok(RevocationProof::Elsewhere),
            (false, _) => Err(Reason::RevocationUnknown),
        }
    }

    /// Whether lists prove that a certificate was not revoked, and which.
    fn lists_on(
        &mut self,
        certificate: &Certificate,
        issuer: &Certificate,
        at: Timestamp,
        stamped: Option<Timestamp>,
    ) -> Result<Option<RevocationProof>, Reason> {
        let mut proof = None;
        for (index, list) in self.validation_data.crls.iter().enumerate() {
            if !list.covers(certificate) {
                continue;
            }
            let key = (index, *issuer.sha256());
            let signed = *self.lists.entry(key).or_insert_with(|| {
                let left = self.signatures.checked_sub(1);
                self.signatures = left.unwrap_or_default();
                left.is_some() && list.verify_signed_by(issuer).is_ok()
            });
            if !signed {
                continue;
            }
            let speaks = match list.find(certificate) {
                // Absence from a list proves nothing about a time after the list, or outside its scope.
                Ok(None) => list.would_name(certificate, at),
                Ok(Some(revoked)) => spares(&revoked, at, stamped)?,
                Err(_) => return Err(Reason::RevocationUnknown),
            };
            if speaks && index >= self.validation_data.given {
                proof = Some(RevocationProof::InFile);
            } else if speaks {
                proof = proof.or(Some(RevocationProof::Elsewhere));
            }
        }
        Ok(proof)
    }

    /// Whether OCSP responses, all of which are in the file, prove that a certificate was not revoked.
    fn responses_on(
        &mut self,
        certificate: &Certificate,
        issuer: &Certificate,
        at: Timestamp,
        stamped: Option<Timestamp>,
    ) -> Result<bool, Reason> {
        let mut proved = false;
        for (index, response) in self.validation_data.ocsp_responses.iter().enumerate() {
            if !response.covers(certificate, issuer) {
                continue;
            }
            let key = (index, *issuer.sha256());
            let others = &self.validation_data.certificates;
            let signed = *self.ocsp_responses.entry(key).or_insert_with(|| {
                response
                    .verify_signed_by(issuer, others, &mut self.signatures)
                    .is_ok()
            });
            if !signed {
                continue;
            }
            proved |= match response.status(certificate, issuer, at) {
                OcspStatus::Good => true,
                OcspStatus::Revoked(revoked) => spares(&revoked, at, stamped)?,
                OcspStatus::Unknown => false,
            };
        }
        Ok(proved)
    }
}

/// Whether a revocation leaves alone what was made at a time: it came later, or spares a timestamp from before.
fn spares(revoked: &Revoked, at: Timestamp, stamped: Option<Timestamp>) -> Result<bool, Reason> {
    let before = stamped.is_some_and(|stamped| stamped < revoked.at);
    if revoked.at > at || revoked.reason.keeps_earlier_timestamps() && before {
        Ok(true)
    } else {
        Err(Reason::Revoked(revoked.at))
    }
}
