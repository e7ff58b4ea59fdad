//! A test that leaves work undone fails.

use testkit::{TestApp, folio, pdf};

#[tokio::test]
#[should_panic(expected = "temporary files were left behind")]
async fn a_temporary_file_left_behind_fails_the_test() {
    let app = TestApp::start().await;
    let mut upload = app.app().blobs.upload();
    upload.push(pdf::of_bytes(1 << 20).into()).await.unwrap();
    std::mem::forget(upload);
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
