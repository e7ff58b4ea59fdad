//! Signers in a request's JSON, read member by member.

use super::fields::Faults;
use domain::{
    Contact, Correction, DocumentNumber, DocumentType, Email, Mobile, NewSigner, PersonName, Problem,
};
use serde_json::{Map, Value};

/// Unknown members of a correction that are reported.
const EXTRAS: usize = 10;

/// The signers of a list of up to `max`, if all are valid; records every invalid field. Unknown members are
/// ignored.
pub(crate) fn new_signers(
    field: &'static str,
    value: Value,
    max: usize,
    faults: &mut Faults,
) -> Option<Vec<NewSigner>> {
    let items = faults.take(field, objects(value, max))?;
    let read =
        |(place, item): (usize, Map<String, Value>)| new_signer(&format!("{field}[{place}]"), &item, faults);
    items
        .into_iter()
        .enumerate()
        .map(read)
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

fn new_signer(path: &str, item: &Map<String, Value>, faults: &mut Faults) -> Option<NewSigner> {
    let name = faults.take(
        format!("{path}.name"),
        text(item, "name").and_then(PersonName::new),
    );
    let kind = text(item, "documentType").and_then(DocumentType::from_code);
    let document_type = faults.take(format!("{path}.documentType"), kind);
    let document_number = document_number(path, item, faults);
    let contact = contact(path, item, faults);
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
    faults: &mut Faults,
) -> Option<Vec<Correction>> {
    let items = faults.take(field, objects(value, max))?;
    let read =
        |(place, item): (usize, Map<String, Value>)| correction(&format!("{field}[{place}]"), &item, faults);
    items
        .into_iter()
        .enumerate()
        .map(read)
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

fn correction(path: &str, item: &Map<String, Value>, faults: &mut Faults) -> Option<Correction> {
    const KNOWN: [&str; 3] = ["documentNumber", "email", "cellPhoneNumber"];
    let extras = item.keys().filter(|key| !KNOWN.contains(&key.as_str()));
    for extra in extras.take(EXTRAS) {
        let shown: String = extra.chars().take(50).collect();
        faults.take::<()>(format!("{path}.{shown}"), Err(Problem::NotJson));
    }
    let document_number = document_number(path, item, faults);
    let contact = contact(path, item, faults);
    Some(Correction {
        document_number: document_number?,
        contact: contact?,
    })
}

fn document_number(path: &str, item: &Map<String, Value>, faults: &mut Faults) -> Option<DocumentNumber> {
    let number = text(item, "documentNumber").and_then(DocumentNumber::new);
    faults.take(format!("{path}.documentNumber"), number)
}

fn contact(path: &str, item: &Map<String, Value>, faults: &mut Faults) -> Option<Contact> {
    let email = faults.take(format!("{path}.email"), text(item, "email").and_then(Email::new));
    let mobile = text(item, "cellPhoneNumber").and_then(Mobile::new);
    let mobile = faults.take(format!("{path}.cellPhoneNumber"), mobile);
    Some(Contact {
        email: email?,
        mobile: mobile?,
    })
}

/// The objects of a list. A list that is too long is refused before its items are read.
fn objects(value: Value, max: usize) -> Result<Vec<Map<String, Value>>, Problem> {
    let Value::Array(items) = value else {
        return Err(Problem::NotJson);
    };
    if items.len() > max {
        return Err(Problem::TooMany { max });
    }
    let object = |item| {
        if let Value::Object(map) = item {
            Ok(map)
        } else {
            Err(Problem::NotJson)
        }
    };
    items.into_iter().map(object).collect()
}

fn text<'a>(item: &'a Map<String, Value>, name: &str) -> Result<&'a str, Problem> {
    match item.get(name) {
        None | Some(Value::Null) => Err(Problem::Missing),
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Problem::NotJson),
    }
}
