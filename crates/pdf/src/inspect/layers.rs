//! Optional content: refused where the page does not show all of it, shows it only on screen or only on
//! paper, or shows it to some readers and not to others.

use std::collections::BTreeSet;

use super::{Hidden, Refused};
use crate::damage::Damage;
use crate::file::{Document, Entry};
use crate::syntax::{Dict, Kind, Ref, Value};

const REFUSED: Refused = Refused::HiddenContent(Hidden::Layers);

/// The entry of the catalog for layers.
const PROPERTIES: &[u8] = b"OCProperties";

/// Entries of the properties of layers, and of the configuration that is shown, which name layers and draw nothing.
const LAYER_LISTS: [&str; 3] = ["OCGs", "D", "Configs"];
const SHOWN_LISTS: [&str; 6] = ["ON", "OFF", "Order", "RBGroups", "Locked", "AS"];

/// Usages that depend on the person who reads, or on the zoom.
const READER_DEPENDENT_USAGES: [&str; 3] = ["Zoom", "User", "Language"];

/// Accepts layers that are all shown, and layers that nothing belongs to.
pub(super) fn check<'d>(doc: &'d Document<'d>, catalog: &Dict<'d>) -> Result<(), Refused> {
    let Some(layers) = doc.lookup_dict(catalog, "OCProperties")? else {
        return Ok(());
    };
    let Some(shown) = doc.lookup_dict(&layers, "D")? else {
        return Ok(());
    };
    if doc.lookup(&shown, "BaseState")?.as_ref().and_then(Value::as_name) == Some(b"OFF") {
        return Err(REFUSED);
    }
    let off: BTreeSet<u32> = doc
        .lookup_array(&shown, "OFF")?
        .unwrap_or_default()
        .iter()
        .filter_map(|group| group.as_ref().map(|id| id.number))
        .collect();
    if !off.is_empty() && are_used(doc, catalog, &layers, &shown, &off)? {
        return Err(REFUSED);
    }
    for item in doc.lookup_array(&shown, "AS")?.unwrap_or_default() {
        let Kind::Dict(rule) = doc.resolve(&item)?.kind else {
            continue;
        };
        let varying = varying(doc, &rule)?;
        for group in doc.lookup_array(&rule, "OCGs")?.unwrap_or_default() {
            if let Kind::Dict(group) = doc.resolve(&group)?.kind {
                usage(doc, &group, &varying)?;
            }
        }
    }
    Ok(())
}

/// Whether an object of the document belongs to one of these layers. Only the lists of layers may name them, and nothing
/// else may name these lists: a page could take one for its resources.
fn are_used<'d>(
    doc: &'d Document<'d>,
    catalog: &Dict<'d>,
    layers: &Dict<'d>,
    shown: &Dict<'d>,
    off: &BTreeSet<u32>,
) -> Result<bool, Refused> {
    let root = doc.trailer()?.get("Root").and_then(Value::as_ref);
    let root = root.map(|id| id.number);
    let lists = lists(catalog, layers, shown);
    if !off.is_disjoint(&lists) || root.is_some_and(|root| off.contains(&root)) {
        return Ok(true);
    }
    let named: BTreeSet<u32> = off.union(&lists).copied().collect();
    for (number, entry) in doc.entries() {
        let generation = match entry {
            Entry::Free => continue,
            Entry::At { generation, .. } => generation,
            Entry::In { .. } => 0,
        };
        if lists.contains(&number) {
            continue;
        }
        let id = Ref { number, generation };
        let is_root = root == Some(number);
        match doc.get(id) {
            Ok(Some(value)) if is_root => {
                let entries = value.as_dict().map(|dict| dict.entries.as_slice());
                let mut others = entries.unwrap_or_default().iter();
                if others.any(|(key, item)| &**key != PROPERTIES && names(item, &named)) {
                    return Ok(true);
                }
            }
            Ok(Some(value)) if names(&value, &named) => return Ok(true),
            Ok(_) => {}
            Err(damage) if damage.is_excess() => return Err(damage.into()),
            // An object that cannot be read may name them.
            Err(_) => return Ok(true),
        }
    }
    Ok(false)
}

/// The numbers of the objects that list layers: the properties of layers, their configurations, and the lists of these.
fn lists(catalog: &Dict<'_>, layers: &Dict<'_>, shown: &Dict<'_>) -> BTreeSet<u32> {
    let configurations = layers.get("Configs").and_then(Value::as_array);
    let own = catalog.get("OCProperties").into_iter();
    let of_layers = LAYER_LISTS.iter().filter_map(|key| layers.get(key));
    let of_shown = SHOWN_LISTS.iter().filter_map(|key| shown.get(key));
    let all = own.chain(of_layers).chain(of_shown);
    all.chain(configurations.unwrap_or_default())
        .filter_map(Value::as_ref)
        .map(|id| id.number)
        .collect()
}

/// Whether a value refers to one of these objects.
fn names(value: &Value<'_>, numbers: &BTreeSet<u32>) -> bool {
    match &value.kind {
        Kind::Ref(id) => numbers.contains(&id.number),
        Kind::Array(items) => items.iter().any(|item| names(item, numbers)),
        Kind::Dict(dict) => dict.entries.iter().any(|(_, item)| names(item, numbers)),
        _ => false,
    }
}

/// Refuses content that is shown while its layers are off, or by an expression of its own. Checks each object once.
pub(super) fn membership<'d>(
    doc: &'d Document<'d>,
    value: &Value<'d>,
    seen: &mut BTreeSet<Ref>,
) -> Result<(), Refused> {
    if value.as_ref().is_some_and(|id| !seen.insert(id)) {
        return Ok(());
    }
    let Kind::Dict(dict) = doc.resolve(value)?.kind else {
        return Ok(());
    };
    let kind = doc.lookup(&dict, "Type")?;
    if kind.as_ref().and_then(Value::as_name) != Some(b"OCMD") && !dict.has("OCGs") {
        return Ok(());
    }
    if dict.ambiguous {
        return Err(Damage::Ambiguous.into());
    }
    let policy = doc.lookup(&dict, "P")?;
    let inverted = matches!(
        policy.as_ref().and_then(Value::as_name),
        Some(b"AllOff" | b"AnyOff")
    );
    if inverted || dict.has("VE") {
        return Err(REFUSED);
    }
    Ok(())
}

/// Of the usages that depend on the reader, those by which a rule has layers shown.
fn varying<'d>(doc: &'d Document<'d>, rule: &Dict<'d>) -> Result<Vec<&'static str>, Damage> {
    let Some(stated) = doc.lookup(rule, "Category")? else {
        return Ok(Vec::new());
    };
    let mut named = [false; READER_DEPENDENT_USAGES.len()];
    for category in stated.as_array().unwrap_or(std::slice::from_ref(&stated)) {
        let category = doc.resolve(category)?;
        for (known, named) in READER_DEPENDENT_USAGES.iter().zip(&mut named) {
            *named |= category.as_name() == Some(known.as_bytes());
        }
    }
    let found = READER_DEPENDENT_USAGES
        .into_iter()
        .zip(named)
        .filter(|(_, named)| *named);
    Ok(found.map(|(known, _)| known).collect())
}

fn usage<'d>(doc: &'d Document<'d>, group: &Dict<'d>, varying: &[&str]) -> Result<(), Refused> {
    let Some(usage) = doc.lookup_dict(group, "Usage")? else {
        return Ok(());
    };
    if varying.iter().any(|category| usage.has(category)) {
        return Err(REFUSED);
    }
    for (event, state) in [
        ("View", "ViewState"),
        ("Print", "PrintState"),
        ("Export", "ExportState"),
    ] {
        let Some(rule) = doc.lookup_dict(&usage, event)? else {
            continue;
        };
        if doc.lookup(&rule, state)?.as_ref().and_then(Value::as_name) == Some(b"OFF") {
            return Err(REFUSED);
        }
    }
    Ok(())
}
