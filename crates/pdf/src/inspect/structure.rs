//! The structure tree of a tagged document, as far as new pages and fields join it.

use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Dict, Ref, Value};

/// Bytes of the objects that are restated. A tree with more of them stays as it is.
const MAX_BYTES: usize = 64 << 10;
/// Levels of the tree of parents.
const MAX_DEPTH: usize = 32;
/// New pages and fields get keys above those of the document.
const MAX_KEY: i64 = 1 << 30;

/// The objects of a structure tree that are restated when something joins it.
pub(super) struct StructureTree {
    pub(super) root: Ref,
    /// Its list of elements, and parts of its tree of parents, where they are objects of their own.
    pub(super) others: Vec<Ref>,
    /// The first free key of the tree of parents.
    pub(super) next_key: i64,
}

/// The structure tree of a document, if it has one that can be joined.
pub(super) fn structure(doc: &Document<'_>, catalog: &Dict<'_>) -> Result<Option<StructureTree>, Damage> {
    match read(doc, catalog) {
        // Without it the document is signed all the same.
        Err(damage) if !damage.is_excess() => Ok(None),
        found => found,
    }
}

fn read(doc: &Document<'_>, catalog: &Dict<'_>) -> Result<Option<StructureTree>, Damage> {
    let Some(root) = catalog.get("StructTreeRoot").and_then(Value::as_ref) else {
        return Ok(None);
    };
    let Some(value) = doc.get(root)? else {
        return Ok(None);
    };
    let Some(dict) = value.as_dict() else {
        return Ok(None);
    };
    let Some(parents) = doc.lookup(dict, "ParentTree")? else {
        return Ok(None);
    };
    let Some(tree) = parents.as_dict() else {
        return Ok(None);
    };
    let mut others = Vec::new();
    let mut bytes = value.raw.len();
    for (owner, key) in [(dict, "K"), (dict, "ParentTree"), (tree, "Nums"), (tree, "Kids")] {
        let (Some(id), Some(value)) = (owner.get(key).and_then(Value::as_ref), doc.lookup(owner, key)?)
        else {
            continue;
        };
        // The one element of a tree is not restated itself.
        if key == "ParentTree" || value.as_array().is_some() {
            bytes += value.raw.len();
            others.push(id);
        }
    }
    let stated = dict.int("ParentTreeNextKey").unwrap_or(0);
    let next_key = next_key(doc, tree)?.max(stated);
    let fits = bytes <= MAX_BYTES && (0..MAX_KEY).contains(&next_key);
    Ok(fits.then_some(StructureTree {
        root,
        others,
        next_key,
    }))
}

/// The key after the last one of a number tree.
fn next_key(doc: &Document<'_>, tree: &Dict<'_>) -> Result<i64, Damage> {
    let mut node = tree.clone();
    for _ in 0..MAX_DEPTH {
        if let Some(numbers) = doc.lookup(&node, "Nums")? {
            let items = numbers.as_array().unwrap_or_default();
            let keys = items.iter().step_by(2).filter_map(Value::as_int);
            return Ok(keys.max().map_or(0, |key| key.saturating_add(1)));
        }
        let kids = doc.lookup(&node, "Kids")?;
        let last = kids.as_ref().and_then(Value::as_array).and_then(<[_]>::last);
        let kid = match last.and_then(Value::as_ref) {
            Some(id) => doc.get(id)?,
            None => last.cloned(),
        };
        let Some(kid) = kid.as_ref().and_then(Value::as_dict) else {
            return Ok(0);
        };
        let limits = doc.lookup(kid, "Limits")?;
        if let Some([_, highest]) = limits.as_ref().and_then(Value::as_array) {
            return Ok(highest.as_int().map_or(MAX_KEY, |key| key.saturating_add(1)));
        }
        node = kid.clone();
    }
    Ok(MAX_KEY)
}
