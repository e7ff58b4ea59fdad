//! Actions and scripts of a document. Refused are actions that reach outside the document, and scripts that
//! run without a person: on opening, printing, turning a page or moving the mouse. A script that runs only
//! when a person clicks or types in a form is accepted, since signers here do neither.

use std::collections::HashSet;

use super::{Forbidden, Hidden, Refused};
use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Dict, Kind, Ref, Value};

/// What starts an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    Automatic,
    ByHand,
}

/// Actions of one chain beyond this are refused.
const MAX_ACTION_CHAIN: u8 = 32;

/// Checks the actions of a document, each object once.
#[derive(Debug)]
pub(super) struct Actions<'d> {
    doc: &'d Document<'d>,
    seen: HashSet<(Ref, bool)>,
    /// A script prints the document when it is opened, and does nothing else.
    pub(super) prints: bool,
}

impl<'d> Actions<'d> {
    pub(super) fn new(doc: &'d Document<'d>) -> Self {
        Self {
            doc,
            seen: HashSet::new(),
            prints: false,
        }
    }

    /// The document's own actions, its scripts and its outline.
    pub(super) fn catalog(&mut self, catalog: &Dict<'d>) -> Result<(), Refused> {
        if catalog.has("Collection") {
            return Err(Refused::Forbidden(Forbidden::Portfolio));
        }
        self.prints = only_prints(self.doc, catalog)?;
        if !self.prints {
            self.action(catalog.get("OpenAction"), Trigger::Automatic)?;
        }
        self.additional(catalog, &[])?;
        if let Some(names) = self.doc.lookup_dict(catalog, "Names")?
            && let Some(scripts) = self.doc.lookup_dict(&names, "JavaScript")?
        {
            for key in ["Names", "Kids"] {
                if self
                    .doc
                    .lookup_array(&scripts, key)?
                    .is_some_and(|items| !items.is_empty())
                {
                    return Err(Refused::Forbidden(Forbidden::JavaScript));
                }
            }
        }
        self.outline(catalog)
    }

    /// The actions of a page.
    pub(super) fn page(&mut self, page: &Dict<'d>) -> Result<(), Refused> {
        self.additional(page, &[])
    }

    /// The actions of an annotation or a form field.
    pub(super) fn annotation(&mut self, annotation: &Dict<'d>) -> Result<(), Refused> {
        let subtype = self.doc.lookup(annotation, "Subtype")?;
        if matches!(
            subtype.as_ref().and_then(Value::as_name),
            Some(b"Screen" | b"Movie" | b"Sound" | b"RichMedia" | b"3D")
        ) {
            return Err(Refused::Forbidden(Forbidden::Multimedia));
        }
        self.action(annotation.get("A"), Trigger::ByHand)?;
        self.action(annotation.get("PA"), Trigger::ByHand)?;
        self.additional(annotation, &["D", "U", "K", "F", "V", "C"])
    }

    fn additional(&mut self, owner: &Dict<'d>, by_hand: &[&str]) -> Result<(), Refused> {
        let Some(set) = self.doc.lookup_dict(owner, "AA")? else {
            return Ok(());
        };
        for (key, action) in &set.entries {
            let hand = by_hand.iter().any(|known| known.as_bytes() == key.as_ref());
            let trigger = if hand { Trigger::ByHand } else { Trigger::Automatic };
            self.action(Some(action), trigger)?;
        }
        Ok(())
    }

    fn action(&mut self, action: Option<&Value<'d>>, trigger: Trigger) -> Result<(), Refused> {
        action.map_or(Ok(()), |action| self.chain(action, trigger, MAX_ACTION_CHAIN))
    }

    fn chain(&mut self, action: &Value<'d>, trigger: Trigger, left: u8) -> Result<(), Refused> {
        if let Some(id) = action.as_ref()
            && !self.seen.insert((id, trigger == Trigger::Automatic))
        {
            return Ok(());
        }
        let Kind::Dict(dict) = self.doc.resolve(action)?.kind else {
            return Ok(());
        };
        if dict.ambiguous {
            return Err(Damage::Ambiguous.into());
        }
        let automatic = trigger == Trigger::Automatic;
        let kind = self.doc.lookup(&dict, "S")?;
        match kind.as_ref().and_then(Value::as_name) {
            Some(b"JavaScript") if automatic => return Err(Refused::Forbidden(Forbidden::JavaScript)),
            Some(b"Launch") => return Err(Refused::Forbidden(Forbidden::Launch)),
            Some(b"SubmitForm" | b"ImportData") => return Err(Refused::Forbidden(Forbidden::Submit)),
            Some(b"Sound" | b"Movie" | b"Rendition" | b"GoTo3DView" | b"RichMediaExecute") => {
                return Err(Refused::Forbidden(Forbidden::Multimedia));
            }
            Some(b"Hide" | b"SetOCGState" | b"ResetForm") if automatic => {
                return Err(Refused::HiddenContent(Hidden::Action));
            }
            _ => {}
        }
        let Some(next) = dict.get("Next") else {
            return Ok(());
        };
        let left = left.checked_sub(1).ok_or(Refused::TooComplex(Damage::TooDeep))?;
        if let Kind::Array(items) = self.doc.resolve(next)?.kind {
            return items.iter().try_for_each(|item| self.chain(item, trigger, left));
        }
        self.chain(next, trigger, left)
    }

    fn outline(&mut self, catalog: &Dict<'d>) -> Result<(), Refused> {
        let mut pending: Vec<Value<'d>> = catalog.get("Outlines").cloned().into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(item) = pending.pop() {
            if item.as_ref().is_some_and(|id| !seen.insert(id)) {
                continue;
            }
            // An item written into another is cloned with each item around it.
            self.doc.charge_bytes(item.raw.len())?;
            let Kind::Dict(dict) = self.doc.resolve(&item)?.kind else {
                continue;
            };
            self.action(dict.get("A"), Trigger::ByHand)?;
            pending.extend(
                ["First", "Next"]
                    .into_iter()
                    .filter_map(|key| dict.get(key).cloned()),
            );
        }
        Ok(())
    }
}

/// Bytes of a script that prints.
const MAX_PRINT_SCRIPT: usize = 256;

/// Whether opening the document runs a script that prints it and does nothing else, as report writers add.
fn only_prints<'d>(doc: &'d Document<'d>, catalog: &Dict<'d>) -> Result<bool, Damage> {
    let action = doc.lookup(catalog, "OpenAction")?;
    let Some(action) = action.as_ref().and_then(Value::as_dict) else {
        return Ok(false);
    };
    let kind = doc.lookup(action, "S")?;
    let is_script = kind.as_ref().and_then(Value::as_name) == Some(b"JavaScript");
    if !is_script || action.ambiguous || action.has("Next") {
        return Ok(false);
    }
    let script = doc.lookup(action, "JS")?.and_then(|script| script.as_string());
    Ok(script.is_some_and(|script| is_print_call(&script)))
}

/// Whether a script is one call of `print`, with names, numbers and options at most.
fn is_print_call(script: &[u8]) -> bool {
    if script.len() > MAX_PRINT_SCRIPT {
        return false;
    }
    let script: Vec<u8> = script
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let call = script.strip_suffix(b";").unwrap_or(&script);
    let call = call.strip_prefix(b"this.").unwrap_or(call);
    let arguments = call
        .strip_prefix(b"print(")
        .and_then(|rest| rest.strip_suffix(b")"));
    arguments.is_some_and(|text| {
        text.iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_:,{}".contains(byte))
    })
}
