//! What the verifier can tell of a document before it is signed: whether the signatures to come will be found valid.

use pdf::file::{Document, Entry};
use pdf::inspect::unlisted;
use pdf::prepare::AppendState;
use pdf::syntax::{Kind, Ref, Value};
use pdf::{Damage, Limits, Meter};

use super::difference::Read;
use super::reason::{Change, Reason};
use super::references::{References, RevisionCache};
use super::security_stores::Stores;
use super::signature::VerifyContext;
use super::{fields, read};

/// The entries of a catalog that signatures change, or that say what they may change.
const SIGNED_ENTRIES: [&str; 4] = ["AcroForm", "DSS", "Perms", "Extensions"];

/// A document in which signatures can only add.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainDocument {
    /// The highest number that is referred to and has no object.
    pub(crate) highest_missing: Option<u32>,
}

/// Looks at a document that was saved once, has no form and is not encrypted: nothing that is appended to it meets anything of its own, so
/// it is enough that all of it can be read and no page is kept for later. Nothing for other documents.
pub(crate) fn check_plain(
    doc: &Document<'_>,
    state: &AppendState,
    limits: &Limits,
) -> Result<Option<PlainDocument>, Reason> {
    if !is_plain(doc, state)? {
        return Ok(None);
    }
    // A field on a page that is in no form.
    if !fields::signature_fields(doc, limits)?.is_empty() {
        return Ok(None);
    }
    let mut cache = RevisionCache::default();
    let references = References::of(doc, &mut cache)?;
    let has_stream = |id: Ref| !cache.traits(doc, id).plain;
    if references.is_used_by_name(state.root.number)
        || [state.root, state.pages, state.field_page]
            .into_iter()
            .any(has_stream)
    {
        return Ok(None);
    }
    if let Some(damage) = references.unread {
        return Err(Reason::UnknownReferences(damage));
    }
    if let Some(number) = References::spare_page(doc, &cache)? {
        return Err(Change::Hidden(number).into());
    }
    Ok(Some(PlainDocument {
        highest_missing: references.highest_missing(doc),
    }))
}

fn is_plain(doc: &Document<'_>, state: &AppendState) -> Result<bool, Damage> {
    let [section] = doc.sections() else {
        return Ok(false);
    };
    let trailer = &section.trailer;
    if state.signatures > 0 || trailer.has("XRefStm") || trailer.has("Encrypt") {
        return Ok(false);
    }
    let dict = |id: Ref| {
        let found = doc.get(id)?.map(|value| value.kind);
        Ok::<_, Damage>(match found {
            Some(Kind::Dict(dict)) if id.generation == 0 && !dict.ambiguous => Some(dict),
            _ => None,
        })
    };
    let (Some(catalog), Some(pages), Some(page)) =
        (dict(state.root)?, dict(state.pages)?, dict(state.field_page)?)
    else {
        return Ok(false);
    };
    let is_list_of_objects = |value: &Value<'_>| match &value.kind {
        Kind::Array(items) => items.iter().all(|item| item.as_ref().is_some()),
        _ => false,
    };
    Ok(!SIGNED_ENTRIES.iter().any(|key| catalog.has(key))
        && pages.name("Type") == Some(b"Pages")
        && page.name("Type") == Some(b"Page")
        && pages.get("Kids").is_some_and(is_list_of_objects)
        && page.get("Annots").is_none_or(is_list_of_objects))
}

/// Whether every signature made after `from` allows what follows it, and no page is kept for later. Reads no CMS and
/// checks no certificate.
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
