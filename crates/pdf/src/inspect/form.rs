//! The form: its fields, the signatures in them, and the changes that those forbid.

use std::collections::HashSet;

use super::actions::Actions;
use super::{Forbidden, Hidden, Lock, Refused, field_text};
use crate::damage::Damage;
use crate::file::Document;
use crate::limits::Limits;
use crate::syntax::{Dict, Kind, Ref, Value};

/// The fields of a document.
#[derive(Debug, Clone, Default)]
pub(super) struct Form {
    /// Fields without fields below them, and signed ones, in order.
    pub(super) fields: Vec<Field>,
    /// Fields of a name that another field has, in a form without signatures.
    pub(super) repeated: Vec<Ref>,
}

impl Form {
    /// Retains the fields without fields below them, and the signed ones.
    fn keep(&mut self, nested: &HashSet<usize>) {
        let mut place = 0;
        self.fields.retain(|field| {
            let is_terminal = !nested.contains(&place);
            place += 1;
            is_terminal || field.signature.is_some()
        });
    }
}

/// A field that has no fields below it, or is signed.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) id: Ref,
    /// The full name, parts joined by dots.
    pub(super) name: Vec<u8>,
    /// Whether it is a signature field.
    pub(super) for_signature: bool,
    /// The signature in it.
    pub(super) signature: Option<SignatureInfo>,
}

/// What inspection needs of an existing signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SignatureInfo {
    /// The level of changes it allows, if it certifies the document.
    pub(super) certifies: Option<i64>,
}

/// A node of the field tree still to be visited, with what it inherits.
struct Pending<'d> {
    node: Value<'d>,
    /// The index of the field above it.
    above: Option<usize>,
    name: Vec<u8>,
    for_signature: bool,
    for_text: bool,
    /// The text in it, or a reference to that.
    value: Option<Value<'d>>,
    /// Whether it, or a field above it, has a name that another field has.
    repeated: bool,
    depth: u16,
}

impl<'d> Pending<'d> {
    fn top(node: Value<'d>) -> Self {
        Self {
            node,
            above: None,
            name: Vec::new(),
            for_signature: false,
            for_text: false,
            value: None,
            repeated: false,
            depth: 0,
        }
    }

    /// A kid of this node, with all that it inherits.
    fn below(&self, node: Value<'d>) -> Self {
        Self {
            node,
            above: self.above,
            name: self.name.clone(),
            for_signature: self.for_signature,
            for_text: self.for_text,
            value: self.value.clone(),
            repeated: self.repeated,
            depth: self.depth + 1,
        }
    }

    /// Takes the type and the text of a field, where it has its own.
    fn inherit(&mut self, doc: &'d Document<'d>, field: &Dict<'d>) -> Result<(), Damage> {
        if let Some(kind) = doc.lookup(field, "FT")? {
            self.for_signature = kind.as_name() == Some(b"Sig");
            self.for_text = kind.as_name() == Some(b"Tx");
        }
        // Other values would be long to copy for each field below.
        let is_text =
            |value: &&Value<'_>| matches!(value.kind, Kind::Literal(_) | Kind::Hex(_) | Kind::Ref(_));
        if let Some(value) = field.get("V").filter(is_text) {
            self.value = Some(value.clone());
        }
        Ok(())
    }

    /// Whether a text field, or a widget of one, shows another text than its value.
    fn shows_another_text(&self, doc: &'d Document<'d>, field: &Dict<'d>) -> Result<bool, Damage> {
        match &self.value {
            Some(value) if self.for_text => field_text::differs(doc, field, value),
            _ => Ok(false),
        }
    }
}

/// Visits every field.
pub(super) fn walk<'d>(
    doc: &'d Document<'d>,
    catalog: &Dict<'d>,
    limits: &Limits,
    actions: &mut Actions<'d>,
) -> Result<Form, Refused> {
    let Some(dict) = doc.lookup_dict(catalog, "AcroForm")? else {
        return Ok(Form::default());
    };
    if doc.lookup(&dict, "XFA")?.is_some() {
        return Err(Refused::Forbidden(Forbidden::Xfa));
    }
    let mut form = Form::default();
    let mut seen = HashSet::new();
    let top = doc.lookup_array(&dict, "Fields")?.unwrap_or_default();
    let mut pending: Vec<_> = top.into_iter().rev().map(Pending::top).collect();
    // Fields that have others below them.
    let mut nested: HashSet<usize> = HashSet::new();
    let mut names: HashSet<Vec<u8>> = HashSet::new();
    let mut visited = 0usize;
    while let Some(mut here) = pending.pop() {
        visited += 1;
        if visited > limits.fields || pending.len() > limits.fields {
            return Err(Refused::TooComplex(Damage::TooManyObjects));
        }
        let id = here.node.as_ref().ok_or(Damage::FieldTree)?;
        if !seen.insert(id) || here.depth > limits.depth {
            return Err(Damage::FieldTree.into());
        }
        let Kind::Dict(field) = doc.resolve(&here.node)?.kind else {
            continue;
        };
        if field.ambiguous {
            return Err(Damage::Ambiguous.into());
        }
        actions.annotation(&field)?;
        if let Some(part) = doc.lookup(&field, "T")?.and_then(|part| part.as_string()) {
            if !here.name.is_empty() {
                here.name.push(b'.');
            }
            here.name.extend_from_slice(&part);
        }
        if here.name.len() > 4096 {
            return Err(Damage::FieldTree.into());
        }
        here.inherit(doc, &field)?;
        if here.shows_another_text(doc, &field)? {
            return Err(Refused::HiddenContent(Hidden::Field));
        }
        let kids = doc.lookup_array(&field, "Kids")?.unwrap_or_default();
        let signature = here
            .for_signature
            .then(|| signature(doc, &field))
            .transpose()?
            .flatten();
        if pending.len() + kids.len() > limits.fields {
            return Err(Refused::TooComplex(Damage::TooManyObjects));
        }
        // Kids with names are fields. Kids without are only places where this field is drawn, unless they are signed.
        let is_named = field.has("T");
        if is_named && !here.repeated {
            nested.extend(here.above);
            if !names.insert(here.name.clone()) {
                // Strict validators refuse every signature of such a form. Its list can leave out the second of two
                // fields at its top.
                if here.depth > 0 || here.for_signature {
                    return Err(Refused::Unverifiable);
                }
                form.repeated.push(id);
                here.repeated = true;
            }
        }
        if here.repeated {
            if signature.is_some() {
                return Err(Refused::Unverifiable);
            }
        } else if is_named || here.above.is_none() || signature.is_some() {
            here.above = Some(form.fields.len());
            form.fields.push(Field {
                id,
                name: here.name.clone(),
                for_signature: here.for_signature,
                signature,
            });
        }
        pending.extend(kids.into_iter().rev().map(|node| here.below(node)));
    }
    form.keep(&nested);
    if !form.repeated.is_empty() && form.fields.iter().any(|field| field.signature.is_some()) {
        return Err(Refused::Unverifiable);
    }
    permissions(doc, catalog)?;
    Ok(form)
}

fn signature<'d>(doc: &'d Document<'d>, field: &Dict<'d>) -> Result<Option<SignatureInfo>, Refused> {
    if !field.has("V") {
        return Ok(None);
    }
    // The verifier takes a value that does not exist for a broken signature, and reads one that stands in the field itself.
    let dict = doc.lookup_dict(field, "V")?.ok_or(Damage::Entry("V"))?;
    let certifies = references(doc, &dict)?;
    if let Some(lock) = doc.lookup_dict(field, "Lock")? {
        locks(doc, &lock)?;
    }
    Ok(Some(SignatureInfo { certifies }))
}

/// The transforms in the signature's references: the level of a certification, and locks of fields.
fn references<'d>(doc: &'d Document<'d>, signature: &Dict<'d>) -> Result<Option<i64>, Refused> {
    let mut certifies = None;
    for item in doc.lookup_array(signature, "Reference")?.unwrap_or_default() {
        let Kind::Dict(reference) = doc.resolve(&item)?.kind else {
            continue;
        };
        let Some(params) = doc.lookup_dict(&reference, "TransformParams")? else {
            continue;
        };
        match doc
            .lookup(&reference, "TransformMethod")?
            .as_ref()
            .and_then(Value::as_name)
        {
            Some(b"DocMDP") => {
                let level = level(doc, &params)?.unwrap_or(2);
                if !matches!(level, 2 | 3) {
                    return Err(Refused::LockedAgainstSigning(Lock::Certified));
                }
                certifies = Some(level.into());
            }
            Some(b"FieldMDP") => locks(doc, &params)?,
            _ => {}
        }
    }
    Ok(certifies)
}

/// The level of changes under `P`, if there is one: zero for a number that the format does not define. Readers take
/// `1.0` for 1.
pub fn level<'d>(doc: &'d Document<'d>, params: &Dict<'d>) -> Result<Option<u8>, Damage> {
    let Some(value) = doc.lookup(params, "P")? else {
        return Ok(None);
    };
    let known = |level: &u8| value.as_number() == Some(f64::from(*level));
    Ok(Some([1, 2, 3].into_iter().find(known).unwrap_or_default()))
}

/// A lock of all fields, or of all but some, also locks the field a new signature needs.
fn locks<'d>(doc: &'d Document<'d>, params: &Dict<'d>) -> Result<(), Refused> {
    if level(doc, params)?.is_some_and(|level| !matches!(level, 2 | 3)) {
        return Err(Refused::LockedAgainstSigning(Lock::Certified));
    }
    match doc.lookup(params, "Action")?.as_ref().and_then(Value::as_name) {
        Some(b"Include") => Ok(()),
        _ => Err(Refused::LockedAgainstSigning(Lock::Fields)),
    }
}

/// The certification that the catalog names.
fn permissions<'d>(doc: &'d Document<'d>, catalog: &Dict<'d>) -> Result<(), Refused> {
    let Some(permissions) = doc.lookup_dict(catalog, "Perms")? else {
        return Ok(());
    };
    if let Some(signature) = doc.lookup_dict(&permissions, "DocMDP")? {
        references(doc, &signature)?;
    }
    Ok(())
}
