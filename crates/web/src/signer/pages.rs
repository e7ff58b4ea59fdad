//! The view of a document: its pages with their sizes, so that the layout does not shift while images load.

use super::view::{DocumentView, PageView};
use crate::Web;
use app::show_page::Requester;
use domain::Document;
use futures_util::future::join_all;
use render::PageSize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Document pages in one view; the others are loaded on request.
pub(crate) const LOT: u32 = 20;
/// How long a view waits for the sizes of document pages; without them, it assumes letter size.
const PATIENCE: Duration = Duration::from_millis(400);
/// US letter, in points.
const USUAL: PageSize = PageSize {
    width: 612,
    height: 792,
};

/// The views of a folio's documents. The first image is loaded eagerly where it is visible first.
pub(crate) async fn documents(
    web: &Web,
    requester: Requester,
    path: &str,
    documents: &[Document],
    at_once: bool,
) -> Vec<DocumentView> {
    let deadline = Instant::now() + PATIENCE;
    let mut room = LOT;
    let mut asked = Vec::with_capacity(documents.len());
    for document in documents {
        let lot = room.min(count(document).max(1));
        asked.push(by(deadline, web, requester, path, document, 1, lot));
        room -= lot;
    }
    let mut shown = join_all(asked).await;
    if let Some(first) = shown.first_mut().and_then(|view| view.pages.first_mut()) {
        first.first = at_once;
    }
    shown
}

/// The view of one document from a page on; with no page where the count is 0.
pub(crate) async fn one(
    web: &Web,
    requester: Requester,
    path: &str,
    document: &Document,
    from: u32,
    lot: u32,
) -> DocumentView {
    by(
        Instant::now() + PATIENCE,
        web,
        requester,
        path,
        document,
        from,
        lot,
    )
    .await
}

/// The same, with the sizes that are available at the deadline.
async fn by(
    deadline: Instant,
    web: &Web,
    requester: Requester,
    path: &str,
    document: &Document,
    from: u32,
    lot: u32,
) -> DocumentView {
    let sizes = if lot == 0 {
        Arc::default()
    } else {
        sizes(web, requester, document, deadline).await
    };
    let count = u32::try_from(sizes.len())
        .unwrap_or(u32::MAX)
        .max(count(document));
    let end = from.saturating_add(lot).min(count.saturating_add(1));
    let page = |number: u32| {
        let place = usize::try_from(number).unwrap_or(1).saturating_sub(1);
        let size = sizes
            .get(place)
            .copied()
            .filter(|size| size.width > 0 && size.height > 0);
        let size = size.unwrap_or(USUAL);
        PageView {
            number,
            width: size.width,
            height: size.height,
            first: false,
        }
    };
    DocumentView {
        id: document.id.to_string(),
        name: document.name.as_str().to_owned(),
        size: document.size,
        count,
        address: format!("{path}/documents/{}", document.id),
        pages: (from..end).map(page).collect(),
        more: (end <= count).then(|| (end, (end + LOT - 1).min(count))),
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
            tracing::warn!(%error, document = %document.id, "the sizes of pages cannot be told");
            Arc::default()
        }
        Err(_) => Arc::default(),
    }
}
