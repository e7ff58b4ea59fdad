//! Whether the verifier would find the signatures valid that a rehearsal made.

use pdf::file::{Document, Entry};
use pdf::inspect::unlisted;
use pdf::prepare::AppendState;
use pdf::{Limits, Meter};

use super::changes::Read;
use super::reason::{Change, Reason};
use super::references::{References, RevisionCache};
use super::signature::VerifyContext;
use super::stores::Stores;
use super::{fields, read};

/// Whether every signature made after `from` allows what follows it, and no page is kept for later. Reads no CMS and
/// trusts no one.
/// `state` is that of the document before. A number from its size on that an object refers to must not be one that a new
/// object may get, and what counts as a signature now must have counted as one then.
pub(crate) fn check_revisions(
    bytes: &[u8],
    from: usize,
    state: &AppendState,
    limits: &Limits,
) -> Result<(), Reason> {
    let meter = Meter::with_limits(limits, limits.verified_values);
    let doc = Document::open_with(bytes, limits, meter.clone())?;
    if let Err(number) = unlisted(&doc) {
        return Err(Change::Hidden(number).into());
    }
    let fields = fields::signature_fields(&doc, limits)?;
    let mut context = VerifyContext {
        meter: meter.clone(),
        cache: RevisionCache::default(),
        stores: Stores::default(),
    };
    let whole = Read {
        doc: &doc,
        fields: &fields,
    };
    let references = References::of(&doc, &mut context.cache)?;
    if let Some(number) = references
        .highest_missing(&doc)
        .filter(|number| *number >= state.size)
    {
        return Err(Change::CameToLife(number).into());
    }
    if let Some(number) = References::spare_page(&doc, &context.cache)? {
        return Err(Change::Hidden(number).into());
    }
    let mut earlier = 0;
    for mut candidate in read(&doc, &fields, &meter)? {
        let place = doc.entry(candidate.value.number);
        if matches!(place, Entry::At { offset, .. } if offset >= from) {
            candidate.follow(whole, limits, &mut context, None);
            if let Some(reason) = candidate.reasons.pop() {
                return Err(reason);
            }
        } else {
            earlier += 1;
        }
    }
    if earlier == state.signatures {
        Ok(())
    } else {
        Err(Reason::NotARevision)
    }
}
