//! Search in the text of documents' pages. Spelling variants match: case and accents do not count.

use super::Requester;
use crate::{App, Error};
use domain::search::folded;
use domain::{Document, DocumentId};
use std::time::Duration;
use tokio::time::Instant;

/// Matches of one search; another one goes on from there.
const MAX_MATCHES: usize = 30;
/// After this, a search leaves the other pages to the next one.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(3);
/// Characters of a page that are shown on either side of a match.
const CONTEXT_CHARS: usize = 60;

/// A page that has the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageMatch {
    /// Its document.
    pub document: DocumentId,
    /// Its number there, from one.
    pub page: u32,
    /// The text before the first match.
    pub before: String,
    /// The match as the page writes it.
    pub words: String,
    /// The text behind it.
    pub after: String,
}

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSearch {
    /// The pages that have the words, in order.
    pub matches: Vec<PageMatch>,
    /// Where the next search goes on, if there are pages left: how many pages come before.
    pub next: Option<usize>,
}

impl App {
    /// Looks for words in the pages of these documents, `from` so many pages on.
    pub async fn search_pages(
        &self,
        requester: Requester,
        documents: &[&Document],
        words: &str,
        from: usize,
    ) -> Result<PageSearch, Error> {
        let end = Instant::now() + SEARCH_TIMEOUT;
        let words = spaced(words);
        let pages = documents
            .iter()
            .flat_map(|document| (1..=document.pages).map(move |page| (*document, page)));
        let mut matches = Vec::new();
        for (place, (document, page)) in pages.enumerate().skip(from) {
            let next = Some(place);
            if matches.len() >= MAX_MATCHES || (place > from && Instant::now() >= end) {
                return Ok(PageSearch { matches, next });
            }
            let read = match self.page_text(requester, document, page).await {
                // Too much is being drawn: what was found is shown, and the reader goes on from here.
                Err(Error::Overloaded | Error::TooOften { .. }) if place > from => {
                    return Ok(PageSearch { matches, next });
                }
                read => read?,
            };
            if let Some((before, words, after)) = first_match(&read.text, &words) {
                matches.push(PageMatch {
                    document: document.id,
                    page,
                    before,
                    words,
                    after,
                });
            }
        }
        Ok(PageSearch { matches, next: None })
    }
}

/// The text with one blank in the place of any others.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first place of the words in a text, with what is around it.
fn first_match(text: &str, words: &str) -> Option<(String, String, String)> {
    let text: Vec<char> = spaced(text).chars().collect();
    let plain: Vec<char> = text.iter().copied().map(folded).collect();
    let words: Vec<char> = words.chars().map(folded).collect();
    if words.is_empty() {
        return None;
    }
    let start = plain.windows(words.len()).position(|part| part == words)?;
    let end = start + words.len();
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default().iter().collect();
    Some((
        part(start.saturating_sub(CONTEXT_CHARS), start),
        part(start, end),
        part(end, text.len().min(end + CONTEXT_CHARS)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_line_breaks_do_not_count() {
        let text = "El canon de\n  arrendamiento ES DE\u{a0}UN MILLÓN de pesos.";
        let (before, words, after) = first_match(text, "un millon DÉ").unwrap();
        assert_eq!(
            (before.as_str(), words.as_str(), after.as_str()),
            ("El canon de arrendamiento ES DE ", "UN MILLÓN de", " pesos.")
        );
        assert_eq!(first_match(text, "dos millones"), None);
        assert_eq!(first_match("", "a"), None);
        assert_eq!(first_match("a", ""), None);
    }
}
