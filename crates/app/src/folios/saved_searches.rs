//! Searches of folios that a panel user keeps under a name. One ends with the last folio that it names.

use crate::panel::User;
use crate::{App, Caller, Error, IdempotentResult};
use domain::{CompanyId, limits, search};
use std::collections::BTreeSet;
use store::{PanelSearch, SavedSearch, SavedSearchRow, Tx};

/// Letters of a word that names a person: shorter ones begin too many.
const MIN_WORD: usize = 3;
/// Words that are counted with one statement.
const COUNTED_WORDS: usize = 200;

impl App {
    /// The user's searches, by name.
    pub async fn saved_searches(&self, user: &User) -> Result<Vec<SavedSearch>, Error> {
        let (company, user) = (user.company, user.seq);
        let found = self.store.read(move |tx| tx.saved_searches(company, user));
        Ok(found.await?)
    }

    /// Keeps a search, in place of one of that name. False where the user has [`limits::SAVED_SEARCHES`] others.
    pub async fn save_search(
        &self,
        caller: Caller,
        user: &User,
        name: String,
        query: String,
    ) -> Result<bool, Error> {
        let user = user.seq;
        let saved = self.write_idempotent(caller, None, move |tx, caller| {
            let max = limits::SAVED_SEARCHES;
            Ok(tx.save_search(caller.company, user, &name, &query, max)?)
        });
        Ok(matches!(saved.await?, IdempotentResult::Fresh(true)))
    }

    /// Deletes a search of the user, if there is one of that number.
    pub async fn delete_saved_search(
        &self,
        caller: Caller,
        user: &User,
        row: SavedSearchRow,
    ) -> Result<(), Error> {
        let user = user.seq;
        let deleted = self.write_idempotent(caller, None, move |tx, caller| {
            Ok(tx.delete_saved_search(caller.company, user, row)?)
        });
        deleted.await.map(drop)
    }
}

/// The words typed into a saved search, and those of its name.
pub(crate) fn words_of(one: &PanelSearch) -> Vec<String> {
    let typed = form_urlencoded::parse(one.search.query.as_bytes()).find(|(name, _)| name == "q");
    let typed = typed.map_or_else(String::new, |(_, typed)| typed.into_owned());
    let texts = [typed.as_str(), one.search.name.as_str()];
    let mut words: Vec<String> = texts.into_iter().flat_map(search::terms).collect();
    words.retain(|word| word.chars().count() >= MIN_WORD);
    words
}

/// Deletes the company's saved searches in which a word is from an erased folio and finds no other folio.
pub(crate) fn forget_searches(
    tx: &mut Tx<'_>,
    company: CompanyId,
    erased: &[BTreeSet<String>],
) -> Result<(), Error> {
    if erased.is_empty() {
        return Ok(());
    }
    let known = erased.iter().flatten().map(String::as_str);
    let known = search::words_of_any(known);
    let is_known = |word: &String| search::found(std::slice::from_ref(word), &known);
    let searches: Vec<(SavedSearchRow, Vec<String>)> = tx
        .searches_of_company(company)?
        .iter()
        .map(|one| {
            (
                one.search.row,
                words_of(one).into_iter().filter(is_known).collect(),
            )
        })
        .collect();
    let words: BTreeSet<&String> = searches.iter().flat_map(|(_, words)| words).collect();
    let words: Vec<String> = words.into_iter().cloned().collect();
    // The words of what was erased are gone from the index.
    let mut counts = Vec::with_capacity(words.len());
    for some in words.chunks(COUNTED_WORDS) {
        counts.extend(tx.term_counts(company, some, 1)?);
    }
    let gone: BTreeSet<&String> = words
        .iter()
        .zip(counts)
        .filter_map(|(word, count)| (count == 0).then_some(word))
        .collect();
    let ended: Vec<SavedSearchRow> = searches
        .iter()
        .filter(|(_, words)| words.iter().any(|word| gone.contains(word)))
        .map(|(row, _)| *row)
        .collect();
    Ok(tx.delete_searches_of_company(company, &ended)?)
}
