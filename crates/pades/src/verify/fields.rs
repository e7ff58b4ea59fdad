//! The signature fields of a document, for verification: only damage is refused.

use std::collections::HashSet;

use pdf::file::Document;
use pdf::inspect::catalog;
use pdf::syntax::{Dict, Kind, Ref, Value};
use pdf::{Damage, Limits};

use super::text_string::decode;

/// A field for signatures.
#[derive(Debug, Clone)]
pub(super) struct SignatureField<'d> {
    pub(super) id: Ref,
    /// The full name, parts joined by dots.
    pub(super) name: String,
    pub(super) dict: Dict<'d>,
    /// The object that holds the signature's dictionary, if the field is filled: the field itself where the dictionary
    /// stands directly under `/V`.
    pub(super) value: Option<Ref>,
}

/// A node still to be visited.
struct Pending<'d> {
    node: Value<'d>,
    name: String,
    for_signature: bool,
}

/// Finds all signature fields, in the order of the form.
pub(super) fn signature_fields<'d>(
    doc: &'d Document<'d>,
    limits: &Limits,
) -> Result<Vec<SignatureField<'d>>, Damage> {
    let (_, catalog) = catalog(doc)?;
    let Some(form) = doc.lookup_dict(&catalog, "AcroForm")? else {
        return Ok(Vec::new());
    };
    let top = doc.lookup_array(&form, "Fields")?.unwrap_or_default();
    let mut pending: Vec<_> = top
        .into_iter()
        .rev()
        .map(|node| Pending {
            node,
            name: String::new(),
            for_signature: false,
        })
        .collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    while let Some(Pending {
        node,
        mut name,
        mut for_signature,
    }) = pending.pop()
    {
        let id = node.as_ref().ok_or(Damage::FieldTree)?;
        if !seen.insert(id) {
            return Err(Damage::FieldTree);
        }
        if seen.len() > limits.fields || pending.len() > limits.fields {
            return Err(Damage::TooManyObjects);
        }
        let Some(Kind::Dict(dict)) = doc.get(id)?.map(|value| value.kind) else {
            continue;
        };
        if dict.ambiguous {
            return Err(Damage::Ambiguous);
        }
        if let Some(part) = doc.lookup(&dict, "T")?.and_then(|part| part.as_string()) {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&decode(&part));
            if name.len() > 4096 {
                return Err(Damage::FieldTree);
            }
        }
        if let Some(kind) = doc.lookup(&dict, "FT")? {
            for_signature = kind.as_name() == Some(b"Sig");
        }
        let kids = doc.lookup_array(&dict, "Kids")?.unwrap_or_default();
        if pending.len() + kids.len() > limits.fields {
            return Err(Damage::TooManyObjects);
        }
        if !kids.is_empty() {
            let children = kids.into_iter().rev();
            pending.extend(children.map(|node| Pending {
                node,
                name: name.clone(),
                for_signature,
            }));
        }
        if for_signature && (dict.has("T") || dict.has("V")) {
            let value = match dict.get("V") {
                None => None,
                Some(value) if value.as_dict().is_some() => Some(id),
                Some(value) => Some(value.as_ref().ok_or(Damage::Entry("V"))?),
            };
            found.push(SignatureField {
                id,
                name,
                dict,
                value,
            });
        }
    }
    Ok(found)
}

/// Characters of a name that are shown to people.
const MAX_SHOWN_CHARS: usize = 128;

impl<'d> SignatureField<'d> {
    /// The name, cut for people.
    pub(super) fn shown_name(&self) -> String {
        shown(&self.name)
    }

    /// The signature's dictionary, if it stands directly in the field.
    pub(super) fn direct_signature(&self) -> Option<&Dict<'d>> {
        self.dict.get("V").and_then(Value::as_dict)
    }
}

/// The beginning of a text, for people.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(MAX_SHOWN_CHARS).collect()
}
