//! The references between the objects of a revision.

use std::cell::RefCell;
use std::collections::hash_map::Entry::Vacant;
use std::rc::Rc;

use pdf::Damage;
use pdf::file::{Document, Entry};
use pdf::syntax::{Dict, Kind, Ref, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The references to an object: their number, the last object that has one, and whether one lets the referring object
/// use the entries of the other by name.
#[derive(Debug, Clone, Copy)]
struct Mentions {
    count: u32,
    owner: u32,
    used_by_name: bool,
}

/// A reference to an object.
#[derive(Debug, Clone, Copy)]
struct Mention {
    number: u32,
    /// Whether the referring object may use the entries of the other by name, as a page uses resources.
    used_by_name: bool,
}

/// The references of all objects in use.
#[derive(Debug)]
pub(super) struct References {
    mentions: FxHashMap<u32, Mentions>,
    /// Why an object that is referred to cannot be read: its own references are unknown.
    pub(super) unread: Option<Damage>,
    has_text: bool,
}

/// The references in an object, and whether it is a field or a note with text.
#[derive(Debug, Default)]
struct ObjectMentions {
    mentions: Vec<Mention>,
    has_text: bool,
}

/// The same, or why the object cannot be read.
type Mentioned = Result<ObjectMentions, Damage>;

/// Facts about objects by their number and offset: references, headers, ends, members. They are the same in
/// every revision that lists an object there, so each object is read once.
#[derive(Debug, Default)]
pub(super) struct RevisionCache {
    mentioned: FxHashMap<(u32, usize, u32), Mentioned>,
    ends: RefCell<FxHashMap<usize, (Ref, usize)>>,
    members: RefCell<FxHashMap<usize, Rc<[u32]>>>,
    traits: RefCell<FxHashMap<Ref, Traits>>,
    appearance_kinds: RefCell<FxHashMap<Ref, AppearanceKind>>,
}

/// The kind of an object of the whole file as the appearance of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AppearanceKind {
    /// No stream.
    None,
    /// A drawing without operators.
    Blank,
    /// A drawing that cannot leave its box.
    Clipped,
    /// A drawing that may leave its box, or has none.
    Unclipped,
}

/// Properties of objects of the whole file that every signature needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    /// It has no stream.
    pub(super) plain: bool,
    /// It is a timestamp of the document.
    pub(super) timestamp: bool,
    /// It is metadata of the document.
    pub(super) metadata: bool,
}

impl Traits {
    fn of(doc: &Document<'_>, id: Ref) -> Self {
        let found = doc.find(id).ok().flatten();
        let (dict, ended) = match &found {
            Some((value, end)) => (value.as_dict(), end.is_some()),
            None => (None, false),
        };
        let is = |key, word: &[u8]| dict.is_some_and(|dict| dict.name(key) == Some(word));
        Self {
            plain: ended
                || matches!(doc.entry(id.number), Entry::In { .. })
                || doc.stream(id).is_err_and(|damage| !damage.is_excess()),
            timestamp: dict.is_some_and(is_timestamp),
            metadata: is("Type", b"Metadata"),
        }
    }
}

/// Whether a signature's dictionary is that of a document timestamp.
pub(super) fn is_timestamp(signature: &Dict<'_>) -> bool {
    signature.name("Type") == Some(b"DocTimeStamp") && signature.name("SubFilter") == Some(b"ETSI.RFC3161")
}

impl RevisionCache {
    /// The number and generation in the header of the object at an offset, and where the object ends.
    pub(super) fn end(&self, doc: &Document<'_>, offset: usize) -> Result<(Ref, usize), Damage> {
        if let Some(known) = self.ends.borrow().get(&offset) {
            return Ok(*known);
        }
        let found = doc.extent(offset)?;
        self.ends.borrow_mut().insert(offset, found);
        Ok(found)
    }

    /// The numbers of the objects inside the one at an offset: none if it is no object stream.
    pub(super) fn members(&self, doc: &Document<'_>, offset: usize) -> Result<Rc<[u32]>, Damage> {
        if let Some(known) = self.members.borrow().get(&offset) {
            return Ok(Rc::clone(known));
        }
        let found: Rc<[u32]> = doc.packed(offset)?.into();
        self.members.borrow_mut().insert(offset, Rc::clone(&found));
        Ok(found)
    }

    /// The kind of an object as an appearance, found once for all signatures.
    pub(super) fn appearance_kind(&self, id: Ref, find: impl FnOnce() -> AppearanceKind) -> AppearanceKind {
        if let Some(known) = self.appearance_kinds.borrow().get(&id) {
            return *known;
        }
        let found = find();
        self.appearance_kinds.borrow_mut().insert(id, found);
        found
    }

    /// The properties of an object of the whole file.
    pub(super) fn traits(&self, whole: &Document<'_>, id: Ref) -> Traits {
        let mut known = self.traits.borrow_mut();
        *known.entry(id).or_insert_with(|| Traits::of(whole, id))
    }
}

impl References {
    /// Reads every object of a revision that was not read before.
    pub(super) fn of(doc: &Document<'_>, cache: &mut RevisionCache) -> Result<Self, Damage> {
        let mut mentions: FxHashMap<u32, Mentions> = FxHashMap::default();
        let mut unread = Vec::new();
        let mut has_text = false;
        let spans = doc.sections().iter().flat_map(|section| section.spans.iter());
        let sections: FxHashSet<usize> = spans.map(|span| span.0).collect();
        for (number, entry) in doc.entries() {
            let (offset, index, generation) = match entry {
                Entry::Free => continue,
                Entry::At { offset, generation } => (offset, u32::MAX, generation),
                Entry::In { stream, index } => {
                    let Entry::At { offset, .. } = doc.entry(stream) else {
                        unread.push((number, Damage::Missing(stream)));
                        continue;
                    };
                    (offset, index, 0)
                }
            };
            // The number is part of the key: an entry whose number does not match the object there must not stand for
            // one that does.
            let place = (number, offset, index);
            if let Vacant(unknown) = cache.mentioned.entry(place) {
                let mut list = ObjectMentions::default();
                let found = match doc.find(Ref { number, generation }) {
                    Ok(Some((value, end))) => {
                        if sections.contains(&offset) {
                            trailer(&value, &mut list);
                        } else {
                            note(&value, true, &mut list);
                        }
                        if let Some(end) = end {
                            let id = Ref { number, generation };
                            cache.ends.get_mut().insert(offset, (id, end));
                        }
                        list.mentions.shrink_to_fit();
                        Ok(list)
                    }
                    Ok(None) => Ok(list),
                    Err(damage) if damage.is_excess() => return Err(damage),
                    Err(damage) => Err(damage),
                };
                unknown.insert(found);
            }
            let list = match cache.mentioned.get(&place) {
                Some(Ok(list)) => list,
                Some(Err(damage)) => {
                    unread.push((number, *damage));
                    continue;
                }
                None => continue,
            };
            has_text |= list.has_text;
            for mention in &list.mentions {
                let seen = mentions.entry(mention.number).or_insert(Mentions {
                    count: 0,
                    owner: number,
                    used_by_name: false,
                });
                seen.count += 1;
                seen.owner = number;
                seen.used_by_name |= mention.used_by_name;
            }
        }
        // An object without a reference to it is no part of the document, however broken.
        unread.retain(|(number, _)| mentions.contains_key(number));
        let unread = unread.into_iter().min_by_key(|(number, _)| *number);
        Ok(Self {
            mentions,
            unread: unread.map(|(_, damage)| damage),
            has_text,
        })
    }

    /// The highest number that is referred to and has no object.
    pub(super) fn highest_missing(&self, doc: &Document<'_>) -> Option<u32> {
        let numbers = self.mentions.keys().copied();
        numbers.filter(|number| doc.entry(*number) == Entry::Free).max()
    }

    /// An object of a type that readers start from or turn to, to which no reference leads from the trailer: an update
    /// can make it the document. The references of the revision must have been read.
    pub(super) fn spare_page(doc: &Document<'_>, cache: &RevisionCache) -> Result<Option<u32>, Damage> {
        let mut mentioned: FxHashMap<u32, &ObjectMentions> = FxHashMap::default();
        for ((number, _, _), list) in &cache.mentioned {
            mentioned.extend(list.as_ref().ok().map(|list| (*number, list)));
        }
        let mut pending: Vec<u32> = Vec::new();
        for section in doc.sections() {
            let heads = section
                .trailer
                .entries
                .iter()
                .filter_map(|(_, value)| value.as_ref());
            pending.extend(heads.map(|id| id.number));
        }
        let mut reached: FxHashSet<u32> = FxHashSet::default();
        while let Some(number) = pending.pop() {
            if reached.insert(number)
                && let Some(list) = mentioned.get(&number)
            {
                pending.extend(list.mentions.iter().map(|mention| mention.number));
            }
        }
        for (number, entry) in doc.entries().filter(|(number, _)| !reached.contains(number)) {
            let generation = match entry {
                Entry::Free => continue,
                Entry::At { generation, .. } => generation,
                Entry::In { .. } => 0,
            };
            let found = doc.get(Ref { number, generation });
            let kind = match &found {
                Ok(Some(value)) => value.as_dict().and_then(|dict| dict.name("Type")),
                Err(damage) if damage.is_excess() => return Err(*damage),
                _ => None,
            };
            if matches!(kind, Some(b"Catalog" | b"Pages" | b"Page")) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether there is a field that is not for signatures, or a note whose text readers lay out themselves.
    pub(super) fn has_text(&self) -> bool {
        self.has_text
    }

    /// Whether anything refers to the object.
    pub(super) fn mentions(&self, number: u32) -> bool {
        self.mentions.contains_key(&number)
    }

    /// Whether nothing but `owner` refers to the object, and that once.
    pub(super) fn only_from(&self, number: u32, owner: u32) -> bool {
        self.mentions
            .get(&number)
            .is_some_and(|mentions| mentions.count == 1 && mentions.owner == owner)
    }

    /// The object with the only reference to this one.
    pub(super) fn only_owner(&self, number: u32) -> Option<u32> {
        let mentions = self.mentions.get(&number)?;
        (mentions.count == 1).then_some(mentions.owner)
    }

    /// Whether another object may use the entries of this one by name. Such an entry may be drawn elsewhere
    /// even if it draws nothing here.
    pub(super) fn is_used_by_name(&self, number: u32) -> bool {
        self.mentions
            .get(&number)
            .is_some_and(|mentions| mentions.used_by_name)
    }
}

/// A cross-reference stream is a trailer too, and its `/Info` is not a use of the information dictionary.
fn trailer(value: &Value<'_>, list: &mut ObjectMentions) {
    let Some(dict) = value.as_dict() else { return };
    for (key, item) in dict.entries.iter().filter(|(key, _)| key.as_ref() != b"Info") {
        note(item, !points(dict, key), list);
    }
}

/// Entries that are used by name are in a dictionary under a key, never in an array.
fn note(value: &Value<'_>, used_by_name: bool, list: &mut ObjectMentions) {
    match &value.kind {
        Kind::Ref(id) => list.mentions.push(Mention {
            number: id.number,
            used_by_name,
        }),
        Kind::Array(items) => items.iter().for_each(|item| note(item, false, list)),
        Kind::Dict(dict) => {
            list.has_text |= dict.has("FT") && dict.name("FT") != Some(b"Sig")
                || dict.name("Subtype") == Some(b"FreeText");
            for (key, item) in &dict.entries {
                note(item, !points(dict, key), list);
            }
        }
        _ => {}
    }
}

/// Whether a key only points at an object: trailers at the root, kids and tags at fields, signatures at their
/// subjects.
fn points(dict: &Dict<'_>, key: &[u8]) -> bool {
    match key {
        b"Root" | b"Parent" | b"Obj" | b"Popup" | b"IRT" => true,
        b"Data" => dict.has("TransformMethod"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    use pdf::Limits;

    #[test]
    fn a_number_without_an_object_does_not_speak_for_another() {
        let objects = [
            (1, "<</Type/Catalog/Pages 2 0 R>>"),
            (2, "<</Type/Pages/Kids[]/Count 0>>"),
            (4, "<<>>"),
            (5, "<</To 4 0 R>>"),
        ];
        let mut file = "%PDF-1.7\n".to_owned();
        let mut offsets = [0; 6];
        for (number, body) in objects {
            offsets[number] = file.len();
            write!(file, "{number} 0 obj\n{body}\nendobj\n").unwrap();
        }
        // Number 3 is said to be where number 5 is.
        offsets[3] = offsets[5];
        let start = file.len();
        file.push_str("xref\n0 6\n0000000000 65535 f \n");
        for offset in &offsets[1..] {
            writeln!(file, "{offset:010} 00000 n ").unwrap();
        }
        write!(
            file,
            "trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
        )
        .unwrap();

        let doc = Document::open(file.as_bytes(), &Limits::default()).unwrap();
        let references = References::of(&doc, &mut RevisionCache::default()).unwrap();
        assert!(references.only_from(4, 5));
        assert!(!references.mentions(3));
        assert_eq!(references.unread, None, "no object refers to number 3");
    }
}
