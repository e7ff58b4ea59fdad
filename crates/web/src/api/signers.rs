//! Signers in a request's JSON, read member by member.

use super::fields::InvalidFields;
use domain::{
    Contact, Correction, DocumentNumber, DocumentType, Email, FieldError, Mobile, NewSigner, PersonName,
};
use serde_json::{Map, Value};

/// Unknown members of a correction that are reported.
const MAX_REPORTED_EXTRA_MEMBERS: usize = 10;

/// The signers of a list of up to `max`, if all are valid; records every invalid field. Unknown members are
/// ignored.
pub(crate) fn new_signers(
    field: &'static str,
    value: Value,
    max: usize,
    invalid: &mut InvalidFields,
) -> Option<Vec<NewSigner>> {
    each_valid(field, value, max, invalid, new_signer)
}

fn new_signer(path: &str, item: &Map<String, Value>, invalid: &mut InvalidFields) -> Option<NewSigner> {
    let name = invalid.check(
        format!("{path}.name"),
        text(item, "name").and_then(PersonName::new),
    );
    let kind = text(item, "documentType").and_then(DocumentType::from_code);
    let document_type = invalid.check(format!("{path}.documentType"), kind);
    let document_number = document_number(path, item, invalid);
    let contact = contact(path, item, invalid);
    Some(NewSigner {
        name: name?,
        document_type: document_type?,
        document_number: document_number?,
        contact: contact?,
    })
}

/// The corrections of a resend, up to `max`. Only three members are allowed.
pub(crate) fn corrections(
    field: &'static str,
    value: Value,
    max: usize,
    invalid: &mut InvalidFields,
) -> Option<Vec<Correction>> {
    each_valid(field, value, max, invalid, correction)
}

fn correction(path: &str, item: &Map<String, Value>, invalid: &mut InvalidFields) -> Option<Correction> {
    const KNOWN: [&str; 3] = ["documentNumber", "email", "cellPhoneNumber"];
    let extras = item.keys().filter(|key| !KNOWN.contains(&key.as_str()));
    for extra in extras.take(MAX_REPORTED_EXTRA_MEMBERS) {
        let shortened: String = extra.chars().take(50).collect();
        invalid.check::<()>(format!("{path}.{shortened}"), Err(FieldError::NotJson));
    }
    let document_number = document_number(path, item, invalid);
    let email = given(item, "email")
        .map(|text| text.and_then(Email::new))
        .transpose();
    let email = invalid.check(format!("{path}.email"), email);
    let mobile = given(item, "cellPhoneNumber")
        .map(|text| text.and_then(Mobile::new))
        .transpose();
    let mobile = invalid.check(format!("{path}.cellPhoneNumber"), mobile);
    Some(Correction {
        document_number: document_number?,
        email: email?,
        mobile: mobile?,
    })
}

/// The items of a list of up to `max`, if `read` finds all of them valid.
fn each_valid<T>(
    field: &'static str,
    value: Value,
    max: usize,
    invalid: &mut InvalidFields,
    read: fn(&str, &Map<String, Value>, &mut InvalidFields) -> Option<T>,
) -> Option<Vec<T>> {
    let items = invalid.check(field, objects(value, max))?;
    // Every item is read before the first missing one counts: all invalid fields are reported.
    let read: Vec<Option<T>> = (0..)
        .zip(&items)
        .map(|(index, item): (usize, _)| read(&format!("{field}[{index}]"), item, invalid))
        .collect();
    read.into_iter().collect()
}

/// An optional member: `None` where it is left out, null or blank.
fn given<'a>(item: &'a Map<String, Value>, name: &str) -> Option<Result<&'a str, FieldError>> {
    match text(item, name) {
        Err(FieldError::Missing) => None,
        Ok(text) if text.trim().is_empty() => None,
        read => Some(read),
    }
}

fn document_number(
    path: &str,
    item: &Map<String, Value>,
    invalid: &mut InvalidFields,
) -> Option<DocumentNumber> {
    let number = text(item, "documentNumber").and_then(DocumentNumber::new);
    invalid.check(format!("{path}.documentNumber"), number)
}

fn contact(path: &str, item: &Map<String, Value>, invalid: &mut InvalidFields) -> Option<Contact> {
    let email = invalid.check(format!("{path}.email"), text(item, "email").and_then(Email::new));
    let mobile = text(item, "cellPhoneNumber").and_then(Mobile::new);
    let mobile = invalid.check(format!("{path}.cellPhoneNumber"), mobile);
    Some(Contact {
        email: email?,
        mobile: mobile?,
    })
}

/// The objects of a list. A list that is too long is refused before its items are read.
fn objects(value: Value, max: usize) -> Result<Vec<Map<String, Value>>, FieldError> {
    let Value::Array(items) = value else {
        return Err(FieldError::NotJson);
    };
    if items.len() > max {
        return Err(FieldError::TooMany { max });
    }
    let object = |item| {
        if let Value::Object(map) = item {
            Ok(map)
        } else {
            Err(FieldError::NotJson)
        }
    };
    items.into_iter().map(object).collect()
}

fn text<'a>(item: &'a Map<String, Value>, name: &str) -> Result<&'a str, FieldError> {
    match item.get(name) {
        None | Some(Value::Null) => Err(FieldError::Missing),
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(FieldError::NotJson),
    }
}
