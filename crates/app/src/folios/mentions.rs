//! What users of the panel typed of people and did not send: drafts, imports and saved searches. These are forgotten with the
//! last folio of a person.

use crate::Error;
use domain::{CompanyId, DraftId, Mobile, TextWords, Timestamp, search};
use serde_json::Value;
use std::collections::BTreeSet;
use store::{ErasedSigner, PanelDraft, PanelSearch, SavedSearchRow, Tx};

/// Characters of a word of a saved search that may name a person: shorter ones begin too many.
const MIN_WORD_CHARS: usize = 3;
/// Words that are counted with one statement.
const MAX_COUNTED_WORDS: usize = 200;
/// Drafts in memory at once.
const MAX_PAGE_DRAFTS: usize = 20;

/// The values of people, for which texts are looked through.
#[derive(Default)]
pub(crate) struct PersonValues {
    /// The words of the numbers of their documents.
    number_words: BTreeSet<String>,
    names: BTreeSet<String>,
    numbers_and_addresses: BTreeSet<String>,
}

impl PersonValues {
    pub(crate) fn add_document_number(&mut self, number: &str) {
        self.number_words.insert(search::number_word(number));
        self.add_number_or_address(number);
    }

    pub(crate) fn add_name(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    pub(crate) fn add_number_or_address(&mut self, value: &str) {
        self.numbers_and_addresses.insert(value.to_owned());
    }

    pub(crate) fn add_mobile(&mut self, mobile: &str) {
        let dialled = Mobile::stored(mobile.to_owned());
        self.add_number_or_address(&dialled.international());
        self.add_number_or_address(mobile);
    }

    /// Whether a text has one of the values, the whole of it.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        let words = TextWords::of(text);
        self.names.iter().any(|name| words.have_name(name)) || self.numbers_are_in(&words)
    }

    fn numbers_are_in(&self, words: &TextWords) -> bool {
        let mut values = self.numbers_and_addresses.iter();
        values.any(|value| words.have_number_or_address(value))
    }

    /// Whether the fields of a form, or what its documents are called, have one of the values.
    pub(crate) fn are_in_draft(&self, draft: &PanelDraft) -> bool {
        self.are_in_form(&fields_of(draft)) || draft.file_names.iter().any(|name| self.are_in(name))
    }

    fn are_in_form(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.are_in(text),
            Value::Array(items) => items.iter().any(|item| self.are_in_form(item)),
            Value::Object(fields) => {
                if self.are_of(value) {
                    return true;
                }
                // One of the same name with another number is another person.
                let other = number_of(value).is_some_and(|number| !number.is_empty());
                fields.iter().any(|(field, item)| match item {
                    Value::String(name) if other && field == "name" => {
                        self.numbers_are_in(&TextWords::of(name))
                    }
                    item => self.are_in_form(item),
                })
            }
            _ => false,
        }
    }

    /// Whether these fields have the document number of one of these people.
    pub(crate) fn are_of(&self, fields: &Value) -> bool {
        number_of(fields).is_some_and(|number| self.number_words.contains(&number))
    }

    /// Whether a search has one of the values, or nothing but words of them.
    pub(crate) fn are_in_search(&self, one: &PanelSearch) -> bool {
        let known = self.words();
        texts_of(one).iter().any(|text| {
            let words = telling_words(text);
            self.are_in(text) || (!words.is_empty() && search::found(&words, &known))
        })
    }

    /// All words of the values.
    fn words(&self) -> BTreeSet<String> {
        let values = self.names.iter().chain(&self.numbers_and_addresses);
        search::words_of_any(values.map(String::as_str))
    }
}

/// The word of the document number in a person's fields.
pub(crate) fn number_of(fields: &Value) -> Option<String> {
    fields.get("number")?.as_str().map(search::number_word)
}

/// The fields of a draft's form.
pub(crate) fn fields_of(draft: &PanelDraft) -> Value {
    serde_json::from_str(&draft.form).unwrap_or_else(|_| Value::String(draft.form.clone()))
}

/// Shows every draft and import of the company that was not sent.
pub(crate) fn each_draft(
    tx: &mut Tx<'_>,
    company: CompanyId,
    mut show: impl FnMut(&mut Tx<'_>, PanelDraft) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut after = DraftId::from_bytes([0; 16]);
    loop {
        let page = tx.drafts_of_company(company, after, MAX_PAGE_DRAFTS)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = last.id;
        for draft in page {
            show(tx, draft)?;
        }
    }
}

/// Deletes the company's drafts, imports and saved searches that mention the signers of folios that were just erased, unless
/// the company has other folios of them.
pub(crate) fn forget_mentions(
    tx: &mut Tx<'_>,
    company: CompanyId,
    erased: &[ErasedSigner],
    now: Timestamp,
) -> Result<(), Error> {
    let word = |signer: &ErasedSigner| search::number_word(&signer.document_number);
    if erased.is_empty() {
        return Ok(());
    }
    // The words of what was erased are gone from the index.
    let words: BTreeSet<String> = erased.iter().map(word).collect();
    let left = tx.words_in_use(company, &words.into_iter().collect::<Vec<_>>())?;
    let mut gone = PersonValues::default();
    for signer in erased.iter().filter(|signer| !left.contains(&word(signer))) {
        gone.add_document_number(&signer.document_number);
        signer.names.iter().for_each(|name| gone.add_name(name));
        for value in &signer.numbers_and_addresses {
            gone.add_mobile(value);
        }
    }
    if gone.names.is_empty() {
        return Ok(());
    }
    let mut drafts = Vec::new();
    each_draft(tx, company, |_, draft| {
        if gone.are_in_draft(&draft) {
            drafts.push(draft.id);
        }
        Ok(())
    })?;
    tx.delete_drafts_of_company(company, &drafts, now)?;
    forget_searches(tx, company, &gone)
}

/// Deletes the searches that have a value of these people. One that has nothing but some words of them is deleted if a word
/// finds no folio any more.
fn forget_searches(tx: &mut Tx<'_>, company: CompanyId, gone: &PersonValues) -> Result<(), Error> {
    let known = gone.words();
    let (mut ended, mut doubtful) = (Vec::new(), Vec::new());
    for one in tx.searches_of_company(company)? {
        for text in texts_of(&one) {
            let words = telling_words(&text);
            if gone.are_in(&text) {
                ended.push(one.search.row);
            } else if search::found(&words, &known) {
                doubtful.extend(words.into_iter().map(|word| (word, one.search.row)));
            }
        }
    }
    let words: BTreeSet<&String> = doubtful.iter().map(|(word, _)| word).collect();
    let words: Vec<String> = words.into_iter().cloned().collect();
    let mut counts = Vec::with_capacity(words.len());
    for some in words.chunks(MAX_COUNTED_WORDS) {
        counts.extend(tx.term_counts(company, some, 1)?);
    }
    let unknown = words.iter().zip(counts).filter(|(_, count)| *count == 0);
    let unknown: BTreeSet<&String> = unknown.map(|(word, _)| word).collect();
    let without_folio = doubtful.iter().filter(|(word, _)| unknown.contains(word));
    ended.extend(without_folio.map(|(_, row)| *row));
    let ended: BTreeSet<SavedSearchRow> = ended.into_iter().collect();
    Ok(tx.delete_searches_of_company(company, &ended.into_iter().collect::<Vec<_>>())?)
}

/// What was typed into a saved search, and its name.
fn texts_of(one: &PanelSearch) -> [String; 2] {
    let typed = form_urlencoded::parse(one.search.query.as_bytes()).find(|(name, _)| name == "q");
    let typed = typed.map_or_else(String::new, |(_, typed)| typed.into_owned());
    [typed, one.search.name.clone()]
}

fn telling_words(text: &str) -> Vec<String> {
    let mut words = search::terms(text);
    words.retain(|word| word.chars().count() >= MIN_WORD_CHARS);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use store::SavedSearch;

    fn zoraida() -> PersonValues {
        let mut values = PersonValues::default();
        values.add_document_number("79.543.210");
        values.add_name("Zoraida Quintanilla");
        values.add_number_or_address("zoraida@quintanilla.example.com");
        values.add_mobile("3157654321");
        values
    }

    #[test]
    fn a_form_mentions_a_person_by_any_value_and_not_by_a_namesake() {
        let has = |form: Value| zoraida().are_in_form(&form);
        assert!(has(json!({ "message": "Para Zoraida Quintanilla." })));
        assert!(has(
            json!([{ "signers": [{ "name": "Z.", "number": "79543210" }] }])
        ));
        assert!(!has(json!({ "number": "795432" })));
        assert!(has(json!({ "name": "ZORAIDA QUINTANILLA", "number": "" })));
        assert!(has(
            json!({ "number": "5", "email": "Zoraida@quintanilla.example.com" })
        ));
        assert!(has(json!({ "number": "5", "mobile": "+57 315 765 4321" })));
        assert!(!has(
            json!({ "name": "Zoraida Quintanilla", "number": "1020304050" })
        ));
        assert!(!has(
            json!({ "name": "Zoraida Gómez", "message": "quintanilla.example.com" })
        ));
    }

    #[test]
    fn a_search_mentions_a_person_by_a_whole_value_or_by_nothing_but_their_words() {
        let has = |query: &str, name: &str| {
            let search = SavedSearch {
                row: SavedSearchRow(1),
                name: name.to_owned(),
                query: query.to_owned(),
            };
            let user = String::new();
            zoraida().are_in_search(&PanelSearch { search, user })
        };
        assert!(has("q=79543210", "Un caso") && has("q=zoraida+arriendo+quintanilla", "Un caso"));
        assert!(has("state=signed", "Lo de Zoraida"));
        assert!(!has("q=zoraida+arriendo", "Un caso") && !has("q=quintanilla+herrera", "Un caso"));
        assert!(!has("q=", "A"));
    }
}
