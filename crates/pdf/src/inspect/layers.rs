//! Optional content: refused where the page does not show all of it, shows it only on screen or only on
//! paper, or shows it to some readers and not to others.

use std::collections::BTreeSet;

use super::{Hidden, Refused};
use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Dict, Kind, Ref, Value};

const REFUSED: Refused = Refused::HiddenContent(Hidden::Layers);

/// Usages that depend on the person who reads, or on the zoom.
const VARYING: [&str; 3] = ["Zoom", "User", "Language"];

/// Accepts layers that are all shown.
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
    if doc
        .lookup_array(&shown, "OFF")?
        .is_some_and(|off| !off.is_empty())
    {
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
    let mut named = [false; VARYING.len()];
    for category in stated.as_array().unwrap_or(std::slice::from_ref(&stated)) {
        let category = doc.resolve(category)?;
        for (known, named) in VARYING.iter().zip(&mut named) {
            *named |= category.as_name() == Some(known.as_bytes());
        }
    }
    let found = VARYING.into_iter().zip(named).filter(|(_, named)| *named);
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
