//! The view of a document: its pages with their sizes, so that the layout does not shift while images load.

use crate::Web;
use app::signing::pages::Requester;
use domain::{Causes, Document};
use futures_util::future::join_all;
use render::PageSize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Document pages in one view; the others are loaded on request.
pub(crate) const PAGES_PER_VIEW: u32 = 20;
/// How long a view waits for the sizes of document pages; without them, it assumes letter size.
const PAGE_SIZES_TIMEOUT: Duration = Duration::from_millis(400);
/// US letter, in points.
const LETTER_SIZE: PageSize = PageSize {
    width: 612,
    height: 792,
};

/// A document with the pages that are shown of it.
#[derive(Debug, Clone)]
pub(crate) struct DocumentView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) size: u64,
    /// The number of its pages; 0 where it was not counted.
    pub(crate) count: u32,
    /// Where the file itself is.
    pub(crate) address: String,
    /// The pages shown here.
    pub(crate) pages: Vec<PageView>,
    /// The range of pages in the next view, if there are more.
    pub(crate) more: Option<(u32, u32)>,
}

/// A page of a document.
#[derive(Debug, Clone)]
pub(crate) struct PageView {
    /// From one.
    pub(crate) number: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Whether it is visible first, and loaded eagerly.
    pub(crate) first: bool,
    /// Whether a browser with scripts asks for its image only when it is in view.
    pub(crate) in_view_only: bool,
}

impl DocumentView {
    /// The same, where the last page is asked for only once it is in view: that its reader has come to the end is known by
    /// that.
    #[must_use]
    pub(crate) fn with_end_in_view_only(mut self) -> Self {
        if let Some(last) = self.pages.last_mut() {
            last.in_view_only = last.number == self.count && !last.first;
        }
        self
    }
}

/// The views of a folio's documents. The first image is loaded eagerly where it is visible first. `sheet_pages` are
/// shown beyond the pages that were counted when the document came.
pub(crate) async fn documents(
    web: &Web,
    requester: Requester,
    path: &str,
    documents: &[Document],
    sheet_pages: u32,
    load_first_eagerly: bool,
) -> Vec<DocumentView> {
    let deadline = Instant::now() + PAGE_SIZES_TIMEOUT;
    let mut pages_left = PAGES_PER_VIEW;
    let mut views = Vec::with_capacity(documents.len());
    for document in documents {
        let page_count = pages_left.min(count(document).max(1).saturating_add(sheet_pages));
        views.push(view_with_deadline(
            deadline, web, requester, path, document, 1, page_count,
        ));
        pages_left -= page_count;
    }
    let mut shown = join_all(views).await;
    if let Some(first) = shown.first_mut().and_then(|view| view.pages.first_mut()) {
        first.first = load_first_eagerly;
    }
    shown
}

/// The view of one document from a page on; with no page where the count is 0.
pub(crate) async fn document_view(
    web: &Web,
    requester: Requester,
    path: &str,
    document: &Document,
    from: u32,
    page_count: u32,
) -> DocumentView {
    view_with_deadline(
        Instant::now() + PAGE_SIZES_TIMEOUT,
        web,
        requester,
        path,
        document,
        from,
        page_count,
    )
    .await
}

/// The same, with the sizes that are available at the deadline.
async fn view_with_deadline(
    deadline: Instant,
    web: &Web,
    requester: Requester,
    path: &str,
    document: &Document,
    from: u32,
    page_count: u32,
) -> DocumentView {
    let sizes = if page_count == 0 {
        Arc::default()
    } else {
        sizes(web, requester, document, deadline).await
    };
    let count = u32::try_from(sizes.len())
        .unwrap_or(u32::MAX)
        .max(count(document));
    let end = from.saturating_add(page_count).min(count.saturating_add(1));
    let page = |number: u32| {
        let index = usize::try_from(number).unwrap_or(1).saturating_sub(1);
        let size = sizes
            .get(index)
            .copied()
            .filter(|size| size.width > 0 && size.height > 0);
        let size = size.unwrap_or(LETTER_SIZE);
        PageView {
            number,
            width: size.width,
            height: size.height,
            first: false,
            in_view_only: false,
        }
    };
    DocumentView {
        id: document.id.to_string(),
        name: document.name.as_str().to_owned(),
        size: document.size,
        count,
        address: format!("{path}/documents/{}", document.id),
        pages: (from..end).map(page).collect(),
        more: (end <= count).then(|| (end, (end + PAGES_PER_VIEW - 1).min(count))),
    }
}

/// A document of a list, without its pages.
pub(crate) fn folded(path: &str, document: &Document) -> DocumentView {
    DocumentView {
        id: document.id.to_string(),
        name: document.name.as_str().to_owned(),
        size: document.size,
        count: count(document),
        address: format!("{path}/documents/{}", document.id),
        pages: Vec::new(),
        more: None,
    }
}

const fn count(document: &Document) -> u32 {
    document.pages
}

async fn sizes(web: &Web, requester: Requester, document: &Document, deadline: Instant) -> Arc<[PageSize]> {
    let sizes = tokio::time::timeout_at(deadline, web.app.page_sizes(requester, document)).await;
    match sizes {
        Ok(Ok(sizes)) => sizes,
        Ok(Err(error)) => {
            tracing::warn!(error = %Causes(&error), document = %document.id, "the sizes of a document's pages cannot be read");
            Arc::default()
        }
        Err(_) => Arc::default(),
    }
}
