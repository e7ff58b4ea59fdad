//! A document in which signatures can only add: one reading tells that they will be found valid.

use pdf::file::{Document, Entry};
use pdf::prepare::AppendState;
use pdf::syntax::{Kind, Ref, Value};
use pdf::{Damage, Limits};
use rustc_hash::FxHashSet;

use super::reason::{Change, Reason};
use super::references::{ObjectMentions, RevisionCache, note, trailer};

/// The entries of a catalog that signatures change, or that say what they may change.
const SIGNED_ENTRIES: [&str; 4] = ["AcroForm", "DSS", "Perms", "Extensions"];

/// What such a document leaves to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain {
    /// The highest number that is referred to and has no object.
    pub(crate) highest_missing: Option<u32>,
}

/// Looks at a document that was saved once, has no form and is not encrypted: nothing that is appended to it meets
/// anything of its own, so it is enough that all of it can be read and no page is kept for later. Nothing for other
/// documents.
pub(crate) fn check_plain(
    bytes: &[u8],
    state: &AppendState,
    limits: &Limits,
) -> Result<Option<Plain>, Reason> {
    let doc = Document::open(bytes, limits)?;
    if !is_plain(&doc, state)? {
        return Ok(None);
    }
    let objects = Objects::read(&doc)?;
    let cache = RevisionCache::default();
    let has_stream = |id: Ref| !cache.traits(&doc, id).plain;
    if objects.is_used_by_name(state.root.number)
        || [state.root, state.pages, state.field_page]
            .into_iter()
            .any(has_stream)
    {
        return Ok(None);
    }
    if let Some(damage) = objects.unread() {
        return Err(Reason::UnknownReferences(damage));
    }
    if let Some(number) = objects.spare_page(&doc) {
        return Err(Change::Hidden(number).into());
    }
    Ok(Some(Plain {
        highest_missing: objects.highest_missing(&doc),
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

/// An object that can be read.
#[derive(Debug)]
struct Object {
    number: u32,
    /// Where its references begin and end among those of all objects.
    references: (usize, usize),
    /// Whether readers start from an object of its type, or turn to it.
    is_page: bool,
}

/// All objects of a document, each read once.
#[derive(Debug, Default)]
struct Objects {
    list: Vec<Object>,
    references: ObjectMentions,
    damaged: Vec<(u32, Damage)>,
}

impl Objects {
    fn read(doc: &Document<'_>) -> Result<Self, Damage> {
        let mut all = Self::default();
        let is_section = |at: usize| {
            let mut spans = doc.sections().iter().flat_map(|section| &section.spans);
            spans.any(|span| span.0 == at)
        };
        for (number, entry) in doc.entries() {
            let (offset, generation) = match entry {
                Entry::Free => continue,
                Entry::At { offset, generation } => (Some(offset), generation),
                Entry::In { .. } => (None, 0),
            };
            let value = match doc.get(Ref { number, generation }) {
                Ok(Some(value)) => value,
                Ok(None) => continue,
                Err(damage) if damage.is_excess() => return Err(damage),
                Err(damage) => {
                    all.damaged.push((number, damage));
                    continue;
                }
            };
            let from = all.references.mentions.len();
            if offset.is_some_and(is_section) {
                trailer(&value, &mut all.references);
            } else {
                note(&value, true, &mut all.references);
            }
            let kind = value.as_dict().and_then(|dict| dict.name("Type"));
            all.list.push(Object {
                number,
                references: (from, all.references.mentions.len()),
                is_page: matches!(kind, Some(b"Catalog" | b"Pages" | b"Page")),
            });
        }
        Ok(all)
    }

    fn is_used_by_name(&self, number: u32) -> bool {
        let mut mentions = self.references.mentions.iter();
        mentions.any(|mention| mention.number == number && mention.used_by_name)
    }

    /// Why an object that is referred to cannot be read.
    fn unread(&self) -> Option<Damage> {
        if self.damaged.is_empty() {
            return None;
        }
        let mentions = self.references.mentions.iter();
        let mentioned: FxHashSet<u32> = mentions.map(|mention| mention.number).collect();
        let damaged = self
            .damaged
            .iter()
            .filter(|(number, _)| mentioned.contains(number));
        damaged
            .min_by_key(|(number, _)| *number)
            .map(|(_, damage)| *damage)
    }

    fn highest_missing(&self, doc: &Document<'_>) -> Option<u32> {
        let numbers = self.references.mentions.iter().map(|mention| mention.number);
        numbers.filter(|number| doc.entry(*number) == Entry::Free).max()
    }

    /// A page, or a list of them, to which no reference leads from the trailer: an update can make it the document.
    fn spare_page(&self, doc: &Document<'_>) -> Option<u32> {
        let highest = self.list.iter().map(|object| object.number).max()?;
        let mut unreached: Vec<Option<&Object>> = vec![None; usize::try_from(highest).ok()? + 1];
        for object in &self.list {
            unreached[object.number as usize] = Some(object);
        }
        let heads = doc.sections().iter().flat_map(|section| &section.trailer.entries);
        let mut pending: Vec<u32> = heads
            .filter_map(|(_, value)| value.as_ref())
            .map(|id| id.number)
            .collect();
        while let Some(number) = pending.pop() {
            let object = unreached.get_mut(number as usize).and_then(Option::take);
            if let Some(Object {
                references: (from, to),
                ..
            }) = object
            {
                pending.extend(
                    self.references.mentions[*from..*to]
                        .iter()
                        .map(|mention| mention.number),
                );
            }
        }
        let spare = unreached.into_iter().flatten().find(|object| object.is_page);
        spare.map(|object| object.number)
    }
}
