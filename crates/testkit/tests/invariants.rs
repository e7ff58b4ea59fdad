//! A test that leaves work undone fails.

use testkit::{TestApp, folio, pdf};

#[tokio::test]
#[should_panic(expected = "documents were left in the spool")]
async fn a_document_left_in_the_spool_fails_the_test() {
    let app = TestApp::start().await;
    let mut stage = app.app().blobs.upload();
    stage.push(pdf::of_bytes(1 << 20).into()).await.unwrap();
    std::mem::forget(stage);
    drop(app);
}

#[tokio::test]
async fn a_test_that_leaves_nothing_passes() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}
