//! Finds the path from a certificate to a trusted root.
//!
//! Constraints and mappings of policies are not processed, and refused when critical. Policies themselves are
//! accepted and narrow nothing: a trusted root is trusted under all of them.

use der::asn1::ObjectIdentifier;
use jiff::Timestamp;

use super::constraints::Constraints;
use super::name_constraints::permits;
use crate::cms::{Certificate, CmsError, oid};

const MAX_DEPTH: usize = 8;
/// Signatures checked for one path: hostile certificates of one name could otherwise be tried in every order.
const MAX_SIGNATURE_CHECKS: usize = 64;
const KNOWN_EXTENSIONS: [ObjectIdentifier; 7] = [
    oid::BASIC_CONSTRAINTS,
    oid::NAME_CONSTRAINTS,
    oid::KEY_USAGE,
    oid::SUBJECT_ALT_NAME,
    oid::EXTENDED_KEY_USAGE,
    oid::CERTIFICATE_POLICIES,
    oid::CRL_DISTRIBUTION_POINTS,
];

/// Why there is no path: the reason of the attempt that came furthest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum PathError {
    /// No certificate of the issuer's name leads to a trusted root.
    #[error("no path to a trusted root")]
    NoIssuer,
    /// A certificate above is not an authority's, or has more certificates below it than it allows.
    #[error("a certificate of the path is not an authority's")]
    NotAuthority,
    /// An authority above does not allow a name.
    #[error("a certificate of the path bears a name that an authority above it may not give")]
    NameConstraints,
    /// A critical extension is not understood.
    #[error("a certificate of the path has a critical extension that is not understood")]
    CriticalExtension,
    /// A signature of a certificate does not verify.
    #[error("a signature of the path does not verify")]
    BadSignature,
    /// A key is too short.
    #[error("a key of the path is weak")]
    WeakKey,
    /// A certificate rests on SHA-1 or MD5.
    #[error("a certificate of the path rests on a broken digest algorithm")]
    WeakAlgorithm,
    /// A certificate was not valid at the time.
    #[error("a certificate of the path was not valid at the time")]
    NotValidAt,
    /// The certificate is not for signing documents.
    #[error("the certificate is not for signing documents")]
    NotForDocuments,
    /// The search took too many steps.
    #[error("the path is too long or too tangled")]
    TooComplex,
}

/// A path: the certificate first, the trusted root last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(Vec<Certificate>);

impl Path {
    /// Finds the path of `leaf` through `others` to one of `roots`, every certificate valid at `at`.
    pub fn find(
        leaf: &Certificate,
        others: &[Certificate],
        roots: &[Certificate],
        at: Timestamp,
    ) -> Result<Self, PathError> {
        Self::find_within(leaf, others, roots, at, &mut { MAX_SIGNATURE_CHECKS })
    }

    /// The same with a budget of signature checks, from which each check is deducted.
    pub fn find_within(
        leaf: &Certificate,
        others: &[Certificate],
        roots: &[Certificate],
        at: Timestamp,
        left: &mut usize,
    ) -> Result<Self, PathError> {
        check(leaf, at)?;
        if roots.contains(leaf) {
            return Ok(Self(vec![leaf.clone()]));
        }
        let mut search = Search {
            others,
            roots,
            at,
            signatures: MAX_SIGNATURE_CHECKS.min(*left),
            furthest: PathError::NoIssuer,
        };
        let mut path = vec![leaf.clone()];
        let allowed = search.signatures;
        let found = search.climb(&mut path);
        *left -= allowed - search.signatures;
        if found {
            Ok(Self(path))
        } else {
            Err(search.furthest)
        }
    }

    /// The certificates, the leaf first and the trusted root last.
    pub fn certificates(&self) -> &[Certificate] {
        &self.0
    }

    /// Every certificate with its issuer, without the root, which is trusted by itself.
    pub fn links(&self) -> impl Iterator<Item = (&Certificate, &Certificate)> {
        self.0.iter().zip(self.0.iter().skip(1))
    }
}

struct Search<'a> {
    others: &'a [Certificate],
    roots: &'a [Certificate],
    at: Timestamp,
    /// Signature checks that are left.
    signatures: usize,
    furthest: PathError,
}

impl Search<'_> {
    fn climb(&mut self, path: &mut Vec<Certificate>) -> bool {
        let Some(last) = path.last().cloned() else {
            return false;
        };
        let candidates = self.roots.iter().map(|root| (root, true));
        let candidates = candidates.chain(self.others.iter().map(|other| (other, false)));
        for (candidate, trusted) in candidates {
            if !last.is_issued_under(candidate) || path.contains(candidate) {
                continue;
            }
            match self.step(path, &last, candidate) {
                Ok(()) => {}
                Err(reason) => {
                    self.furthest = self.furthest.max(reason);
                    continue;
                }
            }
            path.push(candidate.clone());
            if trusted || self.climb(path) {
                return true;
            }
            path.pop();
        }
        false
    }

    /// Whether `issuer` may be above `last` in the path.
    fn step(
        &mut self,
        path: &[Certificate],
        last: &Certificate,
        issuer: &Certificate,
    ) -> Result<(), PathError> {
        if path.len() == MAX_DEPTH || self.signatures == 0 {
            return Err(PathError::TooComplex);
        }
        check(issuer, self.at)?;
        let constraints = Constraints::of(issuer).map_err(|_| PathError::NotAuthority)?;
        let below = path
            .iter()
            .skip(1)
            .filter(|certificate| !certificate.is_self_issued())
            .count();
        let fits = constraints
            .followers()
            .is_none_or(|limit| u64::try_from(below).is_ok_and(|below| below <= limit));
        if !constraints.signs_certificates() || !fits {
            return Err(PathError::NotAuthority);
        }
        if !permits(issuer, path).unwrap_or(false) {
            return Err(PathError::NameConstraints);
        }
        self.signatures -= 1;
        let key = issuer.key().map_err(|error| why(&error))?;
        last.verify_signed_by(key).map_err(|error| why(&error))
    }
}

fn why(error: &CmsError) -> PathError {
    match error {
        CmsError::WeakKey(_) => PathError::WeakKey,
        CmsError::WeakAlgorithm(_) => PathError::WeakAlgorithm,
        _ => PathError::BadSignature,
    }
}

fn check(certificate: &Certificate, at: Timestamp) -> Result<(), PathError> {
    if !certificate.covers(at) {
        return Err(PathError::NotValidAt);
    }
    let understood = |oid| KNOWN_EXTENSIONS.contains(&oid);
    if certificate
        .extensions()
        .any(|extension| extension.critical && !understood(extension.oid))
    {
        return Err(PathError::CriticalExtension);
    }
    if Constraints::of(certificate).is_ok_and(|constraints| constraints.has_foreign_purposes()) {
        return Err(PathError::CriticalExtension);
    }
    Ok(())
}
