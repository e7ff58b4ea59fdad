//! The index of the documents, and the search in their text: a page of its own, or the matches alone for a script.

use super::auth::ProvenSigner;
use super::view::FormTarget;
use crate::page::PageResult;
use crate::page::document_view::{DocumentView, PAGES_PER_VIEW, folded};
use crate::page::layout::PageLayout;
use app::signing::pages::PageMatch;
use askama::Template;
use axum::http::StatusCode;
use domain::Document;

/// Characters of the words that are looked for.
const MAX_QUERY_CHARS: usize = 80;
const MIN_QUERY_CHARS: usize = 2;

/// The index, or what a search found.
#[derive(Debug, Template)]
#[template(path = "signer/search.html")]
pub(crate) struct SearchPage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    pub(crate) documents: Vec<DocumentView>,
    pub(crate) found: Option<Found>,
}

/// The matches alone.
#[derive(Debug, Template)]
#[template(path = "signer/found.html")]
pub(crate) struct FoundPart {
    pub(crate) f: PageLayout,
    pub(crate) found: Found,
}

/// What a search found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) words: String,
    pub(crate) too_short: bool,
    pub(crate) matches: Vec<MatchView>,
    /// Where the search goes on.
    pub(crate) next: Option<String>,
}

/// A page with the words.
#[derive(Debug, Clone)]
pub(crate) struct MatchView {
    pub(crate) document: DocumentView,
    pub(crate) found: PageMatch,
}

impl SearchPage {
    fn words(&self) -> &str {
        self.found.as_ref().map_or("", |found| &found.words)
    }
}

impl DocumentView {
    /// The first and last page of each view of the document.
    pub(crate) fn views(&self) -> Vec<(u32, u32)> {
        let size = usize::try_from(PAGES_PER_VIEW).unwrap_or(1);
        let first = (1..=self.count).step_by(size);
        first
            .map(|first| (first, self.count.min(first + PAGES_PER_VIEW - 1)))
            .collect()
    }
}

/// `GET /sign/{party}/search?q=…&from=…`: without words, the index.
pub(crate) async fn search(
    ProvenSigner {
        request,
        signer_session,
    }: ProvenSigner,
) -> PageResult {
    let form_target = signer_session.form_target();
    let folios = signer_session.signing.folios.iter();
    let documents: Vec<&Document> = folios
        .filter(|own| !own.folio.dropped)
        .flat_map(|own| &own.folio.documents)
        .collect();
    let view = |document: &&Document| folded(&form_target.path, document);
    let words: String = request.query("q").unwrap_or_default();
    let words: String = words.trim().chars().take(MAX_QUERY_CHARS).collect();
    let mut found = (!words.is_empty()).then(|| Found {
        too_short: words.chars().count() < MIN_QUERY_CHARS,
        words,
        ..Found::default()
    });
    if let Some(found) = found.as_mut().filter(|found| !found.too_short) {
        let from = request.query("from").and_then(|from| from.parse().ok());
        let app = &request.web.app;
        let searched = app
            .search_pages(
                signer_session.requester(),
                &documents,
                &found.words,
                from.unwrap_or(0),
            )
            .await
            .map_err(|error| request.error_page(error))?;
        found.matches = searched
            .matches
            .into_iter()
            .filter_map(|found| {
                let document = documents.iter().find(|document| document.id == found.document)?;
                Some(MatchView {
                    document: view(document),
                    found,
                })
            })
            .collect();
        found.next = searched.next.map(|next| {
            let words: String = form_urlencoded::byte_serialize(found.words.as_bytes()).collect();
            format!("{}/search?q={words}&from={next}", form_target.path)
        });
    }
    let f = request.frame(Some(&signer_session.signing.company));
    if let (true, Some(found)) = (request.parts.headers.contains_key("x-part"), found.clone()) {
        let part = FoundPart { f, found };
        return Ok(signer_session.render_page(&request, StatusCode::OK, &part));
    }
    let documents = documents.iter().map(view).collect();
    let page = SearchPage {
        f,
        form_target,
        documents,
        found,
    };
    Ok(signer_session.render_page(&request, StatusCode::OK, &page))
}
