//! The structure tree of a tagged document: what is added to a page, and every field, becomes an element of it. A
//! document without one, and a signed document, stay as they are.

use std::fmt::Write;

use pdf::Damage;
use pdf::increment::{Increment, append_item, array_of, dict_of, edit, text};
use pdf::syntax::{Dict, Ref};

use crate::language::Language;

/// A marked part of a page's contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tag {
    /// A text.
    Paragraph,
    /// A picture, and what it shows in words.
    Figure(String),
}

/// A section that is being added to a structure tree.
pub(crate) struct Section {
    root: Ref,
    id: Ref,
    elements: Vec<Ref>,
    next_key: i64,
    first_key: i64,
    /// The new entries of the tree of parents.
    parents: String,
}

impl Section {
    /// A section of a document, if that is tagged and not signed.
    pub(crate) fn begin(increment: &mut Increment) -> Option<Self> {
        let root = root(increment)?;
        let dict = dict_of(increment.object(root)?).ok()?;
        let next_key = dict.int("ParentTreeNextKey")?;
        // Not a stream, of which there is no copy.
        let parents = dict.get("ParentTree")?;
        match parents.as_ref() {
            Some(id) => dict_of(increment.object(id)?).ok()?,
            None => parents.as_dict()?.clone(),
        };
        Some(Self {
            root,
            id: increment.allocate(),
            elements: Vec::new(),
            next_key,
            first_key: next_key,
            parents: String::new(),
        })
    }

    fn key(&mut self) -> i64 {
        self.next_key += 1;
        self.next_key - 1
    }

    fn element(&mut self, increment: &mut Increment, kind: &str, page: Ref, entries: &str) -> Ref {
        let id = increment.allocate();
        let body = format!(
            "<</Type/StructElem/S/{kind}/P {} 0 R/Pg {} {} R{entries}>>",
            self.id.number, page.number, page.generation
        );
        increment.write(id, body.as_bytes());
        self.elements.push(id);
        id
    }

    /// Adds the marked parts of a new page, in their order, and returns the entries of the page.
    pub(crate) fn page(&mut self, increment: &mut Increment, page: Ref, tags: &[Tag]) -> String {
        let key = self.key();
        let mut elements = Vec::new();
        for (place, tag) in tags.iter().enumerate() {
            let (kind, entries) = match tag {
                Tag::Paragraph => ("P", format!("/K {place}")),
                Tag::Figure(words) => ("Figure", format!("/K {place}/Alt{}", text(words))),
            };
            elements.push(self.element(increment, kind, page, &entries));
        }
        let elements: Vec<String> = elements.iter().map(|id| format!("{} 0 R", id.number)).collect();
        let _ = write!(self.parents, " {key}[{}]", elements.join(" "));
        format!("/StructParents {key}/Tabs/S")
    }

    /// Adds a field, described in words, and returns the entry of the field.
    pub(crate) fn field(&mut self, increment: &mut Increment, page: Ref, field: Ref, words: &str) -> String {
        let key = self.key();
        let entries = format!("/K<</Type/OBJR/Obj {} 0 R>>/Alt{}", field.number, text(words));
        let element = self.element(increment, "Form", page, &entries);
        let _ = write!(self.parents, " {key} {} 0 R", element.number);
        format!("/StructParent {key}")
    }

    /// Writes the section, in that language, and puts it at the end of the document's tree.
    pub(crate) fn end(self, increment: &mut Increment, language: Language) -> Result<(), Damage> {
        let elements: Vec<String> = self
            .elements
            .iter()
            .map(|id| format!("{} 0 R", id.number))
            .collect();
        let body = format!(
            "<</Type/StructElem/S/Sect/P {} {} R/Lang({})/K[{}]>>",
            self.root.number,
            self.root.generation,
            language.code(),
            elements.join(" ")
        );
        increment.write(self.id, body.as_bytes());
        let missing = Damage::Missing(self.root.number);
        let body = increment.object(self.root).ok_or(missing)?.to_vec();
        let dict = dict_of(&body)?;
        let item = format!("{} 0 R", self.id.number);
        let next_key = self.next_key.to_string();
        let mut changes = vec![("ParentTreeNextKey", next_key.into_bytes())];
        changes.extend(longer(increment, &dict, "K", &item)?.map(|list| ("K", list)));
        changes.extend(
            self.add_parents(increment, &dict)?
                .map(|tree| ("ParentTree", tree)),
        );
        let changes: Vec<(&str, &[u8])> = changes
            .iter()
            .map(|(key, value)| (*key, value.as_slice()))
            .collect();
        let body = edit(&body, &changes)?;
        increment.settle(self.root, body);
        Ok(())
    }

    /// Adds the new entries to the tree of parents, and returns it where it is written into the root.
    fn add_parents(&self, increment: &mut Increment, root: &Dict<'_>) -> Result<Option<Vec<u8>>, Damage> {
        let missing = Damage::Entry("ParentTree");
        let value = root.get("ParentTree").ok_or(missing)?;
        let own = value.as_ref();
        let tree = match own {
            Some(id) => increment.object(id).ok_or(missing)?.to_vec(),
            None => value.raw.to_vec(),
        };
        let dict = dict_of(&tree)?;
        let change = if dict.has("Kids") {
            let leaf = increment.allocate();
            let (first, last) = (self.first_key, self.next_key - 1);
            let body = format!("<</Limits[{first} {last}]/Nums[{}]>>", self.parents);
            increment.write(leaf, body.as_bytes());
            let kid = format!("{} 0 R", leaf.number);
            longer(increment, &dict, "Kids", &kid)?.map(|list| ("Kids", list))
        } else {
            longer(increment, &dict, "Nums", &self.parents)?.map(|list| ("Nums", list))
        };
        let Some((key, list)) = change else {
            return Ok(None);
        };
        let tree = edit(&tree, &[(key, list.as_slice())])?;
        match own {
            Some(id) => {
                increment.settle(id, tree);
                Ok(None)
            }
            None => Ok(Some(tree)),
        }
    }
}

/// The root of the structure tree of a document without signatures.
fn root(increment: &Increment) -> Option<Ref> {
    if increment.append_state.signatures > 0 {
        return None;
    }
    let catalog = increment.object(increment.append_state.root)?;
    let root = dict_of(catalog).ok()?.get("StructTreeRoot")?.as_ref()?;
    increment.object(root).map(|_| root)
}

/// A list of a dictionary with one more item. `None` if the list is an object of its own, which is restated. A single
/// item becomes a list.
fn longer(
    increment: &mut Increment,
    dict: &Dict<'_>,
    key: &str,
    item: &str,
) -> Result<Option<Vec<u8>>, Damage> {
    let Some(value) = dict.get(key) else {
        return append_item(None, item).map(Some);
    };
    if let Some(id) = value.as_ref()
        && let Some(list) = increment.object(id).filter(|list| array_of(list).is_ok())
    {
        let list = append_item(Some(list), item)?;
        increment.settle(id, list);
        return Ok(None);
    }
    if value.as_array().is_some() {
        return append_item(Some(value.raw), item).map(Some);
    }
    Ok(Some([b"[", value.raw, b" ", item.as_bytes(), b"]"].concat()))
}
