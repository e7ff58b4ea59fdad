//! Optional content: refused where the page does not show all of it, or shows it only on screen or on paper.

use super::{Hidden, Refused};
use crate::file::Document;
use crate::syntax::{Dict, Kind, Value};

const REFUSED: Refused = Refused::HiddenContent(Hidden::Layers);

/// Accepts layers that are all shown.
pub(super) fn check<'d>(doc: &'d Document<'d>, catalog: &Dict<'d>) -> Result<(), Refused> {
    let Some(layers) = doc.look_dict(catalog, "OCProperties")? else {
        return Ok(());
    };
    let Some(shown) = doc.look_dict(&layers, "D")? else {
        return Ok(());
    };
    if doc.look(&shown, "BaseState")?.as_ref().and_then(Value::as_name) == Some(b"OFF") {
        return Err(REFUSED);
    }
    if doc.look_array(&shown, "OFF")?.is_some_and(|off| !off.is_empty()) {
        return Err(REFUSED);
    }
    for item in doc.look_array(&shown, "AS")?.unwrap_or_default() {
        let Kind::Dict(rule) = doc.resolve(&item)?.kind else {
            continue;
        };
        for group in doc.look_array(&rule, "OCGs")?.unwrap_or_default() {
            if let Kind::Dict(group) = doc.resolve(&group)?.kind {
                usage(doc, &group)?;
            }
        }
    }
    Ok(())
}

fn usage<'d>(doc: &'d Document<'d>, group: &Dict<'d>) -> Result<(), Refused> {
    let Some(usage) = doc.look_dict(group, "Usage")? else {
        return Ok(());
    };
    for (event, state) in [
        ("View", "ViewState"),
        ("Print", "PrintState"),
        ("Export", "ExportState"),
    ] {
        let Some(rule) = doc.look_dict(&usage, event)? else {
            continue;
        };
        if doc.look(&rule, state)?.as_ref().and_then(Value::as_name) == Some(b"OFF") {
            return Err(REFUSED);
        }
    }
    Ok(())
}
