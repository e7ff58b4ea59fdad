//! What the panel keeps of a person besides folios: drafts and imports that were not sent, and saved searches.
//!
//! They are forgotten with the person's last folio (`folios/mentions.rs`), drafts and imports after some days at the latest.

use crate::Error;
use crate::folios::mentions::{PersonValues, each_draft, fields_of, number_of};
use domain::{CompanyId, DocumentNumber, Timestamp, search};
use serde_json::{Value, json};
use store::Tx;

/// Drafts and imports in a person's export.
const MAX_UNSENT: usize = 100;

/// What there is of a person in forms that were not sent, by the number of their document or their email addresses, and in
/// saved searches, by all that is known of them.
pub(super) fn unsent_of(
    tx: &mut Tx<'_>,
    company: CompanyId,
    identified_by: &PersonValues,
    known: &PersonValues,
    at: impl Fn(Timestamp) -> String,
) -> Result<(Vec<Value>, Vec<Value>), Error> {
    let mut drafts = Vec::new();
    each_draft(tx, company, |_, draft| {
        if drafts.len() < MAX_UNSENT && identified_by.are_in_draft(&draft) {
            let (mut people, mut texts) = (Vec::new(), Vec::new());
            said_of(&fields_of(&draft), identified_by, &mut people, &mut texts);
            texts.extend(
                draft
                    .file_names
                    .iter()
                    .filter(|name| identified_by.are_in(name))
                    .cloned(),
            );
            drafts.push(json!({
                "usuario": draft.user, "guardado": at(draft.saved_at), "datos": people, "textos": texts,
            }));
        }
        Ok(())
    })?;
    let mut searches = tx.searches_of_company(company)?;
    searches.retain(|one| known.are_in_search(one));
    let searches = searches
        .into_iter()
        .map(|one| json!({ "usuario": one.user, "nombre": one.search.name, "consulta": one.search.query }));
    Ok((drafts, searches.collect()))
}

/// The fields of the person in a form, and the other texts in which the person is.
fn said_of(value: &Value, person: &PersonValues, people: &mut Vec<Value>, texts: &mut Vec<String>) {
    match value {
        Value::String(text) if person.are_in(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| said_of(item, person, people, texts)),
        Value::Object(fields) => {
            let email = fields.get("email").and_then(Value::as_str);
            if person.are_of(value) || email.is_some_and(|email| person.are_in(email)) {
                people.push(value.clone());
            } else {
                fields
                    .values()
                    .for_each(|item| said_of(item, person, people, texts));
            }
        }
        _ => {}
    }
}

/// Corrects the number of a person's document in the company's forms that were not sent.
pub(super) fn correct_unsent(
    tx: &mut Tx<'_>,
    company: CompanyId,
    old: &DocumentNumber,
    new: &DocumentNumber,
) -> Result<(), Error> {
    let old = search::number_word(old.as_str());
    each_draft(tx, company, |tx, draft| {
        let mut fields = fields_of(&draft);
        if replace_number(&mut fields, &old, new.as_str()) {
            tx.correct_draft(company, draft.id, &fields.to_string())?;
        }
        Ok(())
    })
}

/// Replaces the number of every person who has the old one. Returns whether there was any.
fn replace_number(value: &mut Value, old: &str, new: &str) -> bool {
    let own = number_of(value).is_some_and(|number| number == old);
    let mut replaced = own;
    match value {
        Value::Array(items) => {
            for item in items {
                replaced |= replace_number(item, old, new);
            }
        }
        Value::Object(fields) => {
            if own {
                fields.insert("number".to_owned(), new.into());
            }
            for item in fields.values_mut() {
                replaced |= replace_number(item, old, new);
            }
        }
        _ => {}
    }
    replaced
}
