//! A person who reads or writes the storage, and nothing else.

use crate::test_folio::{MOBILE, email, test_folio};
use app::signing::sign::Signed;
use app::{CodePurpose, Session};
use domain::Channel;
use pades::verify::{Policy, SignatureKind, Verdict, verify};
use reqwest::Method;
use std::time::Duration;
use testkit::{Company, TestApp, TestResponse, attempt, folio, pdf, signers};

#[tokio::test]
async fn the_storage_has_the_documents_as_sent_and_nothing_of_their_signers() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let contract = pdf::saying("Lo que solo las partes leen");
    let fields = folio()
        .signers(&signers(1))
        .documents([("contrato.pdf", contract.clone())]);
    test_folio(&acme, &app, fields).await.sign(0).await;
    let objects = app.stored_objects().await;
    assert_eq!(objects, [contract], "the signature is not there");
    let text = String::from_utf8_lossy(&objects[0]);
    for value in [email(0).as_str(), MOBILE, "María Pérez", "/ByteRange"] {
        assert!(!text.contains(value), "{value}");
    }
}

/// What a signer's browser gets.
async fn get(company: &Company<'_>, session: &Session, path: &str) -> TestResponse {
    let party = session.party.to_string();
    let cookie = format!("__Host-firmeza_{}_0={}", &party[..12], session.token);
    let path = format!("/sign/{party}/{path}");
    let request = company.request(Method::GET, &path).header("cookie", cookie);
    company.send(request).await
}

#[tokio::test]
async fn other_bytes_are_neither_downloaded_nor_drawn_nor_signed() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let [contract, other] = ["Pago cien pesos", "Pago diez pesos"].map(pdf::saying);
    assert_eq!(contract.len(), other.len());
    let fields = folio()
        .signers(&signers(1))
        .documents([("contrato.pdf", contract.clone())]);
    let here = test_folio(&acme, &app, fields).await;
    let document = acme.document_of(&here.folio.to_string()).await;
    let file = format!("documents/{document}");
    let session = app.new_session(here.party(0)).await;
    let purpose = CodePurpose::Sign {
        consent: app::signing::consent::Consent::SPANISH,
    };
    // The document is found undamaged before the code is sent.
    app.app()
        .send_codes(&session, purpose, domain::Client::default())
        .await
        .unwrap();
    app.replace_document(&contract, &other).await;
    let refused = get(&acme, &session, &file).await;
    assert_eq!(refused.status, 503, "{}", refused.text());

    let typed = attempt(Channel::Email, app.code_for(&email(0)).await);
    let signed = app.app().sign_folios(&session, typed).await.unwrap();
    assert_eq!(signed, Signed::Done(vec![(here.folio, Ok(()))]));
    let roots = [app.app().notary.root().clone()];
    let now = jiff::Timestamp::from_microsecond(app.app().clock.now().as_micros()).unwrap();
    let verdict = |file: &[u8]| {
        let report = verify(file, &Policy::new(&roots, now));
        let mut signatures = report.signatures.iter();
        let approval = signatures.find(|one| one.kind == SignatureKind::Approval);
        approval.map(|approval| approval.verdict)
    };
    assert_eq!(acme.download(&document).await.status, 500);

    // Bytes are hashed whenever a page is drawn.
    let session = app.new_session(here.party(0)).await;
    let page = format!("{file}/pages/1.txt");
    assert_eq!(get(&acme, &session, &page).await.status, 503);
    app.mend_document(&contract).await;
    app.advance(Duration::from_secs(10));
    assert_eq!(get(&acme, &session, &page).await.status, 200);
    let downloaded = acme.download(&document).await.body;
    assert_eq!(
        verdict(&downloaded),
        Some(Verdict::Valid),
        "the contract is what was signed"
    );
}

#[tokio::test]
async fn a_flipped_bit_ends_a_download_before_its_end() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let large = pdf::of_bytes(2_000_000);
    let fields = folio().documents([("contrato.pdf", large.clone())]);
    let id = acme.created(fields).await;
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, large);
    let mut rotten = large.clone();
    rotten[1_500_000] ^= 1;
    app.replace_document(&large, &rotten).await;
    let path = format!("download?documentId={document}");
    let request = || acme.request(Method::GET, &path);
    let part = acme.send(request().header("range", "bytes=0-99")).await;
    assert_eq!(part.status, 500, "a part is checked first: {}", part.text());
    let broken = request().send().await.unwrap();
    assert_eq!(broken.status(), 200);
    assert!(broken.bytes().await.is_err(), "the answer was sent to its end");
    app.mend_document(&large).await;
    assert_eq!(acme.download(&document).await.body, large);
}
