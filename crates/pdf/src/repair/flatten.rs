//! What a copy leaves out: actions, scripts, and drawings that are not shown.

use std::collections::BTreeSet;

use crate::annotation_flags::{HIDDEN, NO_VIEW, PRINT};
use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Dict, Kind, Ref, Value};

/// Actions that do more than to show a place of the document or of the web.
const LEFT_OUT: [&[u8]; 12] = [
    b"GoTo3DView",
    b"Hide",
    b"ImportData",
    b"JavaScript",
    b"Launch",
    b"Movie",
    b"Rendition",
    b"ResetForm",
    b"RichMediaExecute",
    b"SetOCGState",
    b"Sound",
    b"SubmitForm",
];

/// The keys under which dictionaries have actions: their own, and those of the events of documents, pages and fields.
const ACTION_KEYS: [&[u8]; 24] = [
    b"A",
    b"Bl",
    b"C",
    b"D",
    b"DP",
    b"DS",
    b"E",
    b"F",
    b"Fo",
    b"K",
    b"Next",
    b"O",
    b"OpenAction",
    b"PA",
    b"PC",
    b"PI",
    b"PO",
    b"PV",
    b"U",
    b"V",
    b"WC",
    b"WP",
    b"WS",
    b"X",
];

/// Says of each part of a document whether its copy has it.
pub(super) struct Flatten<'d> {
    doc: &'d Document<'d>,
    root: Ref,
    keep_form: bool,
    /// The form is drawn on the pages: its XFA is a second description of it.
    is_drawn: bool,
    /// The layers that are off.
    off: BTreeSet<Ref>,
}

impl<'d> Flatten<'d> {
    pub(super) fn new(
        doc: &'d Document<'d>,
        catalog: &Dict<'d>,
        root: Ref,
        keep_form: bool,
    ) -> Result<Self, Damage> {
        let mut off = BTreeSet::new();
        if let Some(layers) = doc.lookup_dict(catalog, "OCProperties")?
            && let Some(shown) = doc.lookup_dict(&layers, "D")?
        {
            let listed = doc.lookup_array(&shown, "OFF")?.unwrap_or_default();
            off.extend(listed.iter().filter_map(Value::as_ref));
        }
        Ok(Self {
            doc,
            root,
            keep_form,
            is_drawn: !catalog.has("NeedsRendering") && has_widget(doc, catalog)?,
            off,
        })
    }

    /// Whether an entry of a dictionary is left out; `owner` is the object that the dictionary is, if it is one.
    pub(super) fn leaves_out(
        &self,
        owner: Option<Ref>,
        key: &[u8],
        value: &Value<'d>,
    ) -> Result<bool, Damage> {
        if owner == Some(self.root) && key == b"AcroForm" && !self.keep_form {
            return Ok(true);
        }
        // The rights that Adobe Reader had in a document end with its first change.
        if matches!(key, b"UR" | b"UR3") {
            let found = self.doc.resolve(value)?;
            return Ok(found.as_dict().is_some_and(|dict| dict.has("ByteRange")));
        }
        if key == b"XFA" {
            return Ok(self.is_drawn);
        }
        if key == b"JavaScript" {
            let found = self.doc.resolve(value)?;
            let is_tree = |dict: &Dict<'_>| dict.has("Names") || dict.has("Kids");
            return Ok(found.as_dict().is_some_and(is_tree));
        }
        if !ACTION_KEYS.contains(&key) {
            return Ok(false);
        }
        let found = self.doc.resolve(value)?;
        match &found.kind {
            Kind::Array(items) if key == b"Next" => {
                for item in items {
                    if self.is_left_out(&self.doc.resolve(item)?)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => self.is_left_out(&found),
        }
    }

    fn is_left_out(&self, action: &Value<'d>) -> Result<bool, Damage> {
        let Some(dict) = action.as_dict() else {
            return Ok(false);
        };
        let kind = self.doc.lookup(dict, "S")?;
        let kind = kind.as_ref().and_then(Value::as_name);
        let is_action = dict.name("Type").is_none_or(|name| name == b"Action");
        Ok(is_action && kind.is_some_and(|kind| LEFT_OUT.contains(&kind)))
    }

    /// The flags of an annotation in the copy, if they are others: what is printed and not shown is hidden.
    pub(super) fn flags(annotation: &Dict<'_>) -> Option<&'static [u8]> {
        let flags = annotation.int("F")? & (HIDDEN | PRINT | NO_VIEW);
        let is_annotation = annotation.has("Rect") && annotation.has("Subtype");
        (is_annotation && flags == (PRINT | NO_VIEW)).then_some(b"2")
    }

    /// Whether a drawing belongs to layers by which it is not shown.
    pub(super) fn is_off(&self, drawing: &Dict<'d>) -> Result<bool, Damage> {
        let Some(layer) = drawing.get("OC") else {
            return Ok(false);
        };
        if layer.as_ref().is_some_and(|id| self.off.contains(&id)) {
            return Ok(true);
        }
        let found = self.doc.resolve(layer)?;
        let Some(dict) = found.as_dict().filter(|dict| !dict.has("VE")) else {
            return Ok(false);
        };
        let groups = match dict.get("OCGs") {
            None => return Ok(false),
            Some(one) if one.as_ref().is_some_and(|id| self.off.contains(&id)) => vec![one.clone()],
            Some(some) => match self.doc.resolve(some)?.kind {
                Kind::Array(items) => items,
                _ => vec![some.clone()],
            },
        };
        let is_off = |group: &Value<'_>| group.as_ref().is_some_and(|id| self.off.contains(&id));
        let (any_off, all_off) = (groups.iter().any(is_off), groups.iter().all(is_off));
        Ok(
            match self.doc.lookup(dict, "P")?.as_ref().and_then(Value::as_name) {
                Some(b"AllOn") => any_off,
                Some(b"AllOff") => !all_off,
                Some(b"AnyOff") => !any_off,
                _ => all_off,
            },
        )
    }
}

/// Levels of fields.
const MAX_LEVELS: usize = 32;

/// Whether the first field of the form has a place on a page: a form that only XFA describes has none.
fn has_widget<'d>(doc: &'d Document<'d>, catalog: &Dict<'d>) -> Result<bool, Damage> {
    let Some(form) = doc.lookup_dict(catalog, "AcroForm")? else {
        return Ok(false);
    };
    let mut below = doc.lookup(&form, "Fields")?;
    for _ in 0..MAX_LEVELS {
        let first = below.as_ref().and_then(Value::as_array).and_then(<[_]>::first);
        let Some(Kind::Dict(field)) = first
            .map(|first| doc.resolve(first))
            .transpose()?
            .map(|field| field.kind)
        else {
            return Ok(false);
        };
        if field.has("Rect") {
            return Ok(true);
        }
        below = doc.lookup(&field, "Kids")?;
    }
    Ok(false)
}
