//! What the panel keeps of a person besides folios: drafts and imports that were not sent, and saved searches.
//!
//! Drafts and imports end by themselves. A saved search ends with the last folio that it names
//! (`folios/saved_searches.rs`).

use crate::Error;
use crate::folios::saved_searches::words_of;
use domain::{CompanyId, Timestamp, search};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::Tx;

/// Drafts and imports in a person's export.
const MAX_UNSENT: usize = 100;

/// What there is of a person in forms that were not sent, by the number of their document, and in saved searches, by all that is
/// known of them.
pub(super) fn unsent_of(
    tx: &mut Tx<'_>,
    company: CompanyId,
    number_word: &str,
    known: &BTreeSet<String>,
    at: impl Fn(Timestamp) -> String,
) -> Result<(Vec<Value>, Vec<Value>), Error> {
    let mut drafts = Vec::new();
    for draft in tx.drafts_with_number(company, number_word, MAX_UNSENT)? {
        let form: Value = serde_json::from_str(&draft.form).unwrap_or_default();
        let mut people = Vec::new();
        objects_with(&form, number_word, &mut people);
        if !people.is_empty() {
            drafts.push(json!({
                "usuario": draft.user, "guardado": at(draft.saved_at), "datos": people,
            }));
        }
    }
    let mut searches = tx.searches_of_company(company)?;
    searches.retain(|one| {
        let names = |word: &String| search::found(std::slice::from_ref(word), known);
        words_of(one).iter().any(names)
    });
    let searches = searches
        .into_iter()
        .map(|one| json!({ "usuario": one.user, "nombre": one.search.name, "consulta": one.search.query }));
    Ok((drafts, searches.collect()))
}

/// The objects that have a document number which reads as that word.
fn objects_with(value: &Value, number_word: &str, found: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| objects_with(item, number_word, found)),
        Value::Object(fields) => {
            let number = fields.get("number").and_then(Value::as_str);
            if number.is_some_and(|number| search::number_word(number) == number_word) {
                found.push(value.clone());
            }
            fields
                .values()
                .for_each(|item| objects_with(item, number_word, found));
        }
        _ => {}
    }
}
