//! The file of a repaired document as it was sent: kept as long as the document, and no longer.

use app::workers::sweeper::Swept;
use domain::FolioState;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::ErasureDays;
use testkit::{START, TestApp, folio, pdf};

const DAY: Duration = Duration::from_hours(24);

/// A document that is repaired when it comes in.
pub(crate) fn sloppy() -> Vec<u8> {
    [b"\xef\xbb\xbf", pdf::contract().as_slice()].concat()
}

#[tokio::test]
async fn the_file_as_it_was_sent_is_removed_with_the_erased_folio_and_not_before() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let fields = folio().documents([("marca.pdf", sloppy())]);
    let id = acme.created_in(FolioState::Cancelled, fields).await;
    assert_eq!(app.blobs_kept().await, 2, "as it was sent, and the copy");
    #[expect(
        clippy::disallowed_methods,
        reason = "the storage dates its files by the system's clock"
    )]
    let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let start = Duration::from_micros(START.as_micros().unsigned_abs());
    app.advance(real.saturating_sub(start) + DAY * 2);
    assert_eq!(app.app().sweep_blobs().await.unwrap(), Swept::default());
    let document = acme.document_of(&id).await;
    assert!(acme.download(&document).await.body == sloppy());

    acme.choose(|settings| {
        settings.erasure = ErasureDays {
            cancelled: Some(1),
            ..ErasureDays::default()
        };
    })
    .await;
    assert_eq!(app.app().erase_past_retention().await.unwrap(), 1);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 2);
    // As if two hours had passed by the database's clock, which no test moves.
    app.tamper("UPDATE orphaned_blobs SET orphaned_at = orphaned_at - 7200000000")
        .await;
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 2);
}
