//! What a folio takes of the database and of the document storage, once two signers have signed it and it was extended. The figures
//! of `docs/scaling.md` are what this prints.

use crate::test_folio::test_folio;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use testkit::{Company, TestApp, folio, pdf, signers};

const DOCUMENT_BYTES: usize = 100_000;
/// Folios before the first look: a page that is hardly begun counts as a whole one.
const BEGIN: usize = 4;
const FOLIOS: usize = 24;
/// What a folio may take of the database once its increments are moved.
const MAX_BYTES: i64 = 48_000;
/// Increments are most of what it takes before.
const MIN_MOVED_BYTES: i64 = 60_000;

async fn sign_folios(company: &Company<'_>, app: &TestApp, numbers: std::ops::Range<usize>) {
    for number in numbers {
        let mut document = pdf::of_bytes(DOCUMENT_BYTES);
        // A comment in place of blanks: each folio has a document of its own.
        document[1_000..1_007].copy_from_slice(format!("\n%{number:05}").as_bytes());
        let fields = folio().signers(&signers(2));
        let fields = fields.documents([("contrato.pdf", document)]);
        let folio = test_folio(company, app, fields).await;
        folio.sign(0).await;
        folio.sign(1).await;
        // The limit of codes to one address.
        app.advance(std::time::Duration::from_hours(24));
    }
    while app.app().extend_due().await.unwrap() > 0 {}
    app.app().project_changes().await.unwrap();
}

/// Bytes a folio, table by table, the largest first.
fn growth(before: &BTreeMap<String, i64>, after: &BTreeMap<String, i64>) -> Vec<(i64, String)> {
    let folios = i64::try_from(FOLIOS).unwrap();
    let each = after.iter().map(|(table, bytes)| {
        (
            (bytes - before.get(table).copied().unwrap_or(0)) / folios,
            table.clone(),
        )
    });
    let mut each: Vec<_> = each.filter(|(bytes, _)| *bytes > 0).collect();
    each.sort_unstable_by(|one, other| other.cmp(one));
    each
}

#[tokio::test]
async fn a_signed_folio_leaves_the_database_most_of_its_bytes() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    sign_folios(&company, &app, 0..BEGIN).await;
    while app.app().move_increments().await.unwrap() > 0 {}
    let begin = app.table_sizes().await;
    let sum = |sizes: &[(i64, String)]| sizes.iter().map(|(bytes, _)| bytes).sum::<i64>();
    let stored = async || app.stored_objects().await.iter().map(Vec::len).sum::<usize>();
    let stored_at_begin = stored().await;

    sign_folios(&company, &app, BEGIN..BEGIN + FOLIOS).await;
    let signed = growth(&begin, &app.table_sizes().await);
    let stored_before = (stored().await - stored_at_begin) / FOLIOS;
    while app.app().move_increments().await.unwrap() > 0 {}
    // A snapshot of autovacuum's may keep the rows that were deleted for a while.
    let waited = Instant::now();
    let mut moved = growth(&begin, &app.table_sizes().await);
    while sum(&moved) >= MAX_BYTES && waited.elapsed() < Duration::from_mins(2) {
        tokio::time::sleep(Duration::from_millis(500)).await;
        moved = growth(&begin, &app.table_sizes().await);
    }
    let stored_after = (stored().await - stored_at_begin) / FOLIOS;
    println!(
        "signed and extended: {} in the database, {stored_before} in the storage",
        sum(&signed)
    );
    println!("{signed:?}");
    println!(
        "increments moved: {} in the database, {stored_after} in the storage",
        sum(&moved)
    );
    println!("{moved:?}");
    assert!(sum(&moved) < MAX_BYTES, "{moved:?}");
    assert!(
        sum(&signed) - sum(&moved) > MIN_MOVED_BYTES,
        "{signed:?} {moved:?}"
    );
    assert!(stored_after - stored_before > usize::try_from(MIN_MOVED_BYTES).unwrap());
}
