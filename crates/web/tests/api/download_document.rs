//! `GET`, `HEAD` and `POST download`

use crate::UNKNOWN;
use domain::FolioState;
use reqwest::Method;
use std::fmt::Write;
use testkit::{Company, FolioAct, Form, TestApp, folio, pdf};

async fn with_document(app: &TestApp) -> (Company<'_>, String) {
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    (acme, document)
}

#[tokio::test]
async fn the_bytes_are_those_that_were_sent() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    let answer = acme.download(&document).await;
    assert_eq!(answer.body, pdf::contract());
    let mut shown = String::new();
    for name in [
        "content-type",
        "content-disposition",
        "cache-control",
        "last-modified",
        "accept-ranges",
    ] {
        writeln!(shown, "{name}: {}", answer.header(name).unwrap()).unwrap();
    }
    insta::assert_snapshot!("download_headers", shown);
    let length = answer.header("content-length").unwrap();
    assert_eq!(length, pdf::contract().len().to_string());
}

#[tokio::test]
async fn the_bytes_are_the_same_however_often_they_are_asked_for() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut sent = pdf::of_bytes(200_000);
    // Numbered comments in place of blanks.
    for (at, comment) in sent[1_000..197_000].chunks_exact_mut(7).enumerate() {
        comment.copy_from_slice(format!("\n%{at:05}").as_bytes());
    }
    let id = acme
        .created(folio().documents([("contrato.pdf", sent.clone())]))
        .await;
    let document = acme.document_of(&id).await;
    let path = format!("download?documentId={document}");
    for _ in 0..4 {
        assert!(acme.download(&document).await.body == sent);
        let part = acme
            .send(acme.request(Method::GET, &path).header("range", "bytes=100000-"))
            .await;
        assert!(part.body == sent[100_000..]);
    }
}

#[tokio::test]
async fn every_address_of_the_operation_gives_the_same() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    let form = || Form::new().text("documentId", &document);
    let answers = [
        acme.get(&format!("download?documentId={document}")).await,
        acme.get(&format!("download/?documentId={document}")).await,
        acme.post_form("download", form()).await,
        acme.post_form("download/", form()).await,
    ];
    for answer in &answers {
        assert_eq!((answer.status, &answer.body), (200, &pdf::contract()));
        assert_eq!(answer.header("etag"), answers[0].header("etag"));
    }
}

#[tokio::test]
async fn head_says_what_get_would_say() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    let path = format!("download?documentId={document}");
    let head = acme.send(acme.request(Method::HEAD, &path)).await;
    let get = acme.get(&path).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in [
        "content-length",
        "content-type",
        "etag",
        "last-modified",
        "content-disposition",
    ] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
}

#[tokio::test]
async fn head_with_a_range_is_head_without_it() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    let path = format!("download?documentId={document}");
    let whole = pdf::contract().len().to_string();
    for range in ["bytes=0-9", "bytes=99999999-"] {
        let head = acme
            .send(acme.request(Method::HEAD, &path).header("range", range))
            .await;
        assert_eq!(head.status, 200, "{range}");
        assert_eq!(head.header("content-length"), Some(whole.as_str()), "{range}");
        assert_eq!(head.header("content-range"), None, "{range}");
    }
}

#[tokio::test]
async fn a_client_that_insists_on_a_version_gets_no_other() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    let path = format!("download?documentId={document}");
    let first = acme.get(&path).await;
    let other = "El documento no corresponde a la versión solicitada.";
    let long_ago = "Tue, 14 Nov 2023 22:13:20 GMT";
    for (name, of, stale) in [
        ("if-match", "etag", "\"x\""),
        ("if-unmodified-since", "last-modified", long_ago),
    ] {
        let with = |method, value: &str| acme.request(method, &path).header(name, value);
        let same = acme.send(with(Method::GET, first.header(of).unwrap())).await;
        assert_eq!((same.status, &same.body), (200, &first.body), "{name}");
        let changed = acme.send(with(Method::GET, stale)).await;
        changed.refused(412, other);
        assert_eq!(changed.json()["error"]["message"], other, "{name}");
        assert_eq!(acme.send(with(Method::HEAD, stale)).await.status, 412, "{name}");
        let part = with(Method::GET, stale).header("range", "bytes=0-0");
        assert_eq!(acme.send(part).await.status, 412, "{name}");
    }
}

#[tokio::test]
async fn a_client_that_has_it_already_gets_nothing() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    let path = format!("download?documentId={document}");
    let first = acme.get(&path).await;
    for (name, of) in [("if-none-match", "etag"), ("if-modified-since", "last-modified")] {
        let request = acme
            .request(Method::GET, &path)
            .header(name, first.header(of).unwrap());
        let again = acme.send(request).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{name}");
        assert_eq!(again.header("etag"), first.header("etag"));
    }
    let request = acme.request(Method::GET, &path).header("if-none-match", "\"x\"");
    assert_eq!(acme.send(request).await.status, 200);
}

#[tokio::test]
async fn a_range_is_a_part_of_the_bytes() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let large = pdf::of_bytes(700_001);
    let id = acme
        .created(folio().documents([("grande.pdf", large.clone())]))
        .await;
    let path = format!("download?documentId={}", acme.document_of(&id).await);
    for (range, part) in [
        ("bytes=0-0", 0..1),
        ("bytes=5-9", 5..10),
        ("bytes=300000-", 300_000..700_001),
        ("bytes=-7", 699_994..700_001),
        ("bytes=0-9999999", 0..700_001),
    ] {
        let answer = acme
            .send(acme.request(Method::GET, &path).header("range", range))
            .await;
        assert_eq!(answer.status, 206, "{range}");
        assert!(answer.body == large[part.clone()], "{range}");
        let says = format!("bytes {}-{}/700001", part.start, part.end - 1);
        assert_eq!(answer.header("content-range"), Some(says.as_str()));
    }
    let beyond = acme.request(Method::GET, &path).header("range", "bytes=700001-");
    let answer = acme.send(beyond).await;
    answer.refused(416, "El rango solicitado no existe en el documento.");
    assert_eq!(answer.header("content-range"), Some("bytes */700001"));
    let other = acme
        .request(Method::GET, &path)
        .header("range", "bytes=0-0")
        .header("if-range", "\"another version\"");
    assert_eq!(acme.send(other).await.status, 200);
}

#[tokio::test]
async fn malformed_foreign_and_missing_documents_get_their_own_errors() {
    let app = TestApp::start().await;
    let (acme, _) = with_document(&app).await;
    let globex = app.company("Globex").await;
    let foreign = globex.document_of(&globex.created(folio()).await).await;
    let format = "El parámetro (documentId) no contiene un formato válido.";
    for path in [
        "download",
        "download?documentId=",
        "download?documentId=..%2f..%2fetc",
    ] {
        acme.get(path).await.refused(400, format);
    }
    acme.post_form("download/", Form::new())
        .await
        .refused(400, format);
    let gone = "El recurso al que intenta acceder no existe.";
    acme.download(UNKNOWN).await.refused(404, gone);
    let denied = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";
    let answer = acme.download(&foreign).await;
    answer.refused(403, denied);
    assert!(answer.json()["error"].is_object());
    let dropped = acme.created_in(FolioState::Cancelled, folio()).await;
    let document = acme.document_of(&dropped).await;
    assert_eq!(acme.download(&document).await.status, 200);
    acme.act(&dropped, FolioAct::Drop).await;
    acme.download(&document).await.refused(404, gone);
}

#[tokio::test]
async fn a_lost_file_is_an_internal_failure_in_the_right_words() {
    let app = TestApp::start().await;
    let (acme, document) = with_document(&app).await;
    for blob in app.app().blobs.list(None, 10).await.unwrap() {
        app.app().blobs.delete(blob.id).await.unwrap();
    }
    let answer = acme.download(&document).await;
    answer.refused(
        500,
        "Se ha producido un error interno, no ha sido posible descargar el documento, inténtelo de nuevo.",
    );
    assert_eq!(answer.json()["requestId"].as_str(), answer.header("x-request-id"));
}
