//! Changes of a document after a signature. Denied unless on a short list: signature fields filled or added,
//! the security store, document timestamps, and information that is never drawn.

mod appearance;
mod catalog;
mod form;
mod resources;
mod security_store;

use pdf::Damage;
use pdf::file::{Document, Entry};
use pdf::syntax::{Dict, Kind, Ref, Value};
use rustc_hash::FxHashSet;

use super::fields::{SignatureField, shown};
use super::reason::{Change, Reason};
use super::references::{References, RevisionCache};
use super::rules::Rules;
use super::text_string::decode;
use super::unlisted_bytes;

/// A signed revision and the whole file.
#[derive(Debug)]
pub(super) struct Comparison<'d> {
    old: &'d Document<'d>,
    new: &'d Document<'d>,
    references: References,
    cache: &'d RevisionCache,
    /// Objects that did not exist in the signed revision.
    added: FxHashSet<u32>,
    /// Objects that have another version now, without those found harmless.
    redefined: FxHashSet<u32>,
    /// New fields that are nothing but signature fields.
    fields: FxHashSet<Ref>,
    /// Those of them that may be on a page.
    widgets: FxHashSet<Ref>,
    /// Pages that changed by new fields only.
    pages: FxHashSet<Ref>,
}

/// The harmless changes that were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Harmless {
    /// New fields that are drawn: harmless only if their signatures are valid.
    pub(super) visible: Vec<(Ref, String)>,
}

impl From<Damage> for Change {
    fn from(damage: Damage) -> Self {
        Self::Unreadable(damage)
    }
}

impl From<Change> for Reason {
    fn from(change: Change) -> Self {
        Self::Changed(change)
    }
}

/// A document and the signature fields it has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read<'d> {
    pub(super) doc: &'d Document<'d>,
    pub(super) fields: &'d [SignatureField<'d>],
}

/// Compares a signed revision with the whole file.
pub(super) fn compare<'d>(
    old: Read<'d>,
    new: Read<'d>,
    rules: &Rules,
    cache: &'d mut RevisionCache,
) -> Result<Harmless, Reason> {
    let mut comparison = Comparison::new(old.doc, new.doc, cache)?;
    let is_other = !comparison.added.is_empty() || !comparison.redefined.is_empty();
    let harmless = comparison.form(old.fields, new.fields, rules)?;
    comparison.catalog(old.fields)?;
    comparison.information()?;
    if let Some(number) = comparison.redefined.iter().min() {
        return Err(comparison.name(*number).into());
    }
    match comparison.references.unread {
        // An unreadable object may refer to a new one, or to one that was found harmless for lack of references.
        Some(damage) if is_other => Err(Reason::UnknownReferences(damage)),
        _ => Ok(harmless),
    }
}

impl<'d> Comparison<'d> {
    fn new(
        old: &'d Document<'d>,
        new: &'d Document<'d>,
        cache: &'d mut RevisionCache,
    ) -> Result<Self, Change> {
        let later = new
            .sections()
            .len()
            .checked_sub(old.sections().len())
            .ok_or(Change::History)?;
        let (added_sections, kept) = new.sections().split_at_checked(later).ok_or(Change::History)?;
        if !kept
            .iter()
            .map(|section| &section.spans)
            .eq(old.sections().iter().map(|section| &section.spans))
        {
            return Err(Change::History);
        }
        let root = |doc: &Document<'_>| doc.trailer().ok()?.get("Root")?.as_ref();
        if root(old).is_none() || root(old) != root(new) {
            return Err(Change::Catalog);
        }
        let references = References::of(old, cache)?;
        let mut this = Self {
            old,
            new,
            references,
            cache,
            added: FxHashSet::default(),
            redefined: FxHashSet::default(),
            fields: FxHashSet::default(),
            widgets: FxHashSet::default(),
            pages: FxHashSet::default(),
        };
        for (number, _) in added_sections.iter().flat_map(|section| &section.entries) {
            this.note_change(*number)?;
        }
        unlisted_bytes::check(old.bytes().len(), new, added_sections, this.cache)?;
        Ok(this)
    }

    /// Adds a listed object to the added or to the redefined ones.
    fn note_change(&mut self, number: u32) -> Result<(), Change> {
        let (before, now) = (self.old.entry(number), self.new.entry(number));
        if before == now {
            return Ok(());
        }
        let offset = match now {
            // An object without a reference to it was no part of the document.
            Entry::Free if !self.references.mentions(number) && !self.old.is_container(number) => {
                return Ok(());
            }
            Entry::Free => return Err(Change::Removed(number)),
            Entry::At { offset, .. } => offset,
            Entry::In { stream, .. } => match self.new.entry(stream) {
                Entry::At { offset, .. } => offset,
                _ => return Err(Change::Moved(number)),
            },
        };
        if offset < self.old.bytes().len() {
            return Err(Change::Moved(number));
        }
        if before == Entry::Free {
            if self.references.mentions(number) || self.old.is_container(number) {
                return Err(Change::CameToLife(number));
            }
            self.added.insert(number);
        } else {
            // With an object stream, all objects inside it change.
            if self.old.is_container(number) {
                return Err(Change::Object(number));
            }
            self.redefined.insert(number);
        }
        Ok(())
    }

    /// Whether a value is a reference to an object that is new.
    fn is_added(&self, value: &Value<'_>) -> Option<Ref> {
        value.as_ref().filter(|id| self.added.contains(&id.number))
    }

    /// Whether two values of the two revisions say the same, or are both missing.
    fn same(before: Option<&Value<'_>>, now: Option<&Value<'_>>) -> bool {
        match (before, now) {
            (Some(before), Some(now)) => before.says_the_same(now),
            (before, now) => before.is_none() && now.is_none(),
        }
    }

    /// The keys of two dictionaries whose values differ.
    fn differing<'k>(before: &'k Dict<'d>, now: &'k Dict<'d>) -> impl Iterator<Item = &'k [u8]> {
        let keys = before.entries.iter().chain(&now.entries).map(|(key, _)| &**key);
        let (nothing, nothing_now) = (before.nulls(), now.nulls());
        let (before, now) = (before.index(), now.index());
        keys.filter(move |key| {
            nothing.contains(key) != nothing_now.contains(key)
                || !Self::same(before.value(key), now.value(key))
        })
    }

    fn dicts(&self, id: Ref) -> Result<Option<(Dict<'d>, Dict<'d>)>, Change> {
        let before = self.old.get(id)?.map(|value| value.kind);
        let now = self.new.get(id)?.map(|value| value.kind);
        match (before, now) {
            (Some(Kind::Dict(before)), Some(Kind::Dict(now))) if !now.ambiguous && self.is_plain(id) => {
                Ok(Some((before, now)))
            }
            _ => Ok(None),
        }
    }

    /// Whether the object has no stream.
    fn is_plain(&self, id: Ref) -> bool {
        self.cache.traits(self.new, id).plain
    }

    /// The change of an object, in terms for people.
    fn name(&self, number: u32) -> Change {
        let kind = self
            .old
            .get(Ref {
                number,
                generation: 0,
            })
            .ok()
            .flatten();
        let Some(dict) = kind.as_ref().and_then(Value::as_dict) else {
            return Change::Object(number);
        };
        match dict.name("Type") {
            Some(b"Page" | b"Pages") => Change::Page(number),
            _ if dict.has("FT") => Change::Field(
                dict.get("T")
                    .and_then(Value::as_string)
                    .map(|name| shown(&decode(&name)))
                    .unwrap_or_default(),
            ),
            _ => Change::Object(number),
        }
    }
}

fn is_string(value: &Value<'_>) -> bool {
    matches!(value.kind, Kind::Literal(_) | Kind::Hex(_))
}
