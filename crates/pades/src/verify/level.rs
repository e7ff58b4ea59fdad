//! The baseline levels of ETSI EN 319 142: how long a signature can be verified without other sources.

use pdf::Limits;
use pdf::file::Document;
use pdf::inspect::catalog;

use super::reason::Verdict;
use super::report::Level;
use super::signature::{Candidate, Format, VerifyContext};

/// The end of the part of the document that the newest valid timestamp covers, if that part includes the store of
/// certificates and revocation lists.
pub(super) fn archived(
    doc: &Document<'_>,
    candidates: &[Candidate<'_>],
    limits: &Limits,
    context: &VerifyContext,
) -> Option<usize> {
    let stamps = candidates.iter().filter(|one| {
        one.format == Some(Format::Timestamp) && one.signer.is_some() && one.worst() == Verdict::Valid
    });
    let end = stamps.filter_map(Candidate::end).max()?;
    let holds_store = |doc: &Document<'_>| catalog(doc).is_ok_and(|(_, catalog)| catalog.has("DSS"));
    let covered = if end == doc.bytes().len() {
        holds_store(doc)
    } else {
        let revision = doc.bytes().get(..end)?;
        holds_store(&Document::open_with(revision, limits, context.meter.clone()).ok()?)
    };
    covered.then_some(end)
}

impl Candidate<'_> {
    /// The level of the signature; `None` for a timestamp, for another format, and for an invalid signature.
    pub(super) fn level(&self, archived: Option<usize>) -> Option<Level> {
        if self.format != Some(Format::Cades) || self.worst() == Verdict::Invalid {
            return None;
        }
        if self.proved_time.is_none() {
            return Some(Level::B);
        }
        if self.worst() != Verdict::Valid || !self.self_contained {
            return Some(Level::T);
        }
        Some(match (archived, self.end()) {
            (Some(archived), Some(end)) if end < archived => Level::Lta,
            _ => Level::Lt,
        })
    }
}
