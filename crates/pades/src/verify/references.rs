//! Who refers to whom among the objects of a revision.

use rustc_hash::FxHashMap;

use crate::file::{Damage, Document, Entry};
use crate::syntax::{Kind, Ref, Value};

/// How often an object is referred to, and by whom last.
#[derive(Debug, Clone, Copy)]
struct Mentions {
    count: u32,
    owner: u32,
}

/// The references of all objects in use.
#[derive(Debug)]
pub(super) struct References {
    mentions: FxHashMap<u32, Mentions>,
}

impl References {
    /// Reads every object of a revision.
    pub(super) fn of(doc: &Document<'_>) -> Result<Self, Damage> {
        let mut mentions = FxHashMap::default();
        for (number, entry) in doc.entries() {
            let generation = match entry {
                Entry::Free => continue,
                Entry::At { generation, .. } => generation,
                Entry::In { .. } => 0,
            };
            // An object that cannot be read cannot refer to anything.
            match doc.get(Ref { number, generation }) {
                Ok(Some(value)) => note(&value, number, &mut mentions),
                Err(damage) if damage.is_excess() => return Err(damage),
                _ => {}
            }
        }
        Ok(Self { mentions })
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
}

fn note(value: &Value<'_>, owner: u32, mentions: &mut FxHashMap<u32, Mentions>) {
    match &value.kind {
        Kind::Ref(id) => {
            let seen = mentions.entry(id.number).or_insert(Mentions { count: 0, owner });
            seen.count += 1;
            seen.owner = owner;
        }
        Kind::Array(items) => items.iter().for_each(|item| note(item, owner, mentions)),
        Kind::Dict(dict) => dict
            .entries
            .iter()
            .for_each(|(_, item)| note(item, owner, mentions)),
        _ => {}
    }
}
